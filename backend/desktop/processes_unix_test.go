//go:build unix

package desktop_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

func (s *stage) processes() []desktop.Process {
	s.t.Helper()
	var list desktop.ProcessList
	s.read("/fairlead/processes", &list)
	return list.Processes
}

// A command in the background goes on while another conversation is shown, and ends
// with its own.
func TestTOOL05_ACommandGoesOnWhileAnotherConversationIsShown(t *testing.T) {
	s := open(t, `call c1 shell_start {"command":"echo here; while [ ! -e go ]; do sleep 0.05; done; touch went"}
---
text It runs.
`, nil)
	s.ready()
	started := s.run("start it")
	s.awaitMark("start it", "waiting")
	asked := s.question(started.RunID)
	if _, err := s.Confirm(desktop.Answer{RunID: started.RunID, CallID: asked.CallID, Decision: message.Approve, Hash: asked.Hash}); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	s.awaitMark("start it", "completed")
	if list := s.processes(); len(list) != 1 || list[0].ID != "p1" || !list[0].Running || list[0].Level == "" {
		t.Fatalf("processes: %+v", list)
	}
	if list := s.list().Sessions; len(list) != 1 || list[0].Processes != 1 {
		t.Errorf("listed: %+v", list)
	}
	sessions, processes := service[*desktop.Sessions](s), service[*desktop.Processes](s)
	if _, err := sessions.New(); err != nil {
		t.Fatal(err)
	}
	if list := s.processes(); len(list) != 0 {
		t.Errorf("the new conversation has %+v", list)
	}
	if _, err := processes.Kill("c1"); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("killed from another conversation: %v", err)
	}
	if _, err := sessions.Show(started.SessionID); err != nil {
		t.Fatal(err)
	}
	if list := s.processes(); len(list) != 1 || !list[0].Running {
		t.Fatalf("back again: %+v", list)
	}
	var output desktop.Output
	s.read("/fairlead/processes/"+s.processes()[0].CallID+"/output?from=0", &output)
	if output.Text != "here\n" || !output.Running {
		t.Errorf("output: %+v", output)
	}
	// One that nothing is kept of has ended, and nothing more to say.
	s.read("/fairlead/processes/unknown/output?from=7", &output)
	if output != (desktop.Output{From: 7, Next: 7}) {
		t.Errorf("output of an unknown command: %+v", output)
	}
	if _, err := sessions.Delete(started.SessionID); err != nil {
		t.Fatal(err)
	}
	s.read("/fairlead/processes/c1/output?from=5", &output)
	if output != (desktop.Output{From: 5, Next: 5}) {
		t.Errorf("output of a command whose conversation is gone: %+v", output)
	}
	if err := os.WriteFile(filepath.Join(s.folder, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.folder, "went")); err == nil {
		t.Error("it went on after its conversation was deleted")
	}
}

func TestUI11_WhatRunsInAnotherFolderIsListed(t *testing.T) {
	s := open(t, `call c1 shell_start {"command":"sleep 600"}`+"\n---\ntext It runs.\n", nil)
	s.ready()
	started := s.run("start it")
	s.awaitMark("start it", "waiting")
	asked := s.question(started.RunID)
	if _, err := s.Confirm(desktop.Answer{RunID: started.RunID, CallID: asked.CallID, Decision: message.Approve, Hash: asked.Hash}); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	s.awaitMark("start it", "completed")
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.Archive(started.SessionID, true); code(t, err) != desktop.Code(message.Busy) {
		t.Errorf("archived with a command that runs: %v", err)
	}
	if _, err := service[*desktop.Folders](s).Open(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	list := s.list().Sessions
	if len(list) != 1 || list[0].Folder == nil || list[0].Processes != 1 || list[0].Mark != "completed" {
		t.Errorf("in another folder: %+v", list)
	}
	if _, err := sessions.Delete(started.SessionID); err != nil {
		t.Fatal(err)
	}
	if list := s.list().Sessions; len(list) != 0 {
		t.Errorf("after it was deleted: %+v", list)
	}
}
