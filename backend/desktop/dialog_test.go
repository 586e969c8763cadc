package desktop_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

// hand is the user in front of native dialogs: each is told, and answered with what
// comes next.
type hand struct {
	shown   chan desktop.Dialog
	presses chan desktop.Press
	closed  chan struct{} // by an answer given elsewhere
}

func newHand() hand {
	return hand{make(chan desktop.Dialog, 10), make(chan desktop.Press, 10), make(chan struct{}, 10)}
}

func (h hand) Ask(ctx context.Context, dialog desktop.Dialog) (desktop.Press, error) {
	h.shown <- dialog
	select {
	case press := <-h.presses:
		return press, nil
	case <-ctx.Done():
		h.closed <- struct{}{}
		return desktop.Dismissed, ctx.Err()
	}
}

func (hand) LastKey() time.Time { return time.Time{} }

func (hand) InFront() bool { return true }

func (h hand) next(t *testing.T) desktop.Dialog {
	t.Helper()
	return receive(t, "a dialog", h.shown)
}

func receive[T any](t *testing.T, what string, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(deadline):
		t.Fatalf("%s did not come", what)
	}
	return value
}

const oneWrite = `call c1 write_file {"path":"a.txt","content":"hello"}
---
text done`

func TestHITL02_ReviewLeadsToTheConversationOfTheQuestion(t *testing.T) {
	h := newHand()
	s := open(t, oneWrite, h)
	s.ready()
	first := s.run("write the first file")
	d := h.next(t)
	if !strings.Contains(d.Place, s.folder) || !strings.Contains(d.Place, "write the first file") {
		t.Errorf("the dialog says %q of where it comes from", d.Place)
	}
	s.asked(0) // it has come to the page
	if _, err := service[*desktop.Sessions](s).New(); err != nil {
		t.Fatal(err)
	}
	if id := s.state().SessionID; id != "" {
		t.Fatalf("%s is shown", id)
	}
	h.presses <- desktop.InWindow
	s.screen.await(t, "the way to the card", ofType(event.TypeWindowReview))
	if id := s.state().SessionID; id != first.SessionID {
		t.Errorf("%q is shown, not %s", id, first.SessionID)
	}
	s.confirm(first.RunID, message.Approve)
	s.screen.await(t, "the end", ended)
	if len(h.shown) > 0 {
		t.Error("the question that was left to the window was asked in a dialog again")
	}
}

// asked waits for the question of a run that is open in the window.
func (s *stage) asked(seen int) event.ConfirmRequest {
	s.t.Helper()
	var request event.ConfirmRequest
	s.screen.await(s.t, "a question", func(e envelope) bool {
		if e.Type != event.TypeConfirmRequest {
			return false
		}
		if seen--; seen >= 0 {
			return false
		}
		if err := json.Unmarshal(e.Data, &request); err != nil {
			s.t.Fatal(err)
		}
		return true
	})
	return request
}

// confirm answers the first question as the page does.
func (s *stage) confirm(runID string, verdict message.Verdict) {
	s.t.Helper()
	s.answer(runID, s.asked(0), verdict)
}

// answer answers a question as the page does.
func (s *stage) answer(runID string, request event.ConfirmRequest, verdict message.Verdict) {
	s.t.Helper()
	if _, err := s.Confirm(desktop.Answer{RunID: runID, CallID: request.CallID, Decision: verdict, Hash: request.Hash}); err != nil {
		s.t.Fatal(err)
	}
}

