package desktop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/approve"
	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

func (s *stage) list() (list desktop.SessionList) {
	s.t.Helper()
	s.read("/fairlead/sessions?limit=100", &list)
	return list
}

// marks are the marks of the listed conversations by title.
func (s *stage) marks() map[string]string {
	s.t.Helper()
	marks := map[string]string{}
	for _, entry := range s.list().Sessions {
		marks[entry.Title] = entry.Mark
	}
	return marks
}

// awaitMark waits until a conversation is marked so.
func (s *stage) awaitMark(title, mark string) {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), deadline)
	defer stop()
	for s.marks()[title] != mark {
		select {
		case <-s.screen.news:
		case <-ctx.Done():
			s.t.Fatalf("%q is not marked %s: %v", title, mark, s.marks())
		}
	}
}

// awaitEnd waits for the end of a run on the screen.
func (s *stage) awaitEnd(runID string) {
	s.t.Helper()
	s.screen.await(s.t, "the end of "+runID, func(e envelope) bool { return e.RunID == runID && ended(e) })
}

// question reads the question of a run from its events.
func (s *stage) question(runID string) (asked event.ConfirmRequest) {
	s.t.Helper()
	var events []envelope
	s.read("/fairlead/runs/"+runID+"/events?after=0", &events)
	for _, e := range events {
		if e.Type == event.TypeConfirmRequest {
			if err := json.Unmarshal(e.Data, &asked); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	return asked
}

func TestST03_ARunGoesOnWhileAnotherConversationIsShown(t *testing.T) {
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
---
text The other one.
---
text Written.`, nil)
	s.ready()
	sessions := service[*desktop.Sessions](s)
	first := s.run("write a file")
	s.awaitMark("write a file", "waiting")
	if _, err := sessions.New(); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); state.SessionID != "" || len(state.Runs) != 0 {
		t.Errorf("the new conversation: %+v", state)
	}
	second := s.run("say something")
	s.awaitEnd(second.RunID)
	s.awaitMark("say something", "completed")
	if _, err := sessions.Show(first.SessionID); err != nil {
		t.Fatal(err)
	}
	state := s.state()
	if state.SessionID != first.SessionID || state.Title != "write a file" || len(state.Runs) != 1 || state.Runs[0].Ended {
		t.Errorf("the first conversation: %+v", state)
	}
	asked := s.question(first.RunID)
	answer := desktop.Answer{RunID: first.RunID, CallID: asked.CallID, Decision: message.Approve, Hash: asked.Hash}
	if _, err := s.Confirm(answer); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(first.RunID)
	s.awaitMark("write a file", "completed")
	if text, err := os.ReadFile(filepath.Join(s.folder, "a.txt")); err != nil || string(text) != "hello" {
		t.Errorf("a.txt: %q, %v", text, err)
	}
	// Its history came along although another conversation was shown meanwhile.
	if faults := s.model.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
}

func TestST03_ARunGoesOnInAnotherFolder(t *testing.T) {
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
---
text Written.`, nil)
	s.ready()
	first := s.run("write a file")
	s.awaitMark("write a file", "waiting")
	other := t.TempDir()
	if _, err := service[*desktop.Folders](s).Open(other); err != nil {
		t.Fatal(err)
	}
	list := s.list().Sessions
	if len(list) != 1 || list[0].Folder == nil || list[0].Folder.Path != s.folder || list[0].Mark != "waiting" {
		t.Fatalf("in the other folder: %+v", list)
	}
	if _, err := service[*desktop.Sessions](s).Show(first.SessionID); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); state.Workspace.Path != s.folder || state.SessionID != first.SessionID {
		t.Errorf("shown: %+v", state)
	}
	if list := s.list().Sessions; len(list) != 1 || list[0].Folder != nil {
		t.Errorf("back again: %+v", list)
	}
	again := s.again()
	if state := again.state(); state.Workspace.Path != s.folder || state.SessionID != first.SessionID || !state.Runs[0].Ended {
		t.Errorf("after a restart: %+v", state)
	}
}

