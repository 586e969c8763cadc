package desktop_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/approve"
	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

// TestFIND02_AForkIsShownWithWhatCameBefore goes back in a conversation of more runs than are shown at
// once, and in the fork of it once more.
func TestFIND02_AForkIsShownWithWhatCameBefore(t *testing.T) {
	const runs = 25
	s := open(t, strings.Repeat("text Done.\n---\n", runs+1)+"text Done.\n", nil)
	s.ready()
	id, all := "", []string{}
	for n := range runs {
		started := s.goOn(id, fmt.Sprintf("task %d", n+1))
		s.awaitEnd(started.RunID)
		id, all = started.SessionID, append(all, started.RunID)
	}
	sessions := service[*desktop.Sessions](s)
	if _, err := sessions.SetApprove(id, string(approve.Writes)); err != nil {
		t.Fatal(err)
	}
	fork := func(runID string) string {
		t.Helper()
		forked, err := sessions.Fork(runID, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sessions.Show(forked.SessionID); err != nil {
			t.Fatal(err)
		}
		return forked.SessionID
	}
	branch := fork(all[24])
	state := s.state()
	if state.SessionID != branch || state.Title != "task 1 (2)" || len(state.Runs) != 20 || !state.Earlier || state.Runs[19].RunID != all[23] {
		t.Errorf("state: %+v", state)
	}
	if state.Approve != approve.Writes || state.Draft != nil {
		t.Errorf("the mode is %s, the draft %+v", state.Approve, state.Draft)
	}
	var earlier desktop.RunList
	s.read("/fairlead/sessions/"+branch+"/runs?before="+state.Runs[0].RunID, &earlier)
	if len(earlier.Runs) != 4 || earlier.Earlier || earlier.Runs[0].RunID != all[0] {
		t.Errorf("earlier: %+v", earlier)
	}
	if answer := s.get("/fairlead/sessions/" + branch + "/runs?before=" + all[24]); answer.Code < 400 {
		t.Errorf("runs before one of its parent alone: %s", answer.Body)
	}
	own := s.goOn(branch, "another task 25")
	s.awaitEnd(own.RunID)
	first := fork(all[0]) // which is no run of the fork itself
	if state = s.state(); state.SessionID != first || len(state.Runs) != 0 || state.Earlier {
		t.Errorf("before the first task: %+v", state)
	}
	s.awaitEnd(s.goOn(first, "another task 1").RunID)
	behind, err := sessions.ForkAfter(all[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.Show(behind.SessionID); err != nil {
		t.Fatal(err)
	}
	if state = s.state(); len(state.Runs) != 2 || state.Runs[1].RunID != all[1] || state.Approve != approve.Writes {
		t.Errorf("after the second task: %+v", state)
	}
	var markdown string
	s.read("/fairlead/sessions/"+behind.SessionID+"/markdown", &markdown)
	if !strings.HasPrefix(markdown, "# task 1 (") || !strings.Contains(markdown, "## You\n\ntask 2\n\n## Model\n\nDone.") || strings.Contains(markdown, "task 3") {
		t.Errorf("as Markdown:\n%s", markdown)
	}
	if _, err := sessions.Delete(behind.SessionID); err != nil {
		t.Fatal(err)
	}
	list := s.list()
	if len(list.Sessions) != 3 || list.Sessions[0].ID != first || list.Sessions[1].ID != branch {
		t.Errorf("listed: %+v", list)
	}
	for _, entry := range list.Sessions {
		if entry.Mark != string(message.ReasonCompleted) {
			t.Errorf("%s is marked %s", entry.Title, entry.Mark)
		}
	}
	if _, err := sessions.Fork("nope", false); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("before a run that is not there: %v", err)
	}
}

// TestPRE06_AConversationWithADraftIsNotDeleted tries to.
func TestPRE06_AConversationWithADraftIsNotDeleted(t *testing.T) {
	s := open(t, "text Done.\n", nil)
	s.ready()
	started := s.run("do it")
	s.awaitEnd(started.RunID)
	draft := filepath.Join(s.folders.Data, "drafts", started.SessionID, "d1")
	for _, folder := range []string{"upper", "work"} {
		if err := os.MkdirAll(filepath.Join(draft, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	note := fmt.Sprintf(`{"id":"d1","sessionId":%q,"began":"2026-01-02T03:04:05Z"}`, started.SessionID)
	if err := os.WriteFile(filepath.Join(draft, "note"), []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := service[*desktop.Sessions](s).Delete(started.SessionID)
	if code(t, err) != desktop.CodeHasDraft {
		t.Errorf("deleted: %v", err)
	}
	if list := s.list(); len(list.Sessions) != 1 || !list.Sessions[0].Draft {
		t.Errorf("listed: %+v", list)
	}
}
