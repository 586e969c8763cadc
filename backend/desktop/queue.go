package desktop

import (
	"slices"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/session"
)

// Queued names a prompt that waits, or the run that began with it.
type Queued struct {
	PromptID string `json:"promptId"`
	// RunID is empty while the prompt waits.
	RunID string `json:"runId"`
}

// Queue gives a conversation a prompt while a run is active in it. target is step or
// run. Where none is running any more, a run begins with it.
func (s *Sessions) Queue(sessionID, text, target string) (Queued, error) {
	return Guard(s.window, func() (Queued, error) {
		w := s.window
		w.turn.Lock()
		defer w.turn.Unlock()
		text, err := w.said(text)
		if err == nil {
			err = w.checkTour(sessionID)
		}
		if err != nil {
			return Queued{}, err
		}
		t, err := w.openTalk(sessionID)
		if err != nil {
			return Queued{}, err
		}
		prompt, run, err := t.conversation.QueuePrompt(text, message.Target(target))
		if err != nil {
			w.release(t)
			return Queued{}, err
		}
		queued := Queued{PromptID: prompt.ID}
		if run != nil {
			queued.RunID = run.ID
			w.began(t, run)
		}
		w.changed()
		return queued, nil
	})
}

// ChangePrompt edits a prompt that waits.
func (s *Sessions) ChangePrompt(sessionID, promptID, text, target string) (None, error) {
	return s.withQueue(sessionID, func(t *talk) error {
		text, err := s.window.said(text)
		if err != nil {
			return err
		}
		return t.conversation.ChangePrompt(promptID, text, message.Target(target))
	})
}

// RemovePrompt takes a prompt back that waits.
func (s *Sessions) RemovePrompt(sessionID, promptID string) (None, error) {
	return s.withQueue(sessionID, func(t *talk) error { return t.conversation.RemovePrompt(promptID) })
}

// SendNow interrupts the current run and begins another with a prompt that waits.
func (s *Sessions) SendNow(sessionID, promptID string) (None, error) {
	return s.withQueue(sessionID, func(t *talk) error {
		run, err := t.conversation.SendPrompt(promptID)
		if run != nil {
			s.window.began(t, run)
		}
		return err
	})
}

// RetryNow ends the wait of a run before its next attempt.
func (s *Sessions) RetryNow(runID string) (None, error) {
	return Guard(s.window, func() (None, error) {
		return None{}, s.window.elsewhere(runID, s.window.backend.Sessions.RetryRun(runID))
	})
}

// withQueue does something with what waits in a conversation.
func (s *Sessions) withQueue(sessionID string, do func(*talk) error) (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		w.turn.Lock()
		defer w.turn.Unlock()
		if err := w.going(); err != nil {
			return None{}, err
		}
		if sessionID == "" {
			return None{}, &message.Refusal{Code: message.InvalidParams, Message: "what waits is in a conversation; none is named"}
		}
		t, err := w.openTalk(sessionID)
		if err != nil {
			return None{}, err
		}
		defer w.changed()
		return None{}, do(t)
	})
}

// said is what the user typed as a prompt.
func (w *Window) said(text string) (string, error) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return "", &Fault{Code: CodeUsage, Message: "there is no task", Hint: "say what to do"}
	}
	return text, w.going()
}

// began follows a run that began. The caller has the turn.
func (w *Window) began(t *talk, run *session.Run) {
	t.leave()
	w.mu.Lock()
	t.runs = append(t.runs, run)
	w.mu.Unlock()
	w.alive.Go(func() { w.follow(t, run) })
}

// next begins the run that waits in a conversation, if one does. The caller has the
// turn.
func (w *Window) next(t *talk) {
	run, err := t.conversation.NextPrompt()
	if err != nil {
		w.tell("the next prompt that waits cannot be begun: " + err.Error())
		return
	}
	if run != nil {
		w.began(t, run)
		w.changed()
	}
}

// queue are the prompts that wait in an open conversation.
func (t *talk) queue() []message.Prompt {
	return slices.Concat([]message.Prompt{}, t.conversation.Waiting())
}
