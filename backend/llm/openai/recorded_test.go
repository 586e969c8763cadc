package openai_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/message"
)

// recorded is one entry of the manifest beside the recorded answers.
type recorded struct {
	File     string `json:"file"`
	Expected struct {
		Text         string  `json:"text"`
		Reasoning    *string `json:"reasoning"`
		Finish       string  `json:"finish"`
		ExecuteTools bool    `json:"execute_tools"`
		ToolCalls    []struct {
			ID        string          `json:"id"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"tool_calls"`
		Error *struct {
			Class string `json:"class"`
		} `json:"error"`
		Usage *struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		} `json:"usage"`
	} `json:"expected"`
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

// TestMSG07_Recorded plays recorded answers of real providers, where there are
// some, and says how many come out as they should. None may hang or crash.
func TestMSG07_Recorded(t *testing.T) {
	folder := os.Getenv("FAIRLEAD_STREAMS")
	if folder == "" {
		t.Skip("FAIRLEAD_STREAMS names no folder of recorded answers")
	}
	text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []recorded
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, entry := range list {
		body, err := os.ReadFile(filepath.Join(folder, entry.File))
		if err != nil {
			t.Fatal(err)
		}
		reply, err := play(t, entry.File, body)
		if wrong := entry.differs(reply, err); wrong != "" {
			t.Logf("%s: %s", entry.File, wrong)
			continue
		}
		right++
	}
	t.Logf("%d of %d recorded answers come out as expected", right, len(list))
}

// play answers one request over loopback with a recorded body, cut into pieces.
func play(t *testing.T, file string, body []byte) (llm.Reply, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(file, ".http") {
			hijacked, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer hijacked.Close()
			io.Copy(hijacked, bytes.NewReader(body))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for len(body) > 0 {
			n := min(97, len(body))
			w.Write(body[:n])
			http.NewResponseController(w).Flush()
			body = body[n:]
		}
	}))
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "m", Transport: server.Client().Transport})
	if err != nil {
		t.Fatal(err)
	}
	return client.Stream(t.Context(), hello, func(llm.Delta) {})
}

// differs says what is not as expected, nothing when all is.
func (r recorded) differs(reply llm.Reply, err error) string {
	want := r.Expected
	if want.Error != nil {
		var failed *llm.Error
		if !errors.As(err, &failed) {
			return "no error"
		}
		for _, class := range classes[want.Error.Class] {
			if failed.Class == class {
				return ""
			}
		}
		return "wanted " + want.Error.Class + ", got " + string(failed.FailCode()) + ": " + failed.Error()
	}
	switch {
	case err != nil:
		return err.Error()
	case reply.Text != want.Text:
		return "text " + reply.Text
	case want.Reasoning != nil && reply.Reasoning != *want.Reasoning:
		return "reasoning " + reply.Reasoning
	case string(reply.Finish) != want.Finish:
		return "finish " + string(reply.Finish)
	case want.Usage != nil && (reply.Usage == nil || reply.Usage.Prompt != want.Usage.Prompt || reply.Usage.Completion != want.Usage.Completion):
		return "usage"
	case !want.ExecuteTools:
		return executable(reply.Calls)
	case len(reply.Calls) != len(want.ToolCalls):
		return "number of calls"
	}
	for i, call := range reply.Calls {
		if wanted := want.ToolCalls[i]; call.ID != wanted.ID || call.Name != wanted.Name || !sameJSON(call.Arguments, wanted.Arguments) {
			return "call " + call.ID + " " + call.Name + " " + call.Raw
		}
	}
	return ""
}

func executable(calls []message.Call) string {
	for _, call := range calls {
		if call.Arguments != nil {
			return "call that may run: " + call.Name
		}
	}
	return ""
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
