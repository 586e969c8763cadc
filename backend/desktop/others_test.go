package desktop_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

func TestOneWindowWorksOnADataFolder(t *testing.T) {
	s := open(t, "", nil)
	second := &stage{t: t, screen: newScreen(), folders: s.folders, folder: s.folder, baseURL: s.baseURL}
	second.start(nil)
	if _, err := second.Run(desktop.Task{Prompt: "x"}); err == nil {
		t.Error("a second window works on the same folder")
	}
	answer := second.get("/fairlead/state")
	if text := answer.Body.String(); answer.Code == 200 || !strings.Contains(text, string(desktop.CodeElsewhere)) || !strings.Contains(text, "another window") {
		t.Errorf("%d %s", answer.Code, text)
	}
}

// other is another Fairlead on the same conversations.
func (s *stage) other() *backend.Backend {
	s.t.Helper()
	b, err := backend.Open(backend.Options{Folders: s.folders, LogLevel: "info"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			s.t.Error(err)
		}
	})
	return b
}

func TestTheWindowFollowsARunOfAnotherProcess(t *testing.T) {
	s := open(t, "text hello\n---\ncall c1 write_file {\"path\":\"a.txt\",\"content\":\"x\"}\n---\ntext done", nil)
	s.ready()
	started := s.run("say hello")
	s.awaitEnd(started.RunID)
	s.awaitMark("say hello", "completed")
	if _, err := service[*desktop.Sessions](s).New(); err != nil {
		t.Fatal(err)
	}
	// Not running and not shown, it is free.
	b := s.other()
	endpoint, err := catalog.Catalog{}.Choose(catalog.Choice{BaseURL: s.baseURL, Model: "scripted"}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	conversation, err := b.OpenConversation(t.Context(), backend.Task{
		Session: started.SessionID, Endpoint: endpoint, Mode: session.React, Approve: approve.Ask,
		Limits: message.Limits{
			MaxSteps: 5, RunTimeout: time.Minute, StepTimeout: time.Minute, ConfirmTimeout: time.Minute, Attempts: 1, Parallel: 1,
			ContinueOnError: true, DoomDetection: true, Compaction: true,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conversation.Close(context.Background()) }()
	run, err := conversation.BeginRun("write a file")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Events.After(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := service[*desktop.Sessions](s).Show(started.SessionID); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); len(state.Runs) != 2 || state.Runs[1].Ended {
		t.Fatalf("state: %+v", state)
	}
	if _, err := s.Run(desktop.Task{Prompt: "x", SessionID: started.SessionID}); code(t, err) != desktop.CodeElsewhere {
		t.Errorf("two work on it: %v", err)
	}
	if _, err := service[*desktop.Sessions](s).Delete(started.SessionID); code(t, err) != desktop.CodeElsewhere {
		t.Errorf("deleted under a run: %v", err)
	}
	if _, err := s.Cancel(run.ID); code(t, err) != desktop.CodeElsewhere {
		t.Errorf("stop it from here: %v", err)
	}
	if got := s.marks()["say hello"]; got != "running" {
		t.Errorf("marked %q", got)
	}
	s.screen.await(t, "the question", func(e envelope) bool { return e.RunID == run.ID && e.Type == event.TypeConfirmRequest })
	asked := s.question(run.ID)
	answer := desktop.Answer{RunID: run.ID, CallID: asked.CallID, Decision: message.Approve, Hash: asked.Hash}
	if _, err := s.Confirm(answer); code(t, err) != desktop.CodeElsewhere {
		t.Errorf("answer it from here: %v", err)
	}
	if err := b.Broker.Confirm(run.ID, asked.CallID, message.Decision{Verdict: message.Reject, By: message.ByUser, Hash: asked.Hash}); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(run.ID)
	s.awaitMark("say hello", "completed")
}
