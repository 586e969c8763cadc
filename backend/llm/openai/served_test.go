package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/openai/testdata/answers"
	"fairlead/backend/llm/protocol"
)

// deliveries are the ways in which the same bytes can arrive.
var deliveries = map[string]func(io.Reader) io.Reader{
	"whole":         func(source io.Reader) io.Reader { return source },
	"byte by byte":  iotest.OneByteReader,
	"split, seed 1": func(source io.Reader) io.Reader { return splitAt(source, 1) },
	"split, seed 2": func(source io.Reader) io.Reader { return splitAt(source, 2) },
	"split, seed 3": func(source io.Reader) io.Reader { return splitAt(source, 3) },
}

// splits reads pieces of up to 97 bytes, of random length.
type splits struct {
	source io.Reader
	random *rand.Rand
}

func splitAt(source io.Reader, seed uint64) *splits {
	return &splits{source, rand.New(rand.NewPCG(seed, seed))}
}

// Read implements io.Reader.
func (s *splits) Read(p []byte) (int, error) {
	return s.source.Read(p[:min(len(p), 1+s.random.IntN(97))])
}

// piecemeal delivers the answers of another transport in its own pieces.
type piecemeal struct {
	base    http.RoundTripper
	deliver func(io.Reader) io.Reader
}

// RoundTrip implements http.RoundTripper.
func (p piecemeal) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := p.base.RoundTrip(request)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{p.deliver(response.Body), response.Body}
	}
	return response, err
}

// ask puts one request to a model and returns what came of it. It fails the test when
// what was told on the way is not what came in the end, or when nothing comes.
func ask(t *testing.T, base string, transport http.RoundTripper) (llm.Reply, error) {
	t.Helper()
	client, err := openai.New(protocol.Config{BaseURL: base, Model: "m", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Second, errors.New("the answer hangs"))
	defer cancel()
	told := map[llm.DeltaKind]*strings.Builder{llm.TextDelta: {}, llm.ReasoningDelta: {}, llm.Activity: {}}
	reply, err := client.Stream(ctx, hello, func(delta llm.Delta) { told[delta.Kind].WriteString(delta.Text) })
	if text, reasoning := told[llm.TextDelta].String(), told[llm.ReasoningDelta].String(); text != reply.Text || reasoning != reply.Reasoning {
		t.Errorf("told %q and %q on the way, in the end %q and %q", text, reasoning, reply.Text, reply.Reasoning)
	}
	if err != nil && len(reply.Calls) > 0 {
		t.Errorf("LOOP-03: calls beside an error: %v", reply.Calls)
	}
	return reply, err
}

// answered serves answers over loopback, each under its name, and returns where.
func answered(t *testing.T, handlers map[string]http.HandlerFunc) (base string, transport http.RoundTripper) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		handlers[name](w, r)
	}))
	t.Cleanup(server.Close)
	// A recorded answer ends its connection, whatever its headers say.
	return server.URL + "/", &http.Transport{DisableKeepAlives: true}
}

var classNames = map[llm.Class]string{
	llm.Internal: "internal", llm.RateLimited: "rate_limited", llm.Overloaded: "overloaded", llm.Quota: "quota",
	llm.Auth: "auth", llm.ModelNotFound: "model_not_found", llm.BadRequest: "bad_request", llm.Filtered: "filtered",
	llm.ContextOverflow: "context_overflow", llm.Network: "network", llm.Malformed: "malformed",
	llm.Truncated: "truncated", llm.Server: "server",
}

// outcome writes what came of an answer in the terms of the files.
func outcome(reply llm.Reply, err error) answers.Want {
	got := answers.Want{Text: reply.Text, Reasoning: reply.Reasoning, Details: reply.Details, Finish: string(reply.Finish)}
	for _, call := range reply.Calls {
		got.Calls = append(got.Calls, answers.Call{
			ID: call.ID, Name: call.Name, Arguments: call.Arguments, Repaired: call.Repaired, Extra: call.Extra,
		})
	}
	if u := reply.Usage; u != nil {
		got.Usage = &answers.Usage{Prompt: u.Prompt, Completion: u.Completion, Reasoning: u.Reasoning, Cached: u.Cached}
	}
	if err == nil {
		return got
	}
	failed, ok := errors.AsType[*llm.Error](err)
	if !ok {
		got.Error = &answers.Failure{Class: fmt.Sprintf("untyped %T", err), Message: err.Error()}
		return got
	}
	got.Error = &answers.Failure{
		Class: classNames[failed.Class], Status: failed.Status, Code: failed.Code, Message: failed.Message,
		Window: failed.Window, Retry: failed.Retryable(),
	}
	switch {
	case failed.Wait > 365*24*time.Hour:
		got.Error.Wait = "years"
	case failed.Wait != 0:
		got.Error.Wait = failed.Wait.String()
	}
	return got
}

// compact is JSON without what does not matter in it; what is none is left alone.
func compact(text json.RawMessage) string {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return string(text)
	}
	plain, err := json.Marshal(value)
	if err != nil {
		return string(text)
	}
	return string(plain)
}
