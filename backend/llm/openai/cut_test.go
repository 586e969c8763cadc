package openai_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"fairlead/backend/llm"
)

const (
	// cutEvery is the distance between two cuts, in bytes, where that lets the client
	// read no more than about maxRead of one answer; else they lie further apart.
	cutEvery = 10
	maxRead  = 64 << 10
	// minCuts is for the longest answers.
	minCuts = 10
)

// finished finds where a stream says that the model stopped.
var finished = regexp.MustCompile(`"finish_reason"\s*:\s*"[^"]+"|\[DONE\]`)

// cutAnswer is a transport whose answer ends after the first bytes of a body.
type cutAnswer struct {
	status int
	header http.Header
	body   []byte
	end    error
}

// RoundTrip implements http.RoundTripper.
func (c cutAnswer) RoundTrip(request *http.Request) (*http.Response, error) {
	body := io.MultiReader(bytes.NewReader(c.body), iotest.ErrReader(c.end))
	return &http.Response{StatusCode: c.status, Header: c.header, Body: io.NopCloser(body), Request: request}, nil
}

// TestLOOP03_CutAnswers cuts every answer at many places: what is left of one is an
// error, or a success where the cut lies behind the finish.
func TestLOOP03_CutAnswers(t *testing.T) {
	for _, answer := range readAnswers(t) {
		t.Run(answer.Name, func(t *testing.T) {
			t.Parallel()
			cutEverywhere(t, cutAnswer{status: answer.Status, header: answer.Header, body: answer.Body})
		})
	}
}

// TestLOOP03_CutRecorded does the same with recorded streams, where there are some.
func TestLOOP03_CutRecorded(t *testing.T) {
	for _, entry := range readRecorded(t) {
		if entry.refusal() {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			t.Parallel()
			cutEverywhere(t, cutAnswer{status: http.StatusOK, body: entry.body})
		})
	}
}

func cutEverywhere(t *testing.T, answer cutAnswer) {
	t.Helper()
	stopped := len(answer.body) + 1
	if at := finished.FindIndex(answer.body); at != nil {
		stopped = at[1]
	}
	full := answer
	full.end = io.EOF
	whole, _ := ask(t, "http://cut.invalid", full)
	length := len(answer.body)
	distance := max(cutEvery, min(length*length/2/maxRead, length/minCuts))
	for _, end := range []error{io.EOF, errors.New("connection reset by peer")} {
		for at := 0; at < length; at += distance {
			cut := answer
			cut.body, cut.end = answer.body[:at], end
			reply, err := ask(t, "http://cut.invalid", cut)
			if wrong := cutIsWrong(whole, reply, err, at >= stopped); wrong != "" {
				t.Fatalf("cut at byte %d with %v: %s", at, end, wrong)
			}
		}
	}
}

// cutIsWrong says what is wrong with what came of a cut answer.
func cutIsWrong(whole, reply llm.Reply, err error, stopped bool) string {
	if err != nil {
		failed, ok := errors.AsType[*llm.Error](err)
		if !ok || failed.Message == "" || failed.Class == llm.Internal {
			return fmt.Sprintf("an error without a kind: %#v", err)
		}
		return ""
	}
	switch {
	case !stopped:
		return fmt.Sprintf("success before the model stopped: %+v", reply)
	case !strings.HasPrefix(whole.Text, reply.Text):
		return "a text that the whole answer does not begin with: " + reply.Text
	case len(reply.Calls) > len(whole.Calls):
		return fmt.Sprintf("calls that the whole answer does not have: %+v", reply.Calls)
	}
	for i, call := range reply.Calls {
		if call.Arguments != nil && string(call.Arguments) != string(whole.Calls[i].Arguments) {
			return fmt.Sprintf("call %d may run with %s", i, call.Arguments)
		}
	}
	return ""
}
