package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestREL06_AnotherProcessShowsTheModelTheSame goes on with conversations here, and after
// they were loaded: small ones, long ones, pruned ones and such that were summed up.
func TestREL06_AnotherProcessShowsTheModelTheSame(t *testing.T) {
	reply := "text A reply" + strings.Repeat(" that goes on", 250) + ".\n---\n"
	for name, test := range map[string]struct{ rounds, prompts, window int }{
		"small": {2, 1, 0}, "long": {8, 1, 0}, "pruned": {40, 1, 0}, "summed up": {0, 20, 12_000}, "pruned and summed up": {5, 20, 12_000},
	} {
		t.Run(name, func(t *testing.T) {
			var script strings.Builder
			for i := range test.rounds {
				fmt.Fprintf(&script, "call c%d shell {\"command\":\"big 200 %d\"}\n---\n", i, i)
			}
			// Summaries are asked for in between: whatever is asked gets the next reply.
			script.WriteString(strings.Repeat(reply, 50))
			s, saved := offstage(t), openStore(t)
			conversation, server := s.resume(saved, script.String(), test.window, false)
			modes := map[event.Compaction]bool{}
			for range test.prompts {
				for _, e := range say(t, conversation, "Go on.") {
					if compacted, ok := e.Data.(event.ContextCompacted); ok {
						modes[compacted.Mode] = true
					}
				}
			}
			if modes[event.Prune] != strings.HasPrefix(name, "pruned") || modes[event.Compact] != strings.HasSuffix(name, "summed up") {
				t.Fatalf("compacted: %v", modes)
			}
			loaded, after := s.resume(saved, strings.Repeat(reply, 10), test.window, true)
			before := len(server.Requests())
			say(t, loaded, "And now?")
			say(t, conversation, "And now?")
			want, got := server.Requests()[before:], after.Requests()
			if len(want) != len(got) {
				t.Fatalf("%d requests here, %d after it was loaded", len(want), len(got))
			}
			for i := range want {
				if diff := cmp.Diff(sent(t, want[i]), sent(t, got[i])); diff != "" {
					t.Errorf("request %d (- here, + after it was loaded):\n%s", i, diff)
				}
			}
		})
	}
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