func TestUI05_ADeletedConversationComesBackUntilItIsGone(t *testing.T) {
	const canary = "a sentence that nobody else would write"
	// More than the model is given: the rest is kept in a file of its own.
	s := open(t, `call c1 shell {"command":"yes '`+canary+`' | head -n 3000"}`+"\n---\ntext "+canary, nil)
	s.ready()
	sessions := service[*desktop.Sessions](s)
	started := s.run("say it")
	s.awaitMark("say it", "waiting")
	asked := s.question(started.RunID)
	if _, err := s.Confirm(desktop.Answer{RunID: started.RunID, CallID: asked.CallID, Decision: message.Approve, Hash: asked.Hash}); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	s.awaitMark("say it", "completed")
	spilled := false
	for _, text := range filesOf(t, filepath.Join(s.folders.Data, "outputs")) {
		spilled = spilled || strings.Count(text, canary) == 3000
	}
	if !spilled {
		t.Error("the whole output is in no file")
	}
	if _, err := sessions.Rename(started.SessionID, " A \n better\u202e title "); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); !strings.HasPrefix(state.Title, "A better") || strings.Contains(state.Title, "\u202e") {
		t.Errorf("title %q", state.Title)
	}
	if _, err := sessions.Delete(started.SessionID); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); state.SessionID != "" || len(s.list().Sessions) != 0 {
		t.Errorf("a deleted conversation is shown: %+v", state)
	}
	if _, err := sessions.Show(started.SessionID); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("show a deleted conversation: %v", err)
	}
	if _, err := s.Run(desktop.Task{Prompt: "x", SessionID: started.SessionID}); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("go on with a deleted conversation: %v", err)
	}
	if _, err := sessions.Restore(started.SessionID); err != nil {
		t.Fatal(err)
	}
	if list := s.list().Sessions; len(list) != 1 || !strings.HasPrefix(list[0].Title, "A better") {
		t.Errorf("restored: %+v", list)
	}
	if _, err := sessions.Delete(started.SessionID); err != nil {
		t.Fatal(err)
	}
	again := s.again()
	if list := again.list().Sessions; len(list) != 0 {
		t.Errorf("after the end: %+v", list)
	}
	if _, err := service[*desktop.Sessions](again).Restore(started.SessionID); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("restore what is gone: %v", err)
	}
	if err := again.Stop(); err != nil {
		t.Fatal(err)
	}
	for name, text := range filesOf(t, s.folders.Data) {
		if strings.Contains(text, canary) {
			t.Errorf("%s still has what was deleted", name)
		}
	}
}

