package backend_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
)

// firstRequest returns the body of the first request of a conversation in an empty
// folder, with all tools.
func firstRequest(t *testing.T) []byte {
	t.Helper()
	model := llmtest.Script("text Hello.\n")
	server := httptest.NewServer(model)
	defer server.Close()
	t.Setenv("OLLAMA_HOST", server.URL)
	b, _ := open(t)
	task := tour(t, t.TempDir())
	task.Memory = true
	task.Endpoint, task.Limits.MaxSteps = located(t, "ollama", "any"), 50
	conversation, run := begin(t, b, task, "Say hello.")
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Fatalf("%s: %v", result.Reason, result.Err)
	}
	if err := conversation.Close(context.Background()); err != nil {
		t.Error(err)
	}
	return model.Requests()[0].Body
}

// TestFirstRequestGolden pins the whole first request, so that every change to
// the system prompt or to a tool is a visible difference; -update writes it anew.
func TestFirstRequestGolden(t *testing.T) {
	const golden = "testdata/first-request.json"
	var body any
	if err := json.Unmarshal(firstRequest(t), &body); err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(
		time.Now().Format("Monday, 2 January 2006"), "DATE", "system: "+runtime.GOOS, "system: OS",
	).Replace(string(got)) + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("first request (- want, + got); go test ./backend -run Golden -update writes it anew:\n%s", diff)
	}
}

// TestPromptSize keeps what every request carries at 7 KB.
func TestPromptSize(t *testing.T) {
	var body struct {
		Messages []json.RawMessage `json:"messages"`
		Tools    json.RawMessage   `json:"tools"`
	}
	if err := json.Unmarshal(firstRequest(t), &body); err != nil {
		t.Fatal(err)
	}
	size := len(body.Messages[0]) + len(body.Tools)
	t.Logf("system prompt %d bytes, tools %d bytes", len(body.Messages[0]), len(body.Tools))
	if size > 7<<10 {
		t.Errorf("system prompt and tools are %d bytes, more than 7 KB", size)
	}
}
