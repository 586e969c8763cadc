package session

import (
	"context"
	"fmt"

	"fairlead/backend/message"
)

// Cancelled is the answer to a cancel that was accepted.
type Cancelled struct {
	RunID     string `json:"runId"`
	Cancelled bool   `json:"cancelled"`
	Message   string `json:"message"`
}

// CancelRun ends a run: its model request, its tools with their processes, its
// waits and its open questions. It answers at once and may be repeated while the
// run ends. The refusals are INVALID_PARAMS for an empty id, NOT_FOUND for an
// unknown one, INVALID_STATE for a run that has ended (SPEC CAN-02).
func (m *Manager) CancelRun(runID string) (Cancelled, error) {
	run, err := m.findRunning("cancel", runID)
	if err != nil {
		return Cancelled{}, err
	}
	if !run.cancel() {
		return Cancelled{}, endedError(runID)
	}
	return Cancelled{RunID: runID, Cancelled: true, Message: "Cancelled by user"}, nil
}

// Interrupted is the answer to an interrupt that was accepted.
type Interrupted struct {
	RunID       string `json:"runId"`
	Interrupted bool   `json:"interrupted"`
	Message     string `json:"message"`
}

// InterruptRun has a run stop before its next model call, with text as its reply unless
// it is empty. Tools that run come to their end. The refusals are those of CancelRun.
func (m *Manager) InterruptRun(runID, text string) (Interrupted, error) {
	run, err := m.findRunning("interrupt", runID)
	if err != nil {
		return Interrupted{}, err
	}
	if !run.interrupt(text) {
		return Interrupted{}, endedError(runID)
	}
	return Interrupted{RunID: runID, Interrupted: true, Message: "Interrupted by user"}, nil
}

// RetryRun ends the wait of a run before its next attempt. A run that does not wait
// gives INVALID_STATE; the other refusals are those of CancelRun.
func (m *Manager) RetryRun(runID string) error {
	run, err := m.findRunning("retry now", runID)
	if err != nil {
		return err
	}
	if !run.control.RetryNow() {
		return &message.Refusal{Code: message.InvalidState, Message: fmt.Sprintf("run %q waits for no attempt", runID)}
	}
	return nil
}

// findRunning finds a run that has not ended. One that has ended gives INVALID_STATE.
func (m *Manager) findRunning(verb, runID string) (*Run, error) {
	if runID == "" {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: verb + " needs the id of a run"}
	}
	m.mu.Lock()
	run, hasEnded, known := m.runs[runID], m.ended[runID], m.known
	m.mu.Unlock()
	if run != nil {
		return run, nil
	}
	if !hasEnded && known != nil {
		saved, err := known.Run(context.Background(), runID)
		hasEnded = err == nil && !saved.EndedAt.IsZero()
	}
	if hasEnded {
		return nil, endedError(runID)
	}
	return nil, &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no run %q", runID)}
}

func endedError(runID string) error {
	return &message.Refusal{Code: message.InvalidState, Message: fmt.Sprintf("run %q has ended", runID)}
}
