package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/store"
)

// longTalk is a task whose result takes some 3,000 tokens.
const longTalk = "-- options --\ncompacts\n-- model --\ncall c1 shell {\"command\":\"big 300\"}\n---\ntext The log says one thing.\n---\n"

// ranOf begins a run and waits for its end.
func ranOf(t *testing.T, begin func() (*session.Run, error)) (message.Reason, []event.Event) {
	t.Helper()
	run, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	events := listen(t, run, 0)
	return run.Wait().Reason, events
}

// compactionsOf are what the events of a run say of space that was made.
func compactionsOf(events []event.Event) (all []event.ContextCompacted) {
	for _, e := range events {
		if d, ok := e.Data.(event.ContextCompacted); ok {
			all = append(all, d)
		}
	}
	return all
}

// begins gives a task to a conversation.
func begins(on *session.Driver, task string) func() (*session.Run, error) {
	return func() (*session.Run, error) { return on.BeginRun(task) }
}

func TestUI16_WhatWasSaidIsSummedUpWhenTheUserSaysSo(t *testing.T) {
	saved := openStore(t)
	script := longTalk + "text It was read.\nusage 3100 4\n---\ntext As I said.\n---\ntext Again.\n"
	play(t, script, func(t *testing.T, s *stage, server *llmtest.Server) {
		talk := s.keep(saved, server)
		_, err := talk.Compact()
		refusedWith(t, err, message.NothingToCompact)
		ranOf(t, begins(talk, "Read the log."))
		reason, events := ranOf(t, talk.Compact)
		start, ok := events[0].Data.(event.LifecycleStart)
		if !ok || !start.Compacts || start.Prompt != "" || reason != message.ReasonCompleted {
			t.Errorf("began with %+v, ended %s", events[0].Data, reason)
		}
		made := compactionsOf(events)
		if len(made) != 1 || made[0].Mode != event.Compact || made[0].After > made[0].Before/2 {
			t.Fatalf("compacted: %+v", made)
		}
		_, err = talk.Compact()
		refusedWith(t, err, message.NothingToCompact)
		ranOf(t, begins(talk, "Are you sure?"))
		if err := talk.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		ranOf(t, begins(s.load(saved, server), "And now?")) // another process shows the model the same
		requests := server.Requests()
		if !strings.Contains(string(requests[2].Body), "one line of forty characters") {
			t.Error("the question for a summary has not what was read")
		}
		for _, request := range requests[3:] {
			text := string(request.Body)
			if strings.Contains(text, "one line of forty characters") || !strings.Contains(text, "It was read.") || !strings.Contains(text, "Read the log.") {
				t.Errorf("after the summary the model is shown:\n%s", text)
			}
		}
	})
}

func TestUI16_NoSummaryIsBegunBesideATask(t *testing.T) {
	play(t, longTalk+"hang\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		ranOf(t, begins(s.session, "Read the log."))
		run, err := s.session.BeginRun("And now?")
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.session.Compact()
		refusedWith(t, err, message.Busy)
		if _, err := s.sessions.CancelRun(run.ID); err != nil {
			t.Fatal(err)
		}
		run.Wait()
	})
}

// wordy is a text of so many words, each another one.
func wordy(words int) string {
	var text strings.Builder
	for n := range words {
		fmt.Fprintf(&text, "w%dx%d ", n*7919%4001, n)
	}
	return text.String()
}

// TestUI16_WhereThereIsNoSummaryEverythingStays has none come in each way that there is.
func TestUI16_WhereThereIsNoSummaryEverythingStays(t *testing.T) {
	for name, test := range map[string]struct {
		reply  string
		reason message.Reason
		code   message.FailCode
	}{
		"cancelled":     {"hang", message.ReasonCancelled, message.CodeCancelled},
		"refused":       {"status 401 no such key", message.ReasonError, message.CodeAuth},
		"empty":         {"text \" \"", message.ReasonError, message.CodeTruncated},
		"cut":           {"text It was\nfinish length", message.ReasonError, message.CodeTruncated},
		"held back":     {"finish content_filter", message.ReasonFiltered, message.CodeFiltered},
		"no shorter":    {"text " + wordy(2_500), message.ReasonError, message.CodeNothingSaved},
		"not reachable": {"status 503 down\n---\nstatus 503 down\n---\nstatus 503 down\n---\nstatus 503 down\n---\nstatus 503 down", message.ReasonError, message.CodeOverloaded},
	} {
		t.Run(name, func(t *testing.T) {
			saved := openStore(t)
			play(t, longTalk+test.reply+"\n---\ntext As I said.\n", func(t *testing.T, s *stage, server *llmtest.Server) {
				talk := s.keep(saved, server)
				ranOf(t, begins(talk, "Read the log."))
				history := len(talk.History())
				run, err := talk.Compact()
				if err != nil {
					t.Fatal(err)
				}
				if test.reason == message.ReasonCancelled {
					synctest.Wait() // the model is asked
					if _, err := s.sessions.CancelRun(run.ID); err != nil {
						t.Fatal(err)
					}
				}
				result := run.Wait()
				if result.Reason != test.reason || result.Err == nil || result.Err.Code != test.code {
					t.Errorf("ended %s: %v", result.Reason, result.Err)
				}
				if got := len(talk.History()); got != history {
					t.Errorf("the history has %d messages, had %d", got, history)
				}
				if err := saved.Fork(t.Context(), store.Session{ID: "s2", Parent: "s1", Title: "fork"}, run.ID, time.Now()); err != nil {
					t.Fatal(err)
				}
				if fork, _, err := saved.Outlines(t.Context(), "s2"); err != nil || len(fork) != history {
					t.Errorf("a fork from before the summary has %d messages, want %d: %v", len(fork), history, err)
				}
				ranOf(t, begins(talk, "Are you sure?"))
				requests := server.Requests()
				if last := string(requests[len(requests)-1].Body); !strings.Contains(last, "one line of forty characters") {
					t.Errorf("the model is shown:\n%s", last)
				}
			})
		})
	}
}

