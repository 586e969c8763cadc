package desktop_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// queue gives the conversation of a run a prompt that waits.
func (s *stage) queue(sessionID, text, target string) desktop.Queued {
	s.t.Helper()
	queued, err := service[*desktop.Sessions](s).Queue(sessionID, text, target, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return queued
}

// waiting are the texts that wait in the conversation that is shown.
func (s *stage) waiting() string {
	s.t.Helper()
	var texts []string
	for _, prompt := range s.state().Queue {
		texts = append(texts, prompt.Text+" ("+string(prompt.Target)+")")
	}
	return strings.Join(texts, ", ")
}

// began waits for another run than the one before and returns its id and prompt.
func (s *stage) began(before string) (runID, prompt string) {
	s.t.Helper()
	e := s.screen.await(s.t, "the next run", func(e envelope) bool {
		return e.Type == event.TypeLifecycleStart && e.RunID != before
	})
	var start event.LifecycleStart
	if err := json.Unmarshal(e.Data, &start); err != nil {
		s.t.Fatal(err)
	}
	return e.RunID, start.Prompt
}

func TestSTEER01_WhatWaitsIsShownEditedAndRun(t *testing.T) {
	s := open(t, "text One.\nhang\n---\ntext Two.\n---\ntext Three.\n", nil)
	s.ready()
	first := s.run("First")
	s.screen.await(t, "text", ofType(event.TypeAssistantDelta))
	one := s.queue(first.SessionID, "Second", "run")
	two := s.queue(first.SessionID, "Wrong", "run")
	three := s.queue(first.SessionID, "Gone", "step")
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.ChangePrompt(first.SessionID, two.PromptID, "Third", "run"); err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.RemovePrompt(first.SessionID, three.PromptID); err != nil {
		t.Fatal(err)
	}
	if got := s.waiting(); got != "Second (run), Third (run)" || one.RunID != "" {
		t.Errorf("waiting: %s; began %q", got, one.RunID)
	}
	for name, err := range map[string]error{
		"a prompt taken back":    second(sessions.RemovePrompt(first.SessionID, three.PromptID)),
		"another conversation":   second(sessions.RemovePrompt("none", one.PromptID)),
		"an unknown prompt sent": second(sessions.SendNow(first.SessionID, "none")),
	} {
		if got := code(t, err); got != "NOT_FOUND" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if _, err := sessions.Queue(first.SessionID, " \n", "step", nil); code(t, err) != desktop.CodeUsage {
		t.Errorf("a blank prompt: %v", err)
	}
	if _, err := sessions.Queue(first.SessionID, "x", "never", nil); code(t, err) != "INVALID_PARAMS" {
		t.Errorf("an unknown target: %v", err)
	}
	// Cancel leaves the queue to the user.
	if _, err := s.Cancel(first.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(first.RunID)
	s.awaitMark("First", "cancelled")
	if got := s.waiting(); got != "Second (run), Third (run)" {
		t.Errorf("after a cancel waits: %s", got)
	}
	if _, err := sessions.SendNow(first.SessionID, one.PromptID); err != nil {
		t.Fatal(err)
	}
	next, prompt := s.began(first.RunID)
	s.awaitEnd(next)
	if got := s.waiting(); prompt != "Second" || got != "Third (run)" {
		t.Errorf("ran %q; waiting: %s", prompt, got)
	}
	if _, err := sessions.SendNow(first.SessionID, two.PromptID); err != nil {
		t.Fatal(err)
	}
	last := s.screen.await(t, "the run after that", func(e envelope) bool {
		return e.Type == event.TypeLifecycleStart && e.RunID != first.RunID && e.RunID != next
	})
	s.awaitEnd(last.RunID)
	if !strings.Contains(string(last.Data), "Third") || s.waiting() != "" {
		t.Errorf("ran %s; waiting: %s", last.Data, s.waiting())
	}
}

func second(_ desktop.None, err error) error { return err }

func TestSTEER01_SendNowInterruptsAndRuns(t *testing.T) {
	s := open(t, "status 503 {\"error\":{\"message\":\"busy\"}}\nheader Retry-After: 50\n---\ntext Two.\n", nil)
	s.ready()
	first := s.run("First")
	s.screen.await(t, "the wait", ofType(event.TypeLLMRetry))
	queued := s.queue(first.SessionID, "Second", "step")
	if _, err := service[*desktop.Sessions](s).SendNow(first.SessionID, queued.PromptID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(first.RunID)
	next, prompt := s.began(first.RunID)
	s.awaitEnd(next)
	if prompt != "Second" || s.waiting() != "" {
		t.Errorf("ran %q; waiting: %s", prompt, s.waiting())
	}
}

func TestSTEER01_WhatWaitsKeepsItsConversationOpen(t *testing.T) {
	s := open(t, "text One.\nhang\n---\ntext Two.\n", nil)
	s.ready()
	first := s.run("First")
	s.screen.await(t, "text", ofType(event.TypeAssistantDelta))
	queued := s.queue(first.SessionID, "Later", "run")
	if _, err := s.Cancel(first.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitMark("First", "cancelled")
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.New(); err != nil {
		t.Fatal(err)
	}
	if got := s.waiting(); got != "" {
		t.Errorf("in another conversation waits: %s", got)
	}
	if _, err := sessions.Show(first.SessionID); err != nil {
		t.Fatal(err)
	}
	if got := s.waiting(); got != "Later (run)" {
		t.Errorf("back again waits: %s", got)
	}
	if _, err := sessions.RemovePrompt(first.SessionID, queued.PromptID); err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.Delete(first.SessionID); err != nil {
		t.Fatal(err)
	}
}

func TestSTEER01_WhatWaitsIsThereAfterAStart(t *testing.T) {
	s := open(t, "text One.\nhang\n---\ntext Two.\n", nil)
	s.ready()
	first := s.run("First")
	s.screen.await(t, "text", ofType(event.TypeAssistantDelta))
	s.queue(first.SessionID, "Later", "run")
	last := s.queue(first.SessionID, "Last", "step")
	again := s.again()
	if got := again.waiting(); got != "Later (run), Last (step)" {
		t.Fatalf("after a start waits: %s", got)
	}
	again.ready()
	sessions := service[*desktop.Sessions](again)
	if _, err := sessions.Show(first.SessionID); err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.SendNow(first.SessionID, last.PromptID); err != nil {
		t.Fatal(err)
	}
	_, prompt := again.began(first.RunID)
	if prompt != "Last" {
		t.Errorf("began with %q", prompt)
	}
}

func TestSTEER01_APromptThatComesTooLateToWaitBeginsARun(t *testing.T) {
	s := open(t, "text One.\n---\ntext Two.\n", nil)
	s.ready()
	first := s.run("First")
	s.awaitEnd(first.RunID)
	queued := s.queue(first.SessionID, "Second", "step")
	if queued.RunID == "" {
		t.Fatal("no run began")
	}
	s.awaitEnd(queued.RunID)
	if requests := s.model.Requests(); len(requests) != 2 || !strings.Contains(string(requests[1].Body), "Second") {
		t.Errorf("%d requests", len(requests))
	}
}

func TestINT01_TheWindowInterruptsARun(t *testing.T) {
	s := open(t, "status 503 {\"error\":{\"message\":\"busy\"}}\n---\ntext Fine.\n", nil)
	s.ready()
	started := s.run("First")
	s.screen.await(t, "the wait", ofType(event.TypeLLMRetry))
	if _, err := s.Interrupt(started.RunID, "That will do."); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	end := s.screen.await(t, "the end", ended)
	if !strings.Contains(string(end.Data), `"reason":"interrupted"`) || !strings.Contains(string(end.Data), "That will do.") {
		t.Errorf("ended with %s", end.Data)
	}
	if _, err := s.Interrupt(started.RunID, ""); code(t, err) != "INVALID_STATE" {
		t.Errorf("an ended run: %v", err)
	}
	if _, err := s.Interrupt("", ""); code(t, err) != "INVALID_PARAMS" {
		t.Errorf("no run: %v", err)
	}
}

func TestRET03_TheWaitCanBeSkipped(t *testing.T) {
	s := open(t, "status 503 {\"error\":{\"message\":\"busy\"}}\nheader Retry-After: 50\n---\ntext Fine.\n", nil)
	s.ready()
	started := s.run("First")
	s.screen.await(t, "the wait", ofType(event.TypeLLMRetry))
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.RetryNow(started.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	if _, err := sessions.RetryNow(started.RunID); code(t, err) != "INVALID_STATE" {
		t.Errorf("an ended run: %v", err)
	}
}

func TestDOOM02_TheWindowAnswersAGuard(t *testing.T) {
	s := open(t, strings.Repeat("call c1 read_file {\"path\":\"a.txt\"}\n---\n", 4)+"text Done.\n", nil)
	s.ready()
	if err := os.WriteFile(filepath.Join(s.folder, "a.txt"), []byte("alpha\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	started := s.run("First")
	var asked event.GuardRequest
	if err := json.Unmarshal(s.screen.await(t, "the guard", ofType(event.TypeGuardRequest)).Data, &asked); err != nil {
		t.Fatal(err)
	}
	s.awaitMark("First", "waiting")
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.Extend(started.RunID, asked.GuardID); err != nil {
		t.Errorf("HITL-04: %v", err)
	}
	answer := desktop.GuardAnswer{RunID: started.RunID, GuardID: asked.GuardID, Decision: "perhaps"}
	if _, err := s.Answer(answer); code(t, err) != "INVALID_PARAMS" {
		t.Errorf("no decision: %v", err)
	}
	answer.Decision = message.GuardContinue
	if decided, err := s.Answer(answer); err != nil || decided.GuardID != asked.GuardID {
		t.Fatal(decided, err)
	}
	if _, err := s.Answer(answer); code(t, err) != "NOT_FOUND" {
		t.Errorf("decided already: %v", err)
	}
	s.awaitEnd(started.RunID)
}

func TestGRP01_SetsOfToolsAreSwitchedByConversation(t *testing.T) {
	s := open(t, "text One.\n---\ntext Two.\n", nil)
	s.ready()
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.SetGroup("", "shell", false); err != nil {
		t.Fatal(err)
	}
	first := s.run("First")
	s.awaitEnd(first.RunID)
	if got := s.switches(); got != "file on, memory on, search on, shell off, skill on, web on" {
		t.Errorf("switches: %s", got)
	}
	if s.offered(0, "shell") || !s.offered(0, "read_file") {
		t.Error("the first request offers what is switched off")
	}
	again := s.again()
	if got := again.switches(); got != "file on, memory on, search on, shell off, skill on, web on" {
		t.Errorf("after a start: %s", got)
	}
	sessions = service[*desktop.Sessions](again)
	for name, on := range map[string]bool{"shell": true, "search": false} {
		if _, err := sessions.SetGroup(first.SessionID, name, on); err != nil {
			t.Fatal(err)
		}
	}
	again.ready()
	if _, err := sessions.Show(first.SessionID); err != nil {
		t.Fatal(err)
	}
	next := again.goOn(first.SessionID, "Second")
	again.awaitEnd(next.RunID)
	if !again.offered(1, "shell") || again.offered(1, "search_files") {
		t.Error("the second request has other tools than were chosen")
	}
}

// switches are the sets of tools as the page shows them.
func (s *stage) switches() string {
	s.t.Helper()
	var all []string
	for _, group := range s.state().Groups {
		all = append(all, group.Name+map[bool]string{true: " on", false: " off"}[group.On])
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// offered reports whether a request offered a tool.
func (s *stage) offered(request int, name string) bool {
	s.t.Helper()
	var body struct {
		Tools []struct{ Function struct{ Name string } }
	}
	if err := json.Unmarshal(s.model.Requests()[request].Body, &body); err != nil {
		s.t.Fatal(err)
	}
	for _, tool := range body.Tools {
		if tool.Function.Name == name {
			return true
		}
	}
	return false
}
