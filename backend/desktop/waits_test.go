package desktop_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

// lockStore keeps others from writing into the database, until the returned function is
// called.
func (s *stage) lockStore() (unlock func()) {
	s.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.folders.Data, "fairlead.db"))
	if err != nil {
		s.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		s.t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		if _, err := db.Exec("ROLLBACK"); err != nil {
			s.t.Error(err)
		}
		if err := db.Close(); err != nil {
			s.t.Error(err)
		}
	})
}

func TestST02_TheWindowAnswersWhileTheStoreDoesNot(t *testing.T) {
	s := open(t, "text One.\n---\ntext Two.\n", nil)
	s.ready()
	first := s.run("one")
	s.awaitEnd(first.RunID)
	unlock := s.lockStore()
	defer unlock()
	ran := make(chan error, 1)
	go func() {
		_, err := s.Run(desktop.Task{Prompt: "two", SessionID: first.SessionID})
		ran <- err
	}()
	s.screen.await(t, "that the store is waited for", func(envelope) bool {
		return strings.Contains(strings.Join(s.state().Warnings, " "), "locked")
	})
	sessions, preferences := service[*desktop.Sessions](s), service[*desktop.Preferences](s)
	for _, call := range []struct {
		name string
		do   func() error
	}{
		{"another folder", func() error { _, err := service[*desktop.Folders](s).Open(t.TempDir()); return err }},
		{"no conversation", func() error { _, err := sessions.New(); return err }},
		{"the mode", func() error { _, err := sessions.SetApprove(first.SessionID, string(approve.Writes)); return err }},
		{"the theme", func() error { _, err := preferences.SetTheme("dark"); return err }},
		{"a conversation", func() error { _, err := sessions.Show(first.SessionID); return err }},
		{"sets of tools", func() error { _, err := sessions.SetGroup("", "shell", false); return err }},
		{"the list", func() error { s.list(); return nil }},
		{"closing the window", func() error { s.Closing(); return nil }},
		{"a run that is not", func() error { _, err := s.Cancel(first.RunID); return unless(err, message.InvalidState) }},
	} {
		done := make(chan error, 1)
		go func() { done <- call.do() }()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", call.name, err)
			}
		case <-time.After(deadline):
			t.Fatalf("%s waits for the store", call.name)
		}
	}
	// The conversation is shown again by then: the mode is its own.
	if state := s.state(); state.Theme != "dark" || state.Approve != approve.Writes {
		t.Errorf("state: %+v", state)
	}
	select {
	case err := <-ran:
		t.Errorf("the run did not wait for the store: %v", err)
	default:
	}
	unlock()
	if err := <-ran; err != nil {
		t.Error(err)
	}
}

// unless is an error that has not the code.
func unless(err error, expected message.RefusalCode) error {
	if err != nil && strings.Contains(err.Error(), string(expected)) {
		return nil
	}
	return err
}

func TestSTEER01_ManyCallsAtOnceOpenAConversationOnce(t *testing.T) {
	const many = 6
	s := open(t, "text One.\n---\n"+strings.Repeat("text More.\n---\n", many)+"text More.", nil)
	s.ready()
	first := s.run("one")
	s.awaitEnd(first.RunID)
	for range 3 {
		if _, err := service[*desktop.Sessions](s).New(); err != nil { // closes it
			t.Fatal(err)
		}
		var calls sync.WaitGroup
		for _, group := range []string{"shell", "search", "web"} {
			calls.Go(func() {
				if _, err := service[*desktop.Sessions](s).SetGroup(first.SessionID, group, false); err != nil {
					t.Errorf("switch %s: %v", group, err)
				}
			})
		}
		for range many / 3 {
			calls.Go(func() { s.queue(first.SessionID, "more", "run") })
		}
		calls.Go(func() {
			if _, err := service[*desktop.Sessions](s).Show(first.SessionID); err != nil {
				t.Error(err)
			}
		})
		calls.Wait()
		if got := s.switches(); got != "file on, memory on, search off, shell off, skill on, web off" {
			t.Errorf("switches: %s", got)
		}
		s.idle()
		for _, group := range []string{"shell", "search", "web"} {
			if _, err := service[*desktop.Sessions](s).SetGroup(first.SessionID, group, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	if state := s.state(); len(state.Runs) != 1+many || len(state.Queue) != 0 {
		t.Errorf("%d runs, %d prompts wait", len(state.Runs), len(state.Queue))
	}
}

// idle waits until no run is running and no prompt waits in the conversation that is shown.
func (s *stage) idle() {
	s.t.Helper()
	s.screen.await(s.t, "the end of all runs", func(envelope) bool {
		state := s.state()
		return len(state.Queue) == 0 && state.Runs[len(state.Runs)-1].Ended
	})
}
