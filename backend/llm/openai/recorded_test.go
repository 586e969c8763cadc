package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai/testdata/answers"
)

// recorded is one entry of the manifest beside the recorded answers.
type recorded struct {
	Name     string `json:"name"`
	File     string `json:"file"`
	Accept   string `json:"accept"`
	Expected struct {
		Text         string `json:"text"`
		Reasoning    string `json:"reasoning"`
		Finish       string `json:"finish"`
		ExecuteTools bool   `json:"execute_tools"`
		ToolCalls    []struct {
			ID        string          `json:"id"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"tool_calls"`
		Error *recordedError `json:"error"`
		Usage *recordedUsage `json:"usage"`
	} `json:"expected"`

	body []byte
}

type recordedError struct {
	Status       int    `json:"status"`
	Class        string `json:"class"`
	Action       string `json:"action"`
	Message      string `json:"message"`
	RetryAfterMS int    `json:"retry_after_ms"`
}

type recordedUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Reasoning  int `json:"reasoning_tokens"`
}

// classes maps the manifest's names of failures to ours.
var classes = map[string][]llm.Class{
	"auth":             {llm.Auth},
	"bad_request":      {llm.BadRequest},
	"blocked":          {llm.BadRequest},
	"content_filter":   {llm.Filtered},
	"context_overflow": {llm.ContextOverflow},
	"model_not_found":  {llm.ModelNotFound},
	"overloaded":       {llm.Overloaded},
	"quota":            {llm.Quota},
	"rate_limit":       {llm.RateLimited},
	"server":           {llm.Server},
	"stream":           {llm.Malformed, llm.Truncated},
	"timeout":          {llm.Server},
	"tool_use_failed":  {llm.Malformed},
}

// longestWait is what a provider may ask for (SPEC RET-02).
const longestWait = time.Minute

// readRecorded returns the recorded answers of real providers. It skips the test where
// there are none.
func readRecorded(t *testing.T) []recorded {
	t.Helper()
	list, err := answers.Recorded(func(r recorded) string { return r.File }, func(r *recorded, body []byte) { r.body = body })
	if errors.Is(err, answers.ErrNotRecorded) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// refusal says that the file holds status line and headers too.
func (r recorded) refusal() bool { return strings.HasSuffix(r.File, ".http") }

// TestMSG07_Recorded plays recorded answers of real providers, where there are some.
func TestMSG07_Recorded(t *testing.T) {
	list := readRecorded(t)
	handlers := map[string]http.HandlerFunc{}
	for _, entry := range list {
		handlers[entry.Name] = entry.serve
	}
	base, transport := answered(t, handlers)
	right := 0
	for _, entry := range list {
		good := true
		for name, deliver := range deliveries {
			reply, err := ask(t, base+entry.Name, piecemeal{transport, deliver})
			if wrong := entry.differs(reply, err); wrong != "" {
				t.Errorf("%s, %s: %s", entry.File, name, wrong)
				good = false
			}
		}
		if good {
			right++
		}
	}
	t.Logf("%d of %d recorded answers come out as expected", right, len(list))
}

// serve answers with the recorded bytes.
func (r recorded) serve(w http.ResponseWriter, request *http.Request) {
	// A connection that is closed before all was read is reset, and the answer lost.
	_, _ = io.Copy(io.Discard, request.Body)
	if !r.refusal() {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(r.body) // the client says what it misses
		return
	}
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err) // a server of this test's own
	}
	defer connection.Close()
	_, _ = connection.Write(r.body)
}

// differs says what is not as expected, nothing when all is.
func (r recorded) differs(reply llm.Reply, err error) string {
	want := r.Expected
	if want.Error != nil {
		wrong := want.Error.differs(err)
		if wrong != "" && strings.HasPrefix(r.Accept, `finish "length"`) && err == nil && reply.Finish == llm.FinishLength {
			return ""
		}
		return wrong
	}
	if err != nil {
		return err.Error()
	}
	if diff := cmp.Diff([]string{want.Text, want.Reasoning, want.Finish}, []string{reply.Text, reply.Reasoning, string(reply.Finish)}); diff != "" {
		return "text, reasoning, finish (-want +got):\n" + diff
	}
	var usage *recordedUsage
	if u := reply.Usage; u != nil {
		usage = &recordedUsage{Prompt: u.Prompt, Completion: u.Completion, Reasoning: u.Reasoning}
	}
	if diff := cmp.Diff(want.Usage, usage); diff != "" {
		return "usage (-want +got):\n" + diff
	}
	return r.callsDiffer(reply)
}

func (r recorded) callsDiffer(reply llm.Reply) string {
	var want, got []string
	for _, call := range r.Expected.ToolCalls {
		want = append(want, fmt.Sprintf("%s %s %s", call.ID, call.Name, compact(call.Arguments)))
	}
	runs := false
	for _, call := range reply.Calls {
		got = append(got, fmt.Sprintf("%s %s %s", call.ID, call.Name, compact(call.Arguments)))
		runs = runs || call.Arguments != nil
	}
	switch {
	case runs != r.Expected.ExecuteTools:
		return fmt.Sprintf("calls that may run: %v", got)
	case !runs: // whether one that may not is kept, and how, is not the manifest's to say
		return ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return "calls (-want +got):\n" + diff
	}
	return ""
}

// differs says what is not as expected of an error.
func (want *recordedError) differs(err error) string {
	got, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return fmt.Sprintf("wanted %s, got %v", want.Class, err)
	}
	does := map[string]bool{
		"fail":             !got.Retryable() && got.Class != llm.ContextOverflow,
		"retry":            got.Retryable() && got.Wait <= longestWait,
		"compact":          got.Class == llm.ContextOverflow,
		"fail_if_over_cap": got.Retryable() && got.Wait > longestWait,
		// The model's next sample may be a better one.
		"retry_model": got.Retryable(),
	}
	least := time.Duration(want.RetryAfterMS) * time.Millisecond
	switch {
	case !slices.Contains(classes[want.Class], got.Class):
		return fmt.Sprintf("wanted %s, got %s: %v", want.Class, classNames[got.Class], got)
	case !does[want.Action]:
		return fmt.Sprintf("wanted %s, got %s, wait %v", want.Action, classNames[got.Class], got.Wait)
	case want.Status >= http.StatusBadRequest && got.Status != want.Status:
		return fmt.Sprintf("wanted status %d, got %d", want.Status, got.Status)
	// Where header and text differ by less than a second, either will do.
	case got.Wait < least || got.Wait >= least+time.Second && want.RetryAfterMS > 0:
		return fmt.Sprintf("wanted a wait of %v, got %v", least, got.Wait)
	case got.Message == "" || want.said() && !strings.Contains(got.Message, want.Message):
		return fmt.Sprintf("wanted the message %q, got %q", want.Message, got.Message)
	}
	return ""
}

// said says that the message is the provider's own, which has to be told to the last
// word. Of a web page its heading is enough.
func (want *recordedError) said() bool {
	return want.Class != "stream" && !strings.HasPrefix(want.Message, "<")
}
