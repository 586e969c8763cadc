package desktop_test

import (
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

func TestUI06_TheTourTakesNoOtherTask(t *testing.T) {
	s := open(t, "", nil)
	started := s.tour()
	if _, err := service[*desktop.Sessions](s).Queue(started.SessionID, "and then", "step", nil); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("queued: %v", err)
	}
	if _, err := s.Cancel(started.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	for _, session := range []string{started.SessionID, ""} {
		if _, err := s.Run(desktop.Task{Prompt: "Sort my photos.", SessionID: session}); code(t, err) != desktop.Code(message.InvalidState) {
			t.Errorf("run in %q: %v", session, err)
		}
	}
}

func TestUI06_TheTourEndsAtTheUsersOwnFolderAndModel(t *testing.T) {
	s := open(t, "text hello", nil)
	s.ready()
	started := s.tour()
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.LeaveTour(); code(t, err) != desktop.Code(message.Busy) {
		t.Errorf("left while it runs: %v", err)
	}
	if _, err := s.Cancel(started.RunID); err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(started.RunID)
	if _, err := sessions.LeaveTour(); err != nil {
		t.Fatal(err)
	}
	state := s.state()
	if state.Tour || state.Workspace == nil || state.Workspace.Path != s.folder || state.SessionID != "" || state.Model.Model != "scripted" {
		t.Errorf("state: %+v", state)
	}
	own := s.run("hello")
	s.awaitEnd(own.RunID)
	if len(s.model.Requests()) != 1 {
		t.Error("the chosen model was not asked")
	}
}
