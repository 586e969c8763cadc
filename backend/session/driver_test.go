package session_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
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
