package session_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/store"
)

// sent are the messages of a request to the model.
func sent(t *testing.T, request llmtest.Request) []json.RawMessage {
	t.Helper()
	var body struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(request.Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Messages
}

// say has a conversation answer a prompt, and returns its events.
func say(t *testing.T, conversation *session.Driver, prompt string) []event.Event {
	t.Helper()
	run, err := conversation.BeginRun(prompt)
	if err != nil {
		t.Fatal(err)
	}
	all := listen(t, run, 0)
	if result := run.Wait(); result.Reason != message.ReasonCompleted {
		t.Fatalf("%s: %v", result.Reason, result.Err)
	}
	return all
}

// resume opens the conversation of a store, a new one or the one that it has.
func (s *stage) resume(saved *store.Store, script string, window int, load bool) (*session.Driver, *llmtest.Server) {
	s.t.Helper()
	server := llmtest.Script(script)
	config := s.config(parseOptions(s.t, fmt.Sprintf("max_steps 500\nwindow %d", window)), server, pretend{&s.ticks})
	config.Store, config.Workspace = saved, "/work"
	if !load {
		return s.sessions.New("s1", config), server
	}
	loaded, err := s.sessions.Load(s.t.Context(), store.Session{ID: "s1", Workspace: "/work"}, config)
	if err != nil {
		s.t.Fatal(err)
	}
	return loaded, server
}

func TestREL06_WhatWasCountedIsNotCountedAgain(t *testing.T) {
	s, saved := offstage(t), openStore(t)
	script := `call c1 shell {"command":"big 1000 1"}` + "\n---\n" + `call c2 shell {"command":"big 1000 2"}` + "\n---\ntext Done.\n"
	conversation, _ := s.resume(saved, script, 100_000, false)
	say(t, conversation, "Go.")
	for _, again := range []bool{false, true} {
		config := s.many(0, saved)
		config.Model.Window = 100_000
		outputs := 0
		count := config.CountTokens
		config.CountTokens = func(text string) int {
			if len(text) > 30_000 {
				outputs++
			}
			return count(text)
		}
		loaded, err := s.sessions.Load(t.Context(), store.Session{ID: "s1", Workspace: "/work"}, config)
		if err != nil {
			t.Fatal(err)
		}
		say(t, loaded, "And now?")
		if again && outputs > 0 {
			t.Errorf("%d outputs were counted again", outputs)
		}
	}
}

func TestREL06_AConversationThatCannotBeReadEndsTheRun(t *testing.T) {
	s, saved := offstage(t), openStore(t)
	conversation, _ := s.resume(saved, "call c1 shell {\"command\":\"big 1000 1\"}\n---\ntext Done.\n", 0, false)
	say(t, conversation, "Go.")
	loaded, server := s.resume(saved, "text Done.\n", 0, true)
	if err := saved.Delete(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	run, err := loaded.BeginRun("And now?")
	if err != nil {
		t.Fatal(err)
	}
	if result := run.Wait(); result.Err == nil || result.Err.Code != message.CodeStorage || len(server.Requests()) != 0 {
		t.Errorf("%s: %v after %d requests", result.Reason, result.Err, len(server.Requests()))
	}
}
