package desktop

import (
	"strings"

	"fairlead/backend/message"
)

// Queued names a prompt that waits, or the run that began with it.
type Queued struct {
	PromptID string `json:"promptId"`
	// RunID is empty while the prompt waits.
	RunID string `json:"runId"`
}

// Queue gives a conversation a prompt while a run is active in it. target is step or
// run, and pictures are the ids of those that go with it. Where none is running any more, a run
// begins with it.
func (s *Sessions) Queue(sessionID, text, target string, pictures []string) (Queued, error) {
	return Guard(s.window, func() (Queued, error) {
		w := s.window
		text, err := cleanPrompt(text)
		if err != nil {
			return Queued{}, err
		}
		blocks, err := w.attached.find(pictures)
		if err != nil {
			return Queued{}, err
		}
		var queued Queued
		err = w.withConversation(sessionID, func() error { return w.checkTask(sessionID) }, func(c *conversation) error {
			prompt, run, err := c.QueuePrompt(text, message.Target(target), blocks...)
			if err != nil {
				return err
			}
			if queued.PromptID = prompt.ID; run != nil {
				queued.RunID = run.ID
			}
			return nil
		})
		if err == nil {
			w.attached.forget(pictures)
			w.stateChanged()
		}
		return queued, err
	})
}

// ChangePrompt edits a prompt that waits.
func (s *Sessions) ChangePrompt(sessionID, promptID, text, target string) (None, error) {
	return s.withQueue(sessionID, func(c *conversation) error {
		text, err := cleanPrompt(text)
		if err != nil {
			return err
		}
		return c.ChangePrompt(promptID, text, message.Target(target))
	})
}

// RemovePrompt takes a prompt back that waits.
func (s *Sessions) RemovePrompt(sessionID, promptID string) (None, error) {
	return s.withQueue(sessionID, func(c *conversation) error { return c.RemovePrompt(promptID) })
}

// SendNow interrupts the current run and begins another with a prompt that waits.
func (s *Sessions) SendNow(sessionID, promptID string) (None, error) {
	return s.withQueue(sessionID, func(c *conversation) error {
		_, err := c.SendPrompt(promptID)
		return err
	})
}

// RetryNow ends the wait of a run before its next attempt.
func (s *Sessions) RetryNow(runID string) (None, error) {
	return Guard(s.window, func() (None, error) {
		return None{}, s.window.explainMissing(runID, s.window.backend.Sessions.RetryRun(runID))
	})
}

// withQueue does something with what waits in a conversation.
func (s *Sessions) withQueue(sessionID string, do func(*conversation) error) (None, error) {
	return Guard(s.window, func() (None, error) {
		if sessionID == "" {
			return None{}, &message.Refusal{Code: message.InvalidParams, Message: "what waits is in a conversation; none is named"}
		}
		defer s.window.stateChanged()
		return None{}, s.window.withConversation(sessionID, nil, do)
	})
}

// cleanPrompt returns what a user typed as a prompt, in valid UTF-8; nothing but space is
// refused.
func cleanPrompt(text string) (string, error) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return "", &Fault{Code: CodeUsage, Message: "there is no task", Hint: "say what to do"}
	}
	return text, nil
}

// waitingPrompts returns the prompts that wait in an open conversation.
func (c *conversation) waitingPrompts() []message.Prompt { return forPage(c.Waiting()) }

// forPage are prompts that wait, as the page is told of them.
func forPage(queue []message.Prompt) []message.Prompt {
	shown := make([]message.Prompt, len(queue))
	for i, prompt := range queue {
		shown[i] = prompt.WithoutData()
	}
	return shown
}
