package session_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// begin begins a run that must begin.
func (s *stage) begin(prompt string) *session.Run {
	s.t.Helper()
	run, err := s.session.BeginRun(prompt)
	if err != nil {
		s.t.Fatal(err)
	}
	return run
}

// queue gives the conversation a prompt for the next run, which must wait: the script has
// the run that is running last until then.
func (s *stage) queue(text string) message.Prompt {
	s.t.Helper()
	prompt, run, err := s.session.QueuePrompt(text, message.TargetRun)
	if err != nil || run != nil {
		s.t.Fatalf("%q does not wait: %v, %v", text, run, err)
	}
	return prompt
}

// waiting are the texts that wait.
func (s *stage) waiting() string {
	var texts []string
	for _, prompt := range s.session.Waiting() {
		texts = append(texts, prompt.Text)
	}
	return strings.Join(texts, ", ")
}

func TestDRV01_WhatWaitsIsRunOneAfterTheOtherUntilNothingIsLeft(t *testing.T) {
	play(t, "-- model --\nwait 1s\ntext One.\n---\ntext Two.\n---\ntext Three.\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		followed := s.session.FollowRuns(t.Context())
		s.begin("one")
		s.queue("two")
		s.queue("three")
		if err := s.session.Finish(); err != nil {
			t.Fatal(err)
		}
		var replies []string
		for range 2 { // each look begins with the first
			replies = nil
			for run := range followed {
				var seqs []int64
				err := run.Follow(t.Context(), func(events []event.Event) error {
					for _, e := range events {
						seqs = append(seqs, e.Seq)
					}
					return nil
				})
				if err != nil || !slices.IsSorted(seqs) || seqs[0] != 1 {
					t.Errorf("%v: events %v", err, seqs)
				}
				replies = append(replies, run.Wait().Content)
			}
		}
		if got := strings.Join(replies, " "); got != "One. Two. Three." {
			t.Errorf("replies %s", got)
		}
		_, err := s.session.BeginRun("four")
		refusedWith(t, err, message.InvalidState)
		_, _, err = s.session.QueuePrompt("four", message.TargetRun)
		refusedWith(t, err, message.InvalidState)
	})
}

func TestDRV01_FollowingEndsWithTheReceiver(t *testing.T) {
	play(t, "-- model --\nhang\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		run := s.begin("one")
		full := errors.New("nobody reads")
		if err := run.Follow(t.Context(), func([]event.Event) error { return full }); !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- run.Follow(ctx, func([]event.Event) error { return nil }) }()
		synctest.Wait()
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		closeDriver(t, s.session)
	})
}

func closeDriver(t *testing.T, d *session.Driver) {
	t.Helper()
	if err := d.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSTEER01_ACancelLeavesTheQueueToTheUser(t *testing.T) {
	play(t, "-- model --\nhang\n---\ntext Two.\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		run := s.begin("one")
		prompt := s.queue("two")
		if _, err := s.sessions.CancelRun(run.ID); err != nil {
			t.Fatal(err)
		}
		run.Wait()
		if next, err := s.session.NextPrompt(); next != nil || err != nil || s.waiting() != "two" {
			t.Fatalf("%v, %v began; %q waits", next, err, s.waiting())
		}
		next, err := s.session.SendPrompt(prompt.ID)
		if err != nil || next == nil {
			t.Fatal(next, err)
		}
		if result := next.Wait(); result.Content != "Two." || s.waiting() != "" {
			t.Errorf("%q; %q waits", result.Content, s.waiting())
		}
	})
}

func TestSTEER01_WhatIsSentNowBeginsTheNextRun(t *testing.T) {
	play(t, "-- model --\ncall c1 shell {\"command\":\"sleep 10s\"}\n---\nwait 1s\ntext Two.\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		run := s.begin("one")
		s.queue("later")
		prompt := s.queue("now")
		synctest.Wait() // the command runs
		if begun, err := s.session.SendPrompt(prompt.ID); begun != nil || err != nil {
			t.Fatal(begun, err)
		}
		if reason := run.Wait().Reason; reason != message.ReasonInterrupted {
			t.Errorf("ended %s", reason)
		}
		next, err := s.session.NextPrompt()
		if err != nil || next == nil {
			t.Fatal(next, err)
		}
		if again, err := s.session.NextPrompt(); again != nil || err != nil {
			t.Errorf("two runs at once: %v, %v", again, err)
		}
		if result := next.Wait(); result.Content != "Two." || s.waiting() != "later" {
			t.Errorf("%q; %q waits", result.Content, s.waiting())
		}
	})
}

