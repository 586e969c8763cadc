package backend_test

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/session"
)

// What finds out how far commands can be confined is waited for by the first command, and
// by nothing before it.
func TestSEC02_TheFirstCommandWaitsForTheSelfTestAndTheModelDoesNot(t *testing.T) {
	b, dir := open(t)
	known, find := make(chan struct{}), b.Confinement
	b.Confinement = func() *sandbox.System {
		<-known
		return find()
	}
	folder := t.TempDir()
	conversation := scripted(t, b, folder, "call c1 list_files {}\n---\ncall c2 shell {\"command\":\"echo done >done\"}\n---\ntext Done.\n")
	run, err := conversation.BeginRun("Do it.")
	if err != nil {
		t.Fatal(err)
	}
	for seq, called := int64(0), false; !called; {
		events, err := run.Events.After(t.Context(), seq)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			seq = e.Seq
			call, ok := e.Data.(event.ToolCall)
			called = called || ok && call.CallID == "c2"
		}
	}
	if found, _ := filepath.Glob(filepath.Join(folder, "done")); len(found) > 0 {
		t.Error("the command ran before it was known how far it is confined")
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "private", "*")); len(found) > 0 {
		t.Errorf("a place for commands is there before the first: %q", found)
	}
	close(known)
	result := run.Wait()
	if result.Reason != message.ReasonCompleted {
		t.Errorf("ended %s: %v", result.Reason, result.Err)
	}
	if _, err := os.Stat(filepath.Join(folder, "done")); err != nil {
		t.Error(err)
	}
	if err := conversation.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestSEC02_TheSelfTestBeginsWithTheFirstRequest(t *testing.T) {
	b, _ := open(t)
	begun := make(chan struct{})
	find := b.Confinement
	b.Confinement = sync.OnceValue(func() *sandbox.System {
		close(begun)
		return find()
	})
	conversation := scripted(t, b, t.TempDir(), "text Done.\n")
	select {
	case <-begun:
		t.Error("it begins with the conversation")
	default:
	}
	run, err := conversation.BeginRun("Do nothing.")
	if err != nil {
		t.Fatal(err)
	}
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Errorf("ended %s: %v", result.Reason, result.Err)
	}
	<-begun // though no command came
	if err := conversation.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// scripted begins a conversation with a model that answers from a script.
func scripted(t *testing.T, b *backend.Backend, folder, script string) *backend.Conversation {
	t.Helper()
	listening := httptest.NewServer(llmtest.Script(script))
	t.Cleanup(listening.Close)
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{BaseURL: listening.URL + "/v1", Model: "m"}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	conversation, err := b.OpenConversation(t.Context(), backend.Task{
		Folder: folder, Endpoint: endpoint, Mode: session.React, Approve: approve.All, Unsaved: true,
		Limits: message.Limits{
			MaxSteps: 5, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1,
			ContinueOnError: true, DoomDetection: true, Compaction: true,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return conversation
}
