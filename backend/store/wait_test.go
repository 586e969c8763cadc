package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// telling opens a store that says on a channel what it waits for.
func telling(t *testing.T, folder string) (s *Store, told chan string) {
	t.Helper()
	told = make(chan string, 100)
	o := options(folder)
	o.Tell = func(text string) { told <- text }
	s, _, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, told
}

// lockedBy has another program lock the database for writing, after some statements.
func lockedBy(t *testing.T, folder string, before ...string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range append(before, "BEGIN IMMEDIATE") {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// soon is what comes on a channel, which must not take long.
func soon[T any](t *testing.T, what string, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(15 * time.Second):
		t.Fatalf("it takes too long: %s", what)
	}
	return value
}

func TestREL02_AForeignLockIsWaitedForAndSaid(t *testing.T) {
	folder := t.TempDir()
	s, told := telling(t, folder)
	record := s.Record(t.Context(), session("s1", "/work"))
	unlock := lockedBy(t, folder)
	kept := make(chan error, 1)
	go func() {
		kept <- record.Keep([]event.Event{{Seq: 1, RunID: "r1", SessionID: "s1", TS: 1, Type: event.TypeLifecycleStart, Data: event.LifecycleStart{}}}, nil)
	}()
	if text := soon(t, "that it waits", told); text != locked {
		t.Errorf("it says %q", text)
	}
	unlock()
	if err := soon(t, "the write", kept); err != nil {
		t.Error(err)
	}
	if len(told) > 0 {
		t.Errorf("it says again %q", <-told)
	}
}

func TestREL02_AWaitForAForeignLockCanBeCancelled(t *testing.T) {
	folder := t.TempDir()
	s, told := telling(t, folder)
	unlock := lockedBy(t, folder)
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	kept := make(chan error, 2)
	for _, id := range []string{"r1", "r2"} { // one of them waits for the other
		go func() {
			kept <- s.Record(ctx, session(id, "/work")).Keep([]event.Event{{Seq: 1, RunID: id, SessionID: id, TS: 1, Type: event.TypeLifecycleStart, Data: event.LifecycleStart{}}}, nil)
		}()
	}
	soon(t, "that it waits", told)
	begun := time.Now()
	cancel()
	for range 2 {
		err := soon(t, "the cancel", kept)
		fault, ok := errors.AsType[*FaultError](err)
		if !ok || fault.Remedy != lockedRemedy || fault.FailCode() != message.CodeStorage {
			t.Errorf("got %v", err)
		}
	}
	// A run has to end within a second of its cancel.
	if took := time.Since(begun); took > 900*time.Millisecond {
		t.Errorf("the cancel took %v", took)
	}
}

// TestREL02_AForeignLockIsWaitedForAndSaidAtTheStart has another program keep the database
// to itself, reading included.
func TestREL02_AForeignLockIsWaitedForAndSaidAtTheStart(t *testing.T) {
	for _, canceled := range []bool{false, true} {
		folder := t.TempDir()
		first, _, err := Open(t.Context(), options(folder))
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		unlock := lockedBy(t, folder, "PRAGMA locking_mode=EXCLUSIVE")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		told, opened := make(chan string, 100), make(chan error, 1)
		o := options(folder)
		o.Tell = func(text string) { told <- text }
		go func() {
			s, _, err := Open(ctx, o)
			if err == nil {
				err = s.Close()
			}
			opened <- err
		}()
		if text := soon(t, "that it waits", told); text != locked {
			t.Errorf("it says %q", text)
		}
		if canceled {
			cancel()
			if err := soon(t, "the cancel", opened); err == nil {
				t.Error("it was opened all the same")
			}
			unlock()
			continue
		}
		unlock()
		if err := soon(t, "the opening", opened); err != nil {
			t.Error(err)
		}
		if len(told) > 0 {
			t.Errorf("it says again %q", <-told)
		}
	}
}

func TestREL02_AnOpeningThatIsWaitedForIsSaid(t *testing.T) {
	folder := t.TempDir()
	told, opened := make(chan string, 100), make(chan error, 1)
	o := options(folder)
	o.Tell = func(text string) { told <- text }
	open := func(ctx context.Context) {
		s, _, err := Open(ctx, o)
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}
	for _, canceled := range []bool{false, true} {
		unlock, err := tryLock(folder, openingName)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go open(ctx)
		if text := soon(t, "that it waits", told); !strings.Contains(text, "another Fairlead is opening") {
			t.Errorf("it says %q", text)
		}
		if canceled {
			cancel()
			if err := soon(t, "the cancel", opened); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		}
		if err := unlock(); err != nil {
			t.Fatal(err)
		}
		if !canceled {
			if err := soon(t, "the opening", opened); err != nil {
				t.Error(err)
			}
		}
	}
}
