//go:build linux || darwin

package desktop_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

// moveAway has the folder that is open be somewhere else, and returns both paths.
func (s *stage) moveAway() (from, to string) {
	s.t.Helper()
	from = s.state().Workspace.Path
	to = filepath.Join(filepath.Dir(from), "moved")
	if err := os.Rename(from, to); err != nil {
		s.t.Fatal(err)
	}
	return from, to
}

func TestCHG13_AFolderThatWasMovedIsOfferedItsConversations(t *testing.T) {
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
---
text Written.`, nil)
	s.ready()
	run := s.run("write a file")
	s.confirm(run.RunID, message.Approve)
	s.awaitEnd(run.RunID)
	from, to := s.moveAway()

	folders := service[*desktop.Folders](s)
	if _, err := folders.Open(to); err != nil {
		t.Fatal(err)
	}
	offer := s.state().Moved
	if offer == nil || offer.From != from || offer.Conversations != 1 {
		t.Fatalf("offered: %+v", offer)
	}
	if _, err := folders.TakeOver(to, true); err == nil {
		t.Error("another folder was taken over")
	}
	if _, err := folders.TakeOver(from, true); err != nil {
		t.Fatal(err)
	}
	if state := s.state(); state.Moved != nil || len(state.Recent) != 1 {
		t.Errorf("then it is offered %+v, and recent are %q", state.Moved, state.Recent)
	}
	if marks := s.marks(); len(marks) != 1 {
		t.Errorf("conversations here: %v", marks)
	}
	// What it changed there is taken back here.
	if _, err := service[*desktop.Sessions](s).Show(run.SessionID); err != nil {
		t.Fatal(err)
	}
	if undone := s.undo(desktop.UndoTask{RunID: run.RunID}); undone.Paths != 1 {
		t.Errorf("undone: %+v", undone)
	}
	if _, err := os.Lstat(filepath.Join(to, "a.txt")); err == nil {
		t.Error("the file is still there")
	}
}

func TestCHG13_AFolderIsOfferedOnceAndOnlyWhereTheOldOneIsGone(t *testing.T) {
	s := open(t, "text Hello.", nil)
	s.ready()
	run := s.run("say hello")
	s.awaitEnd(run.RunID)
	from, to := s.moveAway()
	folders := service[*desktop.Folders](s)
	if _, err := folders.Open(to); err != nil {
		t.Fatal(err)
	}
	// Somebody has put another folder there.
	if err := os.Mkdir(from, 0o700); err != nil {
		t.Fatal(err)
	}
	if offer := s.state().Moved; offer != nil {
		t.Errorf("offered while the old folder is there: %+v", offer)
	}
	if err := os.Remove(from); err != nil {
		t.Fatal(err)
	}
	if s.state().Moved == nil {
		t.Error("nothing is offered")
	}
	if _, err := folders.TakeOver(from, false); err != nil {
		t.Fatal(err)
	}
	if offer := s.state().Moved; offer != nil {
		t.Errorf("offered again: %+v", offer)
	}
	if marks := s.marks(); len(marks) != 0 {
		t.Errorf("conversations here: %v", marks)
	}
}
