package desktop

import (
	"fmt"
	"slices"

	"fairlead/backend/approve"
	"fairlead/backend/event"
)

// Sessions is bound to the page: it works on the conversation that is shown.
type Sessions struct{ window *Window }

// New puts the conversation away and begins another one in the same folder.
func (s *Sessions) New() (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		w.turn.Lock()
		defer w.turn.Unlock()
		if err := w.idle(); err != nil {
			return None{}, err
		}
		err := w.closeTalk()
		w.changed()
		return None{}, err
	})
}

// Tour opens the guided tour's sample folder, without remembering it, and runs
// the tour there.
func (s *Sessions) Tour() (Started, error) {
	return Guard(s.window, func() (Started, error) {
		w := s.window
		// No sample folder is made for a tour that is refused.
		if err := w.checkIdle(); err != nil {
			return Started{}, err
		}
		tour, err := w.backend.PrepareTour("")
		if err != nil {
			return Started{}, err
		}
		if _, err := w.openPlace(tour.Folder, true); err != nil {
			return Started{}, fmt.Errorf("open the tour's folder: %w", err)
		}
		w.changed()
		return w.Run(Task{Prompt: tour.Prompt})
	})
}

// Extend gives the person the whole time again to answer a question.
func (s *Sessions) Extend(runID, callID string) (None, error) {
	return Guard(s.window, func() (None, error) {
		return None{}, s.window.backend.Desk.Extend(runID, callID)
	})
}

// SetApprove sets what is asked about, from the next run on: ask, writes or none.
func (s *Sessions) SetApprove(mode string) (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		if !slices.Contains([]approve.Mode{approve.Ask, approve.Writes, approve.None}, approve.Mode(mode)) {
			return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("the mode %q is none of ask, writes, none", mode)}
		}
		// A conversation that begins at this moment must not keep the mode before.
		w.turn.Lock()
		defer w.turn.Unlock()
		w.mu.Lock()
		w.approve = approve.Mode(mode)
		w.mu.Unlock()
		if w.talk != nil {
			w.talk.conversation.SetApprove(approve.Mode(mode))
		}
		w.changed()
		return None{}, nil
	})
}

// Quit ends the runs at work and closes the window.
func (s *Sessions) Quit() (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		w.Decide()
		w.native.Quit()
		return None{}, nil
	})
}

// Types does nothing. Its parameters are what the page reads without calling for
// it, events and asset routes, so that their types are written for the page along
// with those of the calls.
func (s *Sessions) Types(
	_ Envelope, _ State, _ RunState, _ Listing, _ FilePreview, _ Fault,
	_ event.LifecycleStart, _ event.StepStarted, _ event.AssistantDelta, _ event.ReasoningDelta,
	_ event.ToolCall, _ event.ConfirmRequest, _ event.ConfirmResult, _ event.ToolRunning, _ event.ToolProgress,
	_ event.ToolResult, _ event.StepCompleted, _ event.LLMRetry, _ event.GuardWarning, _ event.UsageData,
	_ event.Decision, _ event.LifecycleEnd, _ event.LifecycleError,
	_ event.WorkspaceChanged, _ event.WindowChanged, _ event.WindowClosing,
) (None, error) {
	return None{}, nil
}
