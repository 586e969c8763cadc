package session_test

import (
	"strconv"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

func TestLOOP14_WhatStoppedOnItsWayIsContinued(t *testing.T) {
	for name, test := range map[string]struct {
		options, model string
		reason         message.Reason
	}{
		"max_steps": {"max_steps 1", "call c1 shell {\"command\":\"say hi\"}\n---\ntext So far.", message.ReasonMaxSteps},
		"timeout":   {"step_timeout 5s", "hang\n---\nhang", message.ReasonTimeout},
		"error":     {"", "status 400 no", message.ReasonError},
	} {
		t.Run(name, func(t *testing.T) {
			script := "-- options --\n" + test.options + "\n-- model --\n" + test.model + "\n---\ntext All of it.\n"
			play(t, script, func(t *testing.T, s *stage, server *llmtest.Server) {
				stopped, err := s.session.BeginRun("a long task")
				if err != nil {
					t.Fatal(err)
				}
				if got := stopped.Wait(); got.Reason != test.reason {
					t.Fatalf("it ended %s: %+v", got.Reason, got.Err)
				}
				run, err := s.session.ContinueRun()
				if err != nil {
					t.Fatal(err)
				}
				result := run.Wait()
				if result.Reason != message.ReasonCompleted || result.Content != "All of it." {
					t.Errorf("it went on to %s: %q", result.Reason, result.Content)
				}
				if begun, ok := first(t, run).Data.(event.LifecycleStart); !ok || begun.Continues != stopped.ID {
					t.Errorf("it names %+v", begun)
				}
				if own := result.Messages[0]; !own.Synthetic || own.Role != message.User {
					t.Errorf("what asks for it is the user's: %+v", own)
				}
				requests := server.Requests()
				if last := string(requests[len(requests)-1].Body); strings.Count(last, "a long task") != 1 {
					t.Errorf("the task is not there once: %s", last)
				}
				if faults := server.Faults(); len(faults) > 0 {
					t.Error(faults)
				}
				_, err = s.session.ContinueRun()
				refusedWith(t, err, message.InvalidState)
			})
		})
	}
}

func TestLOOP14_ACrashedRunIsContinuedInAFreshProcess(t *testing.T) {
	notes, _ := record(t, "three-rounds")
	saved := openStore(t)
	keep(t, saved, notes[:len(notes)/2])
	play(t, "-- model --\ntext All of it.\n", func(t *testing.T, s *stage, server *llmtest.Server) {
		s.ids.Store(1000) // those before are taken
		run, err := s.load(saved, server).ContinueRun()
		if err != nil {
			t.Fatal(err)
		}
		if result := run.Wait(); result.Reason != message.ReasonCompleted {
			t.Errorf("it ended %s: %+v", result.Reason, result.Err)
		}
		if begun, ok := first(t, run).Data.(event.LifecycleStart); !ok || begun.Continues != notes[0].events[0].RunID {
			t.Errorf("it names %+v", begun)
		}
		if faults := server.Faults(); len(faults) > 0 {
			t.Errorf("the next request is refused: %v", faults)
		}
	})
}

func TestUI05_AModelsTitleIsOneLineWithoutWhatModelsPutAroundIt(t *testing.T) {
	for reply, want := range map[string]string{
		"Leap years in the parser":                 "Leap years in the parser",
		"**\"Leap years\"**\n\nI hope this helps!": "Leap years",
		"# 「修复闰年解析」。":                              "修复闰年解析",
		"a\x1b[31mb\u202ec":                        "",
		"  \n":                                     "first words",
		strings.Repeat("word ", 40):                "word word word word word word word word word word word word…",
	} {
		script := "-- model --\ntext hello\n---\ntext " + strconv.Quote(reply) + "\n"
		saved := openStore(t)
		play(t, script, func(t *testing.T, s *stage, server *llmtest.Server) {
			conversation := s.keep(saved, server)
			run, err := conversation.BeginRun("first words")
			if err != nil {
				t.Fatal(err)
			}
			run.Wait()
			if _, err := conversation.FindTitle(t.Context()); err != nil {
				t.Fatal(err)
			}
			found, err := saved.Session(t.Context(), "s1")
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				if strings.ContainsAny(found.Title, "\x1b\u202e") {
					t.Errorf("%q became %q", reply, found.Title)
				}
			} else if found.Title != want {
				t.Errorf("%q became %q, want %q", reply, found.Title, want)
			}
		})
	}
}

func TestUI05_AUsersTitleStays(t *testing.T) {
	saved := openStore(t)
	play(t, "-- model --\ntext hello\n---\ntext The model's\n", func(t *testing.T, s *stage, server *llmtest.Server) {
		conversation := s.keep(saved, server)
		run, err := conversation.BeginRun("first words")
		if err != nil {
			t.Fatal(err)
		}
		run.Wait()
		if err := saved.Rename(t.Context(), "s1", "The user's"); err != nil {
			t.Fatal(err)
		}
		if _, err := conversation.FindTitle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if found, err := saved.Session(t.Context(), "s1"); err != nil || found.Title != "The user's" {
			t.Errorf("%q, %v", found.Title, err)
		}
	})
}

// first is the first event of a run.
func first(t *testing.T, run *session.Run) event.Event {
	t.Helper()
	events, err := run.Events.After(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return events[0]
}