// filesOf reads every file below a folder.
func filesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestLOOP14_AFailedRunIsContinued(t *testing.T) {
	s := open(t, "call c1 list_files {\"path\":\".\"}\n---\nstatus 401 no\n---\ntext All of it.", nil)
	s.ready()
	failed := s.run("list the files")
	s.awaitEnd(failed.RunID)
	started, err := s.Run(desktop.Task{SessionID: failed.SessionID, Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	begin := s.screen.await(t, "the beginning", func(e envelope) bool {
		return e.RunID == started.RunID && e.Type == event.TypeLifecycleStart
	})
	var data event.LifecycleStart
	if err := json.Unmarshal(begin.Data, &data); err != nil || data.Continues != failed.RunID {
		t.Errorf("began with %s, %v", begin.Data, err)
	}
	if _, err := s.Run(desktop.Task{SessionID: failed.SessionID, Continue: true}); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("continue what is complete: %v", err)
	}
	if faults := s.model.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
}

func TestUI05_TheModelFindsATitle(t *testing.T) {
	s := open(t, "text Hello to you.\n---\ntext **“A greeting.”**\n---\ntext Again.", nil)
	t.Setenv("FAIRLEAD_MODEL_TITLES", "true")
	s.ready()
	started := s.run("say hello")
	s.awaitEnd(started.RunID)
	s.awaitMark("A greeting", "completed")
	next := s.goOn(started.SessionID, "once more")
	s.awaitEnd(next.RunID)
	if list := s.list().Sessions; list[0].Title != "A greeting" {
		t.Errorf("it was titled again: %+v", list)
	}
	if asked := len(s.model.Requests()); asked != 3 {
		t.Errorf("the model was asked %d times", asked)
	}
}

func TestST01_TheWindowComesBackToItsConversation(t *testing.T) {
	const runs = 23
	s := open(t, strings.TrimSuffix(strings.Repeat("text hello\n---\n", runs), "---\n"), nil)
	s.ready()
	var all []string
	id := ""
	for i := range runs {
		started := s.goOn(id, fmt.Sprintf("task %d", i+1))
		s.awaitEnd(started.RunID)
		id = started.SessionID
		all = append(all, started.RunID)
	}
	again := s.again()
	state := again.state()
	if state.SessionID != id || state.Title != "task 1" || len(state.Runs) != 20 || !state.Earlier || state.Runs[0].RunID != all[3] {
		t.Fatalf("state: %+v", state)
	}
	var earlier desktop.RunList
	again.read("/fairlead/sessions/"+id+"/runs?before="+all[3], &earlier)
	if len(earlier.Runs) != 3 || earlier.Earlier || earlier.Runs[0] != (desktop.RunState{RunID: all[0], Ended: true}) {
		t.Errorf("earlier: %+v", earlier)
	}
	var events []envelope
	again.read("/fairlead/runs/"+all[0]+"/events?after=0", &events)
	if len(events) == 0 || events[0].Type != event.TypeLifecycleStart || !ended(events[len(events)-1]) {
		t.Errorf("events: %+v", events)
	}
	var one envelope
	again.read("/fairlead/runs/"+all[0]+"/events/1", &one)
	if one.Type != event.TypeLifecycleStart {
		t.Errorf("the first event: %+v", one)
	}
	if again.get("/fairlead/sessions/other/runs?before="+all[3]).Code == 200 {
		t.Error("runs of another conversation are read")
	}
}

func TestAListOfNothingMakesNoDatabase(t *testing.T) {
	s := open(t, "text hello", nil)
	s.ready()
	database := filepath.Join(s.folders.Data, "fairlead.db")
	if list := s.list(); len(list.Sessions) != 0 {
		t.Errorf("listed: %+v", list)
	}
	if _, err := os.Stat(database); !os.IsNotExist(err) {
		t.Errorf("a list made a database: %v", err)
	}
	started := s.run("say hello")
	s.awaitEnd(started.RunID)
	if list := s.list(); len(list.Sessions) != 1 {
		t.Errorf("listed: %+v", list)
	}
}

func TestHITL07_WhatIsAskedAboutIsChosenByConversation(t *testing.T) {
	s := open(t, "text One.\n---\ntext Two.\n", nil)
	s.ready()
	sessions := service[*desktop.Sessions](s)
	choose := func(id string, mode approve.Mode) {
		t.Helper()
		if _, err := sessions.SetApprove(id, string(mode)); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(when string, want approve.Mode) {
		t.Helper()
		if got := s.state().Approve; got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	shows("before anything was chosen", approve.Ask)
	choose("", approve.Writes)
	first := s.run("First")
	s.awaitEnd(first.RunID)
	shows("in the conversation that began then", approve.Writes)
	choose(first.SessionID, approve.None)
	shows("when it was chosen there", approve.None)
	second := s.run("Second")
	s.awaitEnd(second.RunID)
	shows("in the next one", approve.Writes)
	if _, err := sessions.Show(first.SessionID); err != nil {
		t.Fatal(err)
	}
	shows("back in the first", approve.None)
	choose(second.SessionID, approve.Preview)

	s = s.again()
	sessions = service[*desktop.Sessions](s)
	shows("after a restart", approve.None)
	if _, err := sessions.Show(second.SessionID); err != nil {
		t.Fatal(err)
	}
	shows("in the second after a restart", approve.Preview)
	if _, err := sessions.New(); err != nil {
		t.Fatal(err)
	}
	shows("in a new one after a restart", approve.Ask)
}
