package desktop_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/settings"
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

// written is the settings file.
func (s *stage) written() string {
	text, _ := os.ReadFile(filepath.Join(s.folders.Config, settings.FileName))
	return string(text)
}

const foreign = "https://collect.example/v1"

func TestSEC07_WithoutADialogNoAddressOrVariableOfThePagesIsSaved(t *testing.T) {
	s := open(t, "text hello", nil)
	models := service[*desktop.Models](s)
	t.Setenv("FAIRLEAD_TEST_SECRET", "sk-canary-0123456789")
	for name, save := range map[string]func() error{
		"a provider elsewhere": func() error {
			_, err := models.SaveProvider(desktop.OwnProvider{Name: "lab", BaseURL: foreign})
			return err
		},
		"a provider with a variable": func() error {
			_, err := models.SaveProvider(desktop.OwnProvider{Name: "lab", BaseURL: s.baseURL, KeyEnv: "FAIRLEAD_TEST_SECRET"})
			return err
		},
		"a model elsewhere": func() error {
			_, err := models.Use(desktop.ModelChoice{BaseURL: foreign, Model: "m"})
			return err
		},
	} {
		err := save()
		if code(t, err) != desktop.Code(message.InvalidState) || !strings.Contains(err.Error(), settings.FileName) {
			t.Errorf("%s: %v, want a refusal that names the settings file", name, err)
		}
	}
	if text := s.written(); text != "" {
		t.Errorf("the settings file says\n%s", text)
	}
	if model := s.state().Model; model != nil {
		t.Errorf("a model is chosen: %+v", model)
	}
	// What needs no dialog is saved as before.
	if _, err := models.SaveProvider(desktop.OwnProvider{Name: "here", BaseURL: s.baseURL}); err != nil {
		t.Errorf("a provider on this computer: %v", err)
	}
	if _, err := models.Use(desktop.ModelChoice{Provider: "openrouter", Model: "a/b"}); err != nil {
		t.Errorf("a provider of the catalogue: %v", err)
	}
}

func TestSEC07_TheDialogShowsWhatIsSavedAndDecides(t *testing.T) {
	h := newHand()
	s := open(t, "text hello", h)
	models := service[*desktop.Models](s)
	lab := desktop.OwnProvider{Name: "lab", BaseURL: foreign, KeyEnv: "FAIRLEAD_TEST_SECRET"}
	for _, press := range []desktop.Press{desktop.No, desktop.Dismissed, desktop.InWindow} {
		h.presses <- press
		if _, err := models.SaveProvider(lab); code(t, err) != desktop.Code(message.Rejected) || s.written() != "" {
			t.Errorf("%v: %v; the file says\n%s", press, err, s.written())
		}
		if d := h.next(t); !strings.Contains(d.Text, foreign) || !strings.Contains(d.Text, lab.KeyEnv) || d.InWindow != "" {
			t.Errorf("the dialog is %+v", d)
		}
	}
	h.presses <- desktop.Yes
	if _, err := models.SaveProvider(lab); err != nil || !strings.Contains(s.written(), foreign) {
		t.Errorf("%v; the file says\n%s", err, s.written())
	}
	h.next(t)
	// What is saved already, and what the file knows, is asked about no more.
	lab.Title = "The lab"
	if _, err := models.SaveProvider(lab); err != nil {
		t.Error(err)
	}
	if _, err := models.Use(desktop.ModelChoice{Provider: "lab", Model: "m"}); err != nil {
		t.Error(err)
	}
	h.presses <- desktop.Yes
	if _, err := models.Use(desktop.ModelChoice{BaseURL: foreign + "/other", Model: "m"}); err != nil {
		t.Error(err)
	}
	if d := h.next(t); !strings.Contains(d.Text, foreign+"/other") {
		t.Errorf("the dialog is %+v", d)
	}
	if _, err := models.Use(desktop.ModelChoice{BaseURL: foreign + "/other", Model: "n"}); err != nil || len(h.shown) > 0 {
		t.Errorf("it was agreed to: %v, %d dialogs", err, len(h.shown))
	}
}

func TestSEC07_FewerDialogsAreAskedAboutInOne(t *testing.T) {
	h := newHand()
	s := open(t, "text hello", h)
	preferences := service[*desktop.Preferences](s)
	set := func(when string, press desktop.Press) error {
		t.Helper()
		h.presses <- press
		_, err := preferences.SetDialogs(when)
		h.next(t)
		return err
	}
	if err := set("never", desktop.No); code(t, err) != desktop.Code(message.Rejected) || s.state().Dialogs != "always" {
		t.Errorf("%v; dialogs are asked %s", err, s.state().Dialogs)
	}
	if err := set("background", desktop.Yes); err != nil || s.state().Dialogs != "background" || s.state().NativeDialogs {
		t.Errorf("%v; the state is %+v", err, s.state())
	}
	if err := set("never", desktop.Yes); err != nil || !strings.Contains(s.written(), `dialog = "never"`) {
		t.Errorf("%v; the file says\n%s", err, s.written())
	}
	// More of them needs no question.
	if _, err := preferences.SetDialogs("always"); err != nil || !s.state().NativeDialogs {
		t.Errorf("%v; the state is %+v", err, s.state())
	}
	if _, err := preferences.SetDialogs("sometimes"); code(t, err) != desktop.CodeUsage {
		t.Error(err)
	}
	none := open(t, "text hello", nil)
	if _, err := service[*desktop.Preferences](none).SetDialogs("never"); code(t, err) != desktop.Code(message.InvalidState) || none.written() != "" {
		t.Errorf("without dialogs: %v", err)
	}
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
	if _, err := service[*desktop.Preferences](s).SetDialogs("never"); err != nil {
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
