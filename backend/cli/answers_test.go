package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai/testdata/answers"
)

// perProgram is how many answers one program is given, one a run, where none of them
// ends it: what waits behind a run that fails is left to the user.
const perProgram = 12

// firstAnswer is what a server says before it does as it should, and what must come
// of the run.
type firstAnswer struct {
	name  string
	serve http.HandlerFunc
	// code is the code that the run fails with; empty when it completes.
	code string
	// either says that the run may complete in place of failing: a refusal can teach
	// how to ask.
	either bool
	// final says that nothing is to be asked after this answer.
	final bool
}

// TestMSG07_RunsGoOnAfterEveryAnswer gives every answer that is kept for the client's
// own tests as the first one of a run. The runs of one program share a conversation,
// so that the next request must be fit to be sent whatever came before.
func TestMSG07_RunsGoOnAfterEveryAnswer(t *testing.T) {
	list, err := answers.Read()
	if err != nil {
		t.Fatal(err)
	}
	var first []firstAnswer
	for _, answer := range list {
		code := failCode(t, answer.Want)
		// Where the conversation is too long, a summary of it may be asked for.
		final := code != "" && code != "CONTEXT_OVERFLOW" || answer.Want.Finish == "stop" && answer.Want.Text != ""
		first = append(first, firstAnswer{name: answer.Name, code: code, final: final, serve: func(w http.ResponseWriter, _ *http.Request) {
			for name, values := range answer.Header {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.Status)
			_, _ = w.Write(answer.Body) // the run says what it misses
		}})
	}
	runAll(t, first)
}

// failCode is the code of a run whose first answer comes out like this and whose
// others are as they should be.
func failCode(t *testing.T, want answers.Want) string {
	t.Helper()
	if want.Error == nil {
		if want.Finish == "content_filter" {
			return "FILTERED"
		}
		return ""
	}
	var wait time.Duration
	switch asked := want.Error.Wait; asked {
	case "":
	case "years":
		wait = time.Hour
	default:
		var err error
		if wait, err = time.ParseDuration(asked); err != nil {
			t.Fatal(err)
		}
	}
	if want.Error.Retry && wait <= time.Minute {
		return ""
	}
	return strings.ToUpper(want.Error.Class)
}

// recordedAnswer is what concerns a run in an entry of the recorded answers' manifest.
type recordedAnswer struct {
	body     []byte
	File     string `json:"file"`
	Expected struct {
		Text   string `json:"text"`
		Finish string `json:"finish"`
		Error  *struct {
			Class  string `json:"class"`
			Action string `json:"action"`
		} `json:"error"`
	} `json:"expected"`
}

// TestMSG07_RunsGoOnAfterRecordedAnswers does the same with recorded answers of real
// providers, where there are some.
func TestMSG07_RunsGoOnAfterRecordedAnswers(t *testing.T) {
	list, err := answers.Recorded(func(r recordedAnswer) string { return r.File }, func(r *recordedAnswer, body []byte) { r.body = body })
	if errors.Is(err, answers.ErrNotRecorded) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var first []firstAnswer
	for _, entry := range list {
		answer := entry.first()
		answer.serve = replay(t, entry.File, entry.body)
		first = append(first, answer)
	}
	runAll(t, first)
}

// failCodes are the codes for the manifest's classes that end a run.
var failCodes = map[string]string{
	"auth": "AUTH", "bad_request": "BAD_REQUEST", "blocked": "BAD_REQUEST", "content_filter": "FILTERED",
	"context_overflow": "CONTEXT_OVERFLOW", "model_not_found": "MODEL_NOT_FOUND", "quota": "QUOTA",
	"rate_limit": "RATE_LIMITED",
}

func (r recordedAnswer) first() firstAnswer {
	want, a := r.Expected, firstAnswer{name: r.File}
	switch failed := want.Error; {
	case want.Finish == "content_filter":
		a.code = "FILTERED"
	case failed != nil && !strings.HasPrefix(failed.Action, "retry"):
		a.code, a.either = failCodes[failed.Class], failed.Class == "bad_request"
	}
	a.final = a.code != "" || want.Finish == "stop" && want.Text != ""
	return a
}

