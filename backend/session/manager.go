// Package session keeps conversations: what was said so far, the one run that
// may be at work on each, and the parts that a run is made of. It ties the pure
// loop to the folder, the tools, the gate and the model.
package session

import (
	"context"
	"fmt"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/store"
)

// Manager has the conversations of this process and their runs.
type Manager struct {
	mu sync.Mutex
	// runs are those that are running, and ended the ids of those that have ended and that no
	// store knows: of a run that was not saved nothing else stays.
	runs   map[string]*Run
	ended  map[string]bool
	closed bool
	// store knows the others that have ended; nil where no session has one.
	store *store.Store
}

// NewSessions returns an empty collection.
func NewManager() *Manager { return &Manager{runs: map[string]*Run{}, ended: map[string]bool{}} }

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
	run, err := m.find("cancel", runID)
	if err != nil {
		return Cancelled{}, err
	}
	if !run.cancel() {
		return Cancelled{}, ended(runID)
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
	run, err := m.find("interrupt", runID)
	if err != nil {
		return Interrupted{}, err
	}
	if !run.interrupt(text) {
		return Interrupted{}, ended(runID)
	}
	return Interrupted{RunID: runID, Interrupted: true, Message: "Interrupted by user"}, nil
}

// RetryRun ends the wait of a run before its next attempt. A run that does not wait
// gives INVALID_STATE; the other refusals are those of CancelRun.
func (m *Manager) RetryRun(runID string) error {
	run, err := m.find("retry now", runID)
	if err != nil {
		return err
	}
	if !run.control.RetryNow() {
		return &message.Refusal{Code: message.InvalidState, Message: fmt.Sprintf("run %q waits for no attempt", runID)}
	}
	return nil
}

// find finds a run that has not ended. One that has ended gives INVALID_STATE.
func (m *Manager) find(verb, runID string) (*Run, error) {
	if runID == "" {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: verb + " needs the id of a run"}
	}
	m.mu.Lock()
	run, hasEnded, known := m.runs[runID], m.ended[runID], m.store
	m.mu.Unlock()
	if run != nil {
		return run, nil
	}
	if !hasEnded && known != nil {
		saved, err := known.Run(context.Background(), runID)
		hasEnded = err == nil && !saved.EndedAt.IsZero()
	}
	if hasEnded {
		return nil, ended(runID)
	}
	return nil, &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no run %q", runID)}
}

func ended(runID string) error {
	return &message.Refusal{Code: message.InvalidState, Message: fmt.Sprintf("run %q has ended", runID)}
}

// Close cancels every run and waits until all have ended, or ctx does. No run
// begins after it.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	runs := make([]*Run, 0, len(m.runs))
	for _, run := range m.runs {
		runs = append(runs, run)
	}
	m.mu.Unlock()
	for _, run := range runs {
		run.cancel()
	}
	for _, run := range runs {
		select {
		case <-run.done:
		case <-ctx.Done():
			return fmt.Errorf("end run %s: %w", run.ID, ctx.Err())
		}
	}
	return nil
}

func (m *Manager) add(run *Run) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return &message.Refusal{Code: message.InvalidState, Message: "Fairlead is closing; no run can begin"}
	}
	m.runs[run.ID] = run
	return nil
}

// release lets go of a run that has ended; saved says that the store knows it.
func (m *Manager) release(run *Run, saved bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.runs, run.ID)
	if !saved {
		m.ended[run.ID] = true
	}
}

// readFrom names the store that knows the runs that have ended.
func (m *Manager) readFrom(known *store.Store) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store = known
}
