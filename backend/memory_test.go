package backend_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// editor has the user change what is remembered before it is.
type editor struct{ asked []event.ConfirmRequest }

// Ask implements approve.Asker.
func (e *editor) Ask(_ context.Context, request event.ConfirmRequest) (message.Decision, error) {
	e.asked = append(e.asked, request)
	if len(e.asked) == 1 {
		return message.Decision{Verdict: message.Modify, Arguments: json.RawMessage(`{"text":"deploy with make, not by hand"}`), By: message.ByUser}, nil
	}
	return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
}

// rememberTask is a task in the mode ask with a scripted model and memory.
func rememberTask(t *testing.T, script string) (backend.Task, *llmtest.Server) {
	t.Helper()
	model := llmtest.Script(script)
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	t.Setenv("OLLAMA_HOST", server.URL)
	task := tour(t, t.TempDir())
	task.Endpoint, task.Memory, task.Approve = located(t, "ollama", "any"), true, approve.Ask
	return task, model
}

// runToEnd runs a prompt in a new conversation.
func runToEnd(t *testing.T, b *backend.Backend, task backend.Task) {
	t.Helper()
	conversation, run := begin(t, b, task, "go")
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Errorf("%s: %v", result.Reason, result.Err)
	}
	if err := conversation.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// systemIn is the system prompt of a request, which stands before all else.
func systemIn(t *testing.T, request llmtest.Request) string {
	t.Helper()
	var body struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(request.Body, &body); err != nil || body.Messages[0].Role != "system" {
		t.Fatalf("no system prompt: %v", err)
	}
	return body.Messages[0].Content
}

// TestEXT06_WhatIsRememberedIsInTheNextRequest goes the whole way: what the model wants to remember is
// asked about, edited and written, stays out of the prompt while the run goes on, and is at its end in
// the next conversation.
func TestEXT06_WhatIsRememberedIsInTheNextRequest(t *testing.T) {
	b, dir := open(t)
	task, model := rememberTask(t, "call c1 remember {\"text\":\"deploy by hand\"}\n---\ntext Done.\n---\ntext Hello.\n")
	user := &editor{}
	task.Asker = user
	runToEnd(t, b, task)
	if len(user.asked) != 2 || user.asked[0].Kind != message.QuestionEdit || !user.asked[0].Preview.Memory || !user.asked[1].Preview.Edited {
		t.Fatalf("asked %+v", user.asked)
	}
	runToEnd(t, b, task)
	requests := model.Requests()
	first, second, third := systemIn(t, requests[0]), systemIn(t, requests[1]), systemIn(t, requests[2])
	if first != second {
		t.Error("the system prompt changed while the run went on")
	}
	line := "- " + time.Now().Format(time.DateOnly) + ": deploy with make, not by hand"
	if rest, ok := strings.CutPrefix(third, first+"\n\nNotes about this folder"); !ok || !strings.HasSuffix(rest, ":\n"+line) {
		t.Errorf("the next conversation begins with %q", third)
	}
	found, err := filepath.Glob(filepath.Join(dir, "memory", "*.md"))
	if err != nil || len(found) != 1 {
		t.Fatalf("files %v, %v", found, err)
	}
	if text, err := os.ReadFile(found[0]); err != nil || string(text) != line+"\n" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if left, err := os.ReadDir(task.Folder); err != nil || len(left) > 0 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

func TestEXT06_WhoRemembersWhat(t *testing.T) {
	for name, test := range map[string]struct {
		change      func(*backend.Task)
		knows, adds bool
	}{
		"as it is set":  {func(*backend.Task) {}, true, true},
		"off":           {func(task *backend.Task) { task.Memory = false }, false, false},
		"not saved":     {func(task *backend.Task) { task.Unsaved = true }, true, false},
		"without tools": {func(task *backend.Task) { task.AllowTools = []string{} }, true, false},
		"the group off": {func(task *backend.Task) { task.GroupsOff = []string{"memory"} }, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := open(t)
			task, model := rememberTask(t, "text Hello.\n")
			test.change(&task)
			kept := b.Memory(realFolder(t, task.Folder))
			if _, err := kept.Replace(t.Context(), "- 2026-11-29: old\n", ""); err != nil {
				t.Fatal(err)
			}
			runToEnd(t, b, task)
			body := string(model.Requests()[0].Body)
			if strings.Contains(body, "2026-11-29: old") != test.knows || strings.Contains(body, `"name":"remember"`) != test.adds {
				t.Errorf("the first request: %s", body)
			}
			if offered, shares := offeredTo(t, b, task); offered != test.adds || (shares > 0) != test.knows {
				t.Errorf("it is offered the tool %v, and the notes are said to take %d tokens", offered, shares)
			}
		})
	}
}

// realFolder is the path that conversations know a folder by.
func realFolder(t *testing.T, folder string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// offeredTo reports whether a new conversation has the tool, and the tokens of its instructions.
func offeredTo(t *testing.T, b *backend.Backend, task backend.Task) (offered bool, tokens int) {
	t.Helper()
	folder, err := b.OpenFolder(task.Folder)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }() // it was only read
	offer, err := b.OfferOf(t.Context(), folder, task, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, definition := range offer.Tools.Definitions() {
		offered = offered || definition.Name == "remember"
	}
	shares, err := b.Sessions.Contents(t.Context(), "", offer)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range shares {
		if share.Kind == session.Content("instructions") {
			tokens = share.Tokens
		}
	}
	return offered, tokens
}

func TestEXT06_ADamagedMemoryKeepsNoTaskFromBeginning(t *testing.T) {
	b, _ := open(t)
	task, model := rememberTask(t, "call c1 remember {\"text\":\"more\"}\n---\ntext Done.\n")
	kept := b.Memory(realFolder(t, task.Folder))
	if err := os.MkdirAll(filepath.Dir(kept.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept.Path(), []byte("a\xff\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runToEnd(t, b, task)
	if told := string(model.Requests()[1].Body); !strings.Contains(told, "EXECUTION_ERROR: read the memory of the folder") {
		t.Errorf("the model is told %s", told)
	}
	if content, err := os.ReadFile(kept.Path()); err != nil || string(content) != "a\xff\n" {
		t.Errorf("the file has %q, %v", content, err)
	}
}