func TestINT01_AnInterruptGivesTheReplyAndTheRunIsContinued(t *testing.T) {
	play(t, "-- model --\ncall c1 shell {\"command\":\"sleep 10s\"}\n---\ntext Done.\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		run := s.begin("one")
		synctest.Wait()
		if s.session.RunID() != run.ID {
			t.Errorf("run %s is called %s", run.ID, s.session.RunID())
		}
		if err := s.session.InterruptRun("That is enough."); err != nil {
			t.Fatal(err)
		}
		if result := run.Wait(); result.Reason != message.ReasonInterrupted || result.Content != "That is enough." {
			t.Errorf("ended %s: %q", result.Reason, result.Content)
		}
		refusedWith(t, s.session.InterruptRun(""), message.InvalidState)
		refusedWith(t, s.session.RetryRun(), message.InvalidState)
		next, err := s.session.ContinueRun()
		if err != nil {
			t.Fatal(err)
		}
		if result := next.Wait(); result.Content != "Done." {
			t.Errorf("got %q", result.Content)
		}
	})
}

func TestCAN01_NothingBeginsAfterADriverIsCancelled(t *testing.T) {
	play(t, "-- model --\nwait 1s\ntext One.\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		run := s.begin("one")
		s.queue("two")
		run.Wait()
		refusedWith(t, s.session.Cancel(), message.InvalidState) // between two runs
		if err := s.session.Finish(); err != nil || s.waiting() != "two" {
			t.Errorf("%v; %q waits", err, s.waiting())
		}
		_, _, err := s.session.QueuePrompt("three", message.TargetRun)
		refusedWith(t, err, message.InvalidState)
	})
}

func TestCAN01_ACancelReachesARunThatBegins(t *testing.T) {
	play(t, "-- model --\nhang\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		_ = s.session.Cancel() // while there is none
		run := s.begin("one")
		if err := s.session.Finish(); err != nil {
			t.Error(err)
		}
		if reason := run.Wait().Reason; reason != message.ReasonCancelled {
			t.Errorf("ended %s", reason)
		}
	})
}

func TestDRV01_WhatCannotBeginIsAnError(t *testing.T) {
	play(t, "-- model --\nwait 1s\ntext One.\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		followed := s.session.FollowRuns(t.Context())
		run := s.begin("one")
		s.queue("two")
		run.Wait()
		if err := s.sessions.EndRuns(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, _, err := s.session.QueuePrompt("refused", message.TargetRun)
		refusedWith(t, err, message.InvalidState)
		refusedWith(t, s.session.Finish(), message.InvalidState)
		if runs := slices.Collect(followed); len(runs) != 1 || s.waiting() != "two" {
			t.Errorf("%d runs; %q waits", len(runs), s.waiting())
		}
	})
}

func TestDRV01_CloseEndsTheRunThatIsRunning(t *testing.T) {
	play(t, "-- model --\nhang\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		run := s.begin("one")
		s.queue("two")
		followed := make(chan int)
		go func() { followed <- len(slices.Collect(s.session.FollowRuns(t.Context()))) }()
		synctest.Wait()
		closeDriver(t, s.session)
		if reason := run.Wait().Reason; reason != message.ReasonCancelled {
			t.Errorf("ended %s", reason)
		}
		if n := <-followed; n != 0 {
			t.Errorf("%d more runs began", n)
		}
		_, err := s.session.BeginRun("three")
		refusedWith(t, err, message.InvalidState)
	})
}

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
func (s *stage) prepared(server *llmtest.Server, closed *int) func(session.Saved, *workspace.Outputs) (session.Config, error) {
	return func(saved session.Saved, _ *workspace.Outputs) (session.Config, error) {
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
	opening.Prepare = func(session.Saved, *workspace.Outputs) (session.Config, error) { return session.Config{}, noKey }
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