func TestHITL02_ADialogThatIsClosedAnswersNothing(t *testing.T) {
	h := newHand()
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
---
call c2 write_file {"path":"b.txt","content":"hello"}
---
text done`, h)
	s.ready()
	started := s.run("write a file")
	h.next(t)
	request := s.asked(0)
	h.presses <- desktop.Dismissed
	// The next dialog opens when all of the one before is over.
	if _, err := service[*desktop.Sessions](s).New(); err != nil {
		t.Fatal(err)
	}
	s.run("write another file")
	h.next(t)
	// The question is still open for the window, where the first answer counts.
	answer := desktop.Answer{RunID: started.RunID, CallID: "c1", Decision: message.Approve, Hash: request.Hash}
	if _, err := s.Confirm(answer); err != nil {
		t.Errorf("closing the dialog answered the question: %v", err)
	}
}

func TestHITL11_WhatTheUserEditedIsNotAskedAboutInADialog(t *testing.T) {
	h := newHand()
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
---
call c2 write_file {"path":"b.txt","content":"hello"}
---
text done
---
text done`, h)
	s.ready()
	started := s.run("write a file")
	h.next(t)
	request := s.asked(0)
	edit := desktop.Answer{
		RunID: started.RunID, CallID: "c1", Decision: message.Modify, Hash: request.Hash, Arguments: `{"path":"a.txt","content":"mine"}`,
	}
	if _, err := s.Confirm(edit); err != nil {
		t.Fatal(err)
	}
	receive(t, "the end of the dialog", h.closed)
	again := s.asked(1)
	if !again.Preview.Edited {
		t.Errorf("the question does not say that the user edited it: %+v", again.Preview)
	}
	// There is one dialog at a time, in the order of the questions.
	if _, err := service[*desktop.Sessions](s).New(); err != nil {
		t.Fatal(err)
	}
	s.run("write the other file")
	if d := h.next(t); !strings.Contains(d.Place, "write the other file") {
		t.Errorf("the user's own edit was asked about in a dialog: %+v", d)
	}
	if _, err := s.Confirm(desktop.Answer{RunID: started.RunID, CallID: "c1", Decision: message.Approve, Hash: again.Hash}); err != nil {
		t.Fatal(err)
	}
	h.presses <- desktop.Yes
	s.screen.await(t, "the end", ended)
}

func TestSEC02_OnlyADialogAllowsTheNetworkWhereDialogsAreShown(t *testing.T) {
	h := newHand()
	s := open(t, `call c1 shell {"command":"true","network":true}
---
text done`, h)
	s.ready()
	started := s.run("fetch it")
	h.next(t)
	s.confirm(started.RunID, message.Approve)
	h.next(t)
	h.presses <- desktop.Dismissed
	request := s.asked(1)
	allow := desktop.Answer{RunID: started.RunID, CallID: "c1", Decision: message.Approve, Hash: request.Hash}
	// A closed dialog is shown again from the card.
	if _, err := s.Confirm(allow); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("the page allowed the network: %v", err)
	}
	if _, err := service[*desktop.Sessions](s).ShowDialog(started.RunID, request.Hash); err != nil {
		t.Error(err)
	}
	d := h.next(t)
	if !strings.Contains(d.Text, "true") {
		t.Errorf("the dialog is %+v", d)
	}
	h.presses <- desktop.Yes
	s.screen.await(t, "the end", ended)
	if _, err := service[*desktop.Sessions](s).ShowDialog(started.RunID, request.Hash); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("a dialog about what is decided: %v", err)
	}
}

func TestSEC02_TheCardAllowsTheNetworkWhereDialogsWereTurnedOff(t *testing.T) {
	h := newHand()
	s := open(t, `call c1 shell {"command":"true","network":true}
---
text done`, h)
	h.presses <- desktop.Yes
	if _, err := service[*desktop.Settings](s).Set("dialog", "never"); err != nil {
		t.Fatal(err)
	}
	h.next(t)
	s.ready()
	started := s.run("fetch it")
	s.confirm(started.RunID, message.Approve)
	request := s.asked(1)
	if _, err := s.Confirm(desktop.Answer{RunID: started.RunID, CallID: "c1", Decision: message.Approve, Hash: request.Hash}); err != nil {
		t.Errorf("the card cannot answer, and no dialog does: %v", err)
	}
	s.screen.await(t, "the end", ended)
	if len(h.shown) > 0 {
		t.Errorf("a dialog: %+v", <-h.shown)
	}
}

// TestDESK03_WhoAnswersInTheWindowIsShownNoFurtherDialogs leaves the first of two questions to
// the window.
func TestDESK03_WhoAnswersInTheWindowIsShownNoFurtherDialogs(t *testing.T) {
	for _, press := range []desktop.Press{desktop.InWindow, desktop.Dismissed} {
		h := newHand()
		h.presses = make(chan desktop.Press) // each is taken before the test goes on
		s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
call c2 write_file {"path":"b.txt","content":"hello"}
---
call c3 write_file {"path":"c.txt","content":"hello"}
---
text done`, h)
		s.ready()
		started := s.run("write two files")
		h.next(t)
		second := s.asked(1)
		h.presses <- press
		// In any order, the second one first.
		s.answer(started.RunID, second, message.Approve)
		s.confirm(started.RunID, message.Approve)
		// What comes later is asked in a dialog again.
		if d := h.next(t); !strings.Contains(d.Text, "c.txt") {
			t.Errorf("a dialog asks about %q", d.Text)
		}
		h.presses <- desktop.Yes
		s.awaitEnd(started.RunID)
	}
}
