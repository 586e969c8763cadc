package session_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"fairlead/backend/agent"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/store"
)

// recorder notes what a run saves.
type recorder struct {
	mu    sync.Mutex
	notes []note
}

// note is what was saved at once.
type note struct {
	events  []event.Event
	changes []event.Change
}

// Keep implements event.Keeper.
func (r *recorder) Keep(events []event.Event, changes []event.Change) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, note{events, changes})
	return nil
}

// Kept implements event.Keeper.
func (r *recorder) Kept(_ context.Context, _ string, after int64) ([]event.Event, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var events []event.Event
	for _, n := range r.notes {
		for _, e := range n.events {
			if e.Seq > after {
				events = append(events, e)
			}
		}
	}
	return events, nil
}

func eventsOf(notes []note) (events []event.Event) {
	for _, n := range notes {
		events = append(events, n.events...)
	}
	return events
}

// record plays a scenario and returns what its run saved, and its result.
func record(t *testing.T, name string) (notes []note, result agent.Result) {
	t.Helper()
	s, kept := load(t, name), &recorder{}
	synctest.Test(t, func(t *testing.T) {
		stage := newStage(t, s)
		defer stage.close()
		stage.session.RecordWith(kept)
		run, err := stage.session.BeginRun(stage.prompt)
		if err != nil {
			t.Fatal(err)
		}
		user := newUser(t, stage, s.files["user"])
		for seen := int64(0); ; {
			events, err := run.Events.After(t.Context(), seen)
			if errors.Is(err, io.EOF) {
				break
			}
			for _, e := range events {
				user.see(e)
			}
			seen += int64(len(events))
		}
		result = run.Wait()
	})
	return kept.notes, result
}

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, damage, err := store.Open(t.Context(), store.Options{Folder: t.TempDir(), Redact: func(text []byte) []byte { return text }})
	if err != nil || damage != nil {
		t.Fatal(err, damage)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// keep saves the first of what a run did, as if the process had ended then.
func keep(t *testing.T, s *store.Store, notes []note) {
	t.Helper()
	record := s.Record(t.Context(), store.Session{ID: "s1", Workspace: "/work", Title: "A title"})
	for _, n := range notes {
		if err := record.Keep(n.events, n.changes); err != nil {
			t.Fatal(err)
		}
	}
}

// messagesOf are the messages of the session that a store has.
func messagesOf(t *testing.T, s *store.Store) ([]message.Message, error) {
	t.Helper()
	var messages []message.Message
	for m, err := range s.EachMessage(t.Context(), "s1") {
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

func counter() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("new%d", n) }
}

// Another process may have been killed since this one opened the store.
func TestCAN04_AConversationThatIsLoadedIsBroughtToAnEndFirst(t *testing.T) {
	notes, _ := record(t, "three-rounds")
	saved := openStore(t)
	cut := 0
	for cut < len(notes) && notes[cut].events[0].Type != event.TypeToolRunning {
		cut++
	}
	keep(t, saved, notes[:cut+1])
	play(t, "-- model --\ntext Fine.\n", func(t *testing.T, s *stage, server *llmtest.Server) {
		s.ids.Store(1000) // those before are taken
		loaded := s.load(saved, server)
		run, err := loaded.BeginRun("go on")
		if err != nil {
			t.Fatal(err)
		}
		run.Wait()
		if faults := server.Faults(); len(faults) > 0 {
			t.Errorf("the next request is refused: %v", faults)
		}
	})
	runs, err := saved.Runs(t.Context(), "s1")
	if err != nil || len(runs) != 2 || runs[0].Reason != message.ReasonInterrupted || runs[1].Reason != message.ReasonCompleted {
		t.Errorf("runs %+v: %v", runs, err)
	}
}

func TestPART03_ARunOfAnotherProcessIsLeftAlone(t *testing.T) {
	notes, _ := record(t, "three-rounds")
	s := openStore(t)
	keep(t, s, notes[:4])
	unlock, err := s.Lock("s1")
	if err != nil {
		t.Fatal(err)
	}
	if recovered, err := session.Recover(t.Context(), s, counter()); err != nil || recovered != 0 {
		t.Errorf("recovered %d: %v", recovered, err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if recovered, err := session.Recover(t.Context(), s, counter()); err != nil || recovered != 1 {
		t.Errorf("recovered %d once it was free: %v", recovered, err)
	}
}