// replay serves a recorded answer, on a connection that ends with it.
func replay(t *testing.T, file string, body []byte) http.HandlerFunc {
	t.Helper()
	answer := &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(bytes.NewReader(body)),
	}
	if strings.HasSuffix(file, ".http") {
		var err error
		if answer, err = http.ReadResponse(bufio.NewReader(bytes.NewReader(body)), nil); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range answer.Header {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.Header().Set("Connection", "close")
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body) // the run says what it misses
	}
}

// runAll runs programs for all of the answers.
func runAll(t *testing.T, list []firstAnswer) {
	t.Helper()
	fails := func(answer firstAnswer) bool { return answer.code != "" }
	for some := range slices.Chunk(slices.DeleteFunc(slices.Clone(list), fails), perProgram) {
		t.Run(some[0].name, func(t *testing.T) {
			t.Parallel()
			newAnswering(t, some).runAll()
		})
	}
	for _, answer := range list {
		if fails(answer) {
			t.Run(answer.name, func(t *testing.T) {
				t.Parallel()
				newAnswering(t, []firstAnswer{answer}).runAll()
			})
		}
	}
}

// answering is a program whose runs each get one of the answers first, and a strict
// server's from then on.
type answering struct {
	*place
	list []firstAnswer
	// turn has a value for each run whose first request may be answered.
	turn chan struct{}
	// begun counts the runs that were answered, further the requests of the last of them
	// after its first.
	begun, further atomic.Int32
}

func newAnswering(t *testing.T, list []firstAnswer) *answering {
	t.Helper()
	a := &answering{place: newPlace(t, strings.Repeat("text well\n---\n", 4*len(list))+"text well"), list: list, turn: make(chan struct{})}
	a.write("a.txt", "hello\n")
	front := httptest.NewServer(a)
	t.Cleanup(front.Close)
	a.url = front.URL + "/v1"
	return a
}

// prompt is what begins a run but the first. No other text holds it.
func (a firstAnswer) prompt() string { return "take " + a.name + " as it comes" }

// ServeHTTP implements http.Handler.
func (a *answering) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	begun := int(a.begun.Load())
	if begun == len(a.list) || begun > 0 && !bytes.Contains(body, []byte(a.list[begun].prompt())) {
		a.further.Add(1)
		r.Body = io.NopCloser(bytes.NewReader(body))
		a.server.ServeHTTP(w, r)
		return
	}
	if faults := llmtest.Check(body); err != nil || len(faults) > 0 {
		a.t.Errorf("the first request of %s: %v %v", a.list[begun].name, err, faults)
	}
	select {
	case <-a.turn:
	case <-r.Context().Done():
		return // the test has failed and ended the program
	}
	a.begun.Add(1)
	a.further.Store(0)
	a.list[begun].serve(w, r)
}

// runAll starts the program and follows its runs. Each begins while the one before
// it waits for its first answer.
func (a *answering) runAll() {
	run := a.start("--attempts", "2", "--approve", "none", "--input", "jsonl", "--no-session")
	var last envelope
	for i, answer := range a.list {
		run.await("step.started")
		if i+1 < len(a.list) {
			run.prompt(a.list[i+1].prompt(), "run")
		}
		a.turn <- struct{}{}
		for last = (envelope{}); !last.terminal(); {
			select {
			case e, ok := <-run.events:
				if !ok {
					<-run.ended
					a.t.Fatalf("%s: the program ended; standard error: %s", answer.name, run.stderr.String())
				}
				last, run.seen = e, append(run.seen, e)
			case <-time.After(patience):
				a.t.Fatalf("%s: the run hangs", answer.name)
			}
			if last.Type == "llm.retry" {
				run.say(`{"type":"retry"}`)
			}
		}
		answer.check(a.t, last, a.further.Load() > 0)
	}
	run.endsAfter(len(a.list), map[bool]int{true: 0, false: 1}[last.field("code") == ""])
}

// check compares how a run ended, and whether more was asked of the model, with what
// the answer calls for.
func (a firstAnswer) check(t *testing.T, end envelope, more bool) {
	t.Helper()
	code := end.field("code")
	if code != a.code && (!a.either || code != "") {
		t.Errorf("%s: the run ended with %q: %s, want %q", a.name, code, end.field("message"), a.code)
	}
	if more == a.final && a.code != "CONTEXT_OVERFLOW" && !a.either {
		t.Errorf("%s: more was asked of the model: %v", a.name, more)
	}
}
