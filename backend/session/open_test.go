package session_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

func TestSTEER01_WhatWaitsIsKeptOverTheEndOfTheProcess(t *testing.T) {
	for name, end := range map[string]func(*session.Manager, *session.Driver) error{
		"the conversation is closed":  func(_ *session.Manager, d *session.Driver) error { return d.Close(t.Context()) },
		"every run is ended":          func(m *session.Manager, _ *session.Driver) error { return m.EndRuns(t.Context()) },
		"the conversation is stopped": func(_ *session.Manager, d *session.Driver) error { return d.Cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			folder, closed := t.TempDir(), 0
			s := offstage(t)
			here, there := library(t, folder), library(t, folder)
			server := llmtest.Script("text One.\nhang\n---\ntext Two.\n---\ntext Three.\n")
			opening := session.Opening{Workspace: "/work", Prepare: s.prepared(server, &closed)}
			var err error
			if s.session, err = here.Open(t.Context(), opening); err != nil {
				t.Fatal(err)
			}
			run := s.begin("one")
			awaitText(t, run) // else a prompt can join its first step
			s.queue("two")
			if _, _, err := s.session.QueuePrompt("three", message.TargetStep); err != nil {
				t.Fatal(err)
			}
			next := make(chan error, 1)
			go func() { // as the entry points do
				run.Wait()
				_, err := s.session.NextPrompt()
				next <- err
			}()
			if err := end(here, s.session); err != nil {
				t.Fatal(err)
			}
			if err := <-next; err != nil {
				t.Error(err)
			}
			closeDriver(t, s.session)
			opening.ID = session.Last
			if s.session, err = there.Open(t.Context(), opening); err != nil {
				t.Fatal(err)
			}
			defer closeDriver(t, s.session)
			if next, err := s.session.NextPrompt(); next != nil || err != nil {
				t.Errorf("%v, %v began after the start", next, err)
			}
			runs, err := there.Runs(t.Context(), s.session.ID)
			if err != nil || len(runs) != 1 || s.waiting() != "two, three" {
				t.Errorf("%v: %d runs; %q waits", err, len(runs), s.waiting())
			}
		})
	}
}

// awaitText waits until the model has said something in a run.
func awaitText(t *testing.T, run *session.Run) {
	t.Helper()
	said := errors.New("something was said")
	err := run.Follow(t.Context(), func(events []event.Event) error {
		if slices.ContainsFunc(events, func(e event.Event) bool { return e.Type == event.TypeAssistantDelta }) {
			return said
		}
		return nil
	})
	if !errors.Is(err, said) {
		t.Fatal(err)
	}
}

// library is a manager of the conversations of a folder, as each process has its own.
func library(t *testing.T, folder string) *session.Manager {
	t.Helper()
	ids := 0
	m := session.NewManager(session.Options{
		DataFolder: folder, OutputsFolder: filepath.Join(folder, "outputs"),
		Redact: func(text []byte) []byte { return text }, Tell: func(text string) { t.Error(text) }, Log: slog.New(slog.DiscardHandler),
		NewID: func() string { ids++; return filepath.Base(folder) + string(rune('a'+ids)) },
	})
	t.Cleanup(func() {
		if err := m.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return m
}

// prepared prepares conversations on a scripted model.
func (s *stage) prepared(server *llmtest.Server, closed *int) func(session.Saved, session.Kept) (session.Config, error) {
	return func(saved session.Saved, _ session.Kept) (session.Config, error) {
		config := s.config(parseOptions(s.t, ""), server, pretend{&s.ticks})
		config.Workspace = saved.Workspace
		config.Close = func() error { *closed++; return nil }
		return config, nil
	}
}

// openAndRun opens a conversation in which one run has ended.
func openAndRun(t *testing.T, m *session.Manager, opening session.Opening) *session.Driver {
	t.Helper()
	opened, err := m.Open(t.Context(), opening)
	if err != nil {
		t.Fatal(err)
	}
	run, err := opened.BeginRun("one")
	if err != nil {
		t.Fatal(err)
	}
	run.Wait()
	return opened
}

func TestST02_AConversationIsOpenOnce(t *testing.T) {
	folder, server, closed := t.TempDir(), llmtest.Script("text One.\n---\ntext Two.\n"), 0
	s := offstage(t)
	here, there := library(t, folder), library(t, folder)
	opening := session.Opening{Workspace: "/work", Prepare: s.prepared(server, &closed)}
	first := openAndRun(t, here, opening)
	opening.ID = session.Last
	for name, m := range map[string]*session.Manager{"another process": there, "another driver": here} {
		if _, err := m.Open(t.Context(), opening); !isBusy(err) {
			t.Errorf("%s has it open too: %v", name, err)
		}
	}
	if !isBusy(there.Delete(t.Context(), first.ID)) || !isBusy(there.Hide(t.Context(), first.ID)) {
		t.Error("it is deleted while it is open elsewhere")
	}
	closeDriver(t, first)
	if closed != 1 {
		t.Errorf("closed %d times", closed)
	}
	second, err := there.Open(t.Context(), opening)
	if err != nil {
		t.Fatal(err)
	}
	defer closeDriver(t, second)
	run, err := second.BeginRun("two")
	if err != nil {
		t.Fatal(err)
	}
	if result := run.Wait(); second.ID != first.ID || result.Content != "Two." {
		t.Errorf("conversation %s: %q", second.ID, result.Content)
	}
}

func isBusy(err error) bool {
	var refusal *message.Refusal
	return errors.As(err, &refusal) && refusal.Code == message.Busy && refusal.Elsewhere
}

func TestTOOL04_AConversationThatCannotBeOpenedKeepsItsOutputs(t *testing.T) {
	folder, closed := t.TempDir(), 0
	s := offstage(t)
	m := library(t, folder)
	opening := session.Opening{Workspace: "/work", Prepare: s.prepared(llmtest.Script("text One.\n"), &closed)}
	first := openAndRun(t, m, opening)
	closeDriver(t, first)
	kept := filepath.Join(folder, "outputs", first.ID)
	if err := os.MkdirAll(kept, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(kept, "call.txt"), []byte("all of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	noKey := errors.New("there is no key")
	opening.Prepare = func(session.Saved, session.Kept) (session.Config, error) { return session.Config{}, noKey }
	for _, id := range []string{first.ID, ""} {
		opening.ID = id
		if _, err := m.Open(t.Context(), opening); !errors.Is(err, noKey) {
			t.Errorf("opened: %v", err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(kept)); err != nil || len(left) != 1 {
		t.Errorf("a conversation that never began has left something: %v, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(kept, "call.txt")); err != nil {
		t.Error(err)
	}
}