// TestUI16_WhatNoSummaryToldOfIsToldByTheNextTask has a summary fail that would have told of a notice.
func TestUI16_WhatNoSummaryToldOfIsToldByTheNextTask(t *testing.T) {
	left := message.Notice{Code: message.NoticeForked}
	for reply, want := range map[string]int{"status 401 no such key": 1, "text It was read.": 0} {
		play(t, longTalk+reply+"\n---\ntext As I said.\n", func(t *testing.T, s *stage, server *llmtest.Server) {
			untold := []message.Notice{}
			config := s.config(parseOptions(t, ""), server, pretend{&s.ticks})
			config.Notices = func() []message.Notice { defer func() { untold = nil }(); return untold }
			talk := s.sessions.New("s2", config)
			ranOf(t, begins(talk, "Read the log."))
			untold = []message.Notice{left}
			_, events := ranOf(t, talk.Compact)
			if start, ok := events[0].Data.(event.LifecycleStart); !ok || !slices.ContainsFunc(start.Notices, isForked) {
				t.Errorf("the user is told: %+v", events[0].Data)
			}
			_, events = ranOf(t, begins(talk, "Are you sure?"))
			if start, ok := events[0].Data.(event.LifecycleStart); !ok || len(start.Notices) != want {
				t.Errorf("after %q the next task tells: %+v", reply, events[0].Data)
			}
			requests := server.Requests()
			if last := string(requests[len(requests)-1].Body); !strings.Contains(last, left.String()) {
				t.Errorf("after %q the model is not told:\n%s", reply, last)
			}
		})
	}
}

func isForked(n message.Notice) bool { return n.Code == message.NoticeForked }

func TestUI16_ASummaryOverEachProtocol(t *testing.T) {
	for _, p := range []llm.Protocol{llm.Responses, llm.Messages} {
		playProtocol(t, p, longTalk+"text It was read.\n---\ntext As I said.\n", func(t *testing.T, s *stage, server *llmtest.Server) {
			ranOf(t, begins(s.session, "Read the log."))
			if reason, events := ranOf(t, s.session.Compact); reason != message.ReasonCompleted || len(compactionsOf(events)) != 1 {
				t.Errorf("over %s: ended %s", p, reason)
			}
			if reason, _ := ranOf(t, begins(s.session, "Are you sure?")); reason != message.ReasonCompleted || len(server.Faults()) > 0 {
				t.Errorf("over %s the next task ended %s: %v", p, reason, server.Faults())
			}
		})
	}
}

// TestLOOP14_WhatStoppedIsContinuedAfterASummary continues in the same process and in another one.
func TestLOOP14_WhatStoppedIsContinuedAfterASummary(t *testing.T) {
	for _, again := range []bool{false, true} {
		saved := openStore(t)
		play(t, longTalk+"status 400 no\n---\ntext As I said.\n---\ntext All of it.\n", func(t *testing.T, s *stage, server *llmtest.Server) {
			talk := s.keep(saved, server)
			ranOf(t, begins(talk, "Read the log."))
			stopped, err := talk.BeginRun("And now?")
			if err != nil {
				t.Fatal(err)
			}
			if got := stopped.Wait(); got.Reason != message.ReasonError {
				t.Fatalf("it ended %s: %+v", got.Reason, got.Err)
			}
			if reason, _ := ranOf(t, talk.Compact); reason != message.ReasonCompleted {
				t.Fatalf("the summary ended %s", reason)
			}
			if again {
				if err := talk.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				talk = s.load(saved, server)
			}
			reason, events := ranOf(t, talk.ContinueRun)
			begun, ok := events[0].Data.(event.LifecycleStart)
			if !ok || begun.Continues != stopped.ID || reason != message.ReasonCompleted {
				t.Errorf("in another process %t: it began with %+v and ended %s", again, events[0].Data, reason)
			}
			_, err = talk.ContinueRun()
			refusedWith(t, err, message.InvalidState)
		})
	}
}
