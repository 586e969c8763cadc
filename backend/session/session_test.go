package session_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rogpeppe/go-internal/txtar"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// play opens a stage for a script of the model and runs f on it in virtual time.
func play(t *testing.T, text string, f func(t *testing.T, s *stage, server *llmtest.Server)) {
	t.Helper()
	playProtocol(t, llm.ChatCompletions, text, f)
}

// playProtocol plays over a protocol.
func playProtocol(t *testing.T, p llm.Protocol, text string, f func(t *testing.T, s *stage, server *llmtest.Server)) {
	t.Helper()
	s := newScenario(t, txtar.Parse([]byte(text)))
	s.protocol = p
	synctest.Test(t, func(t *testing.T) {
		stage := newStage(t, s)
		defer stage.close()
		f(t, stage, s.server)
	})
}

func refusedWith(t *testing.T, err error, code message.RefusalCode) {
	t.Helper()
	var refusal *message.Refusal
	if !errors.As(err, &refusal) || refusal.Code != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestST02_ASecondRunIsRefusedWhileOneIsActive(t *testing.T) {
	play(t, "-- model --\nhang\n---\ntext Again.\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		first, err := s.session.BeginRun("one")
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the request is under way
		_, err = s.session.BeginRun("two")
		refusedWith(t, err, message.Busy)
		if _, err := s.sessions.CancelRun(first.ID); err != nil {
			t.Fatal(err)
		}
		for seq := int64(0); ; { // a reader of the end may go on at once
			events, err := first.Events.After(t.Context(), seq)
			if err != nil {
				break
			}
			seq += int64(len(events))
		}
		second, err := s.session.BeginRun("three")
		if err != nil {
			t.Fatal(err)
		}
		if result := second.Wait(); result.Content != "Again." {
			t.Errorf("got %q", result.Content)
		}
	})
}

func TestCAN02_CancelAnswersAtOnce(t *testing.T) {
	play(t, "-- model --\nhang\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		_, err := s.sessions.CancelRun("")
		refusedWith(t, err, message.InvalidParams)
		_, err = s.sessions.CancelRun("nobody")
		refusedWith(t, err, message.NotFound)
		run, err := s.session.BeginRun("one")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // idempotent while the run ends
			answer, err := s.sessions.CancelRun(run.ID)
			if err != nil || answer.RunID != run.ID || !answer.Cancelled || answer.Message == "" {
				t.Errorf("got %+v, %v", answer, err)
			}
		}
		run.Wait()
		_, err = s.sessions.CancelRun(run.ID)
		refusedWith(t, err, message.InvalidState)
	})
}

func TestCloseEndsEveryRun(t *testing.T) {
	play(t, "-- model --\nhang\n", func(t *testing.T, s *stage, _ *llmtest.Server) {
		run, err := s.session.BeginRun("one")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.sessions.EndRuns(t.Context()); err != nil {
			t.Fatal(err)
		}
		if reason := run.Wait().Reason; reason != message.ReasonCancelled {
			t.Errorf("got %s", reason)
		}
		_, err = s.session.BeginRun("two")
		refusedWith(t, err, message.InvalidState)
	})
}

func TestMSG01_ASecondPromptFollowsTheFirstConversation(t *testing.T) {
	script := "-- model --\ncall c1 shell {\"command\":\"say hi\"}\n---\ntext One.\n---\ncall c1 shell {\"command\":\"say ho\"}\n---\ntext Two.\n"
	play(t, script, func(t *testing.T, s *stage, server *llmtest.Server) {
		for _, prompt := range []string{"first", "second"} {
			run, err := s.session.BeginRun(prompt)
			if err != nil {
				t.Fatal(err)
			}
			run.Wait()
		}
		requests := server.Requests()
		var roles []string
		for _, m := range requests[len(requests)-1].Chat.Messages {
			roles = append(roles, m.Role)
		}
		want := "system user assistant tool assistant user assistant tool"
		if got := strings.Join(roles, " "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if faults := server.Faults(); len(faults) > 0 {
			t.Errorf("strict server: %v", faults)
		}
	})
}

// strict sends a history to the strict server as the next request would, and
// returns what the server refuses about it.
func strict(history []message.Message) []string {
	server := llmtest.Script("text Fine.\n")
	model, err := openai.New(protocol.Config{BaseURL: "http://model/v1", Model: "any", Transport: server.RoundTripper()})
	if err != nil {
		return []string{err.Error()}
	}
	next := message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: "And now?"}}}
	request := llm.Request{System: "You are a test.", Messages: append(history, next)}
	if _, err := model.Stream(context.Background(), request, func(llm.Delta) {}); err != nil {
		return append(server.Faults(), err.Error())
	}
	return server.Faults()
}
