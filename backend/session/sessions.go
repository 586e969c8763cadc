// Package session keeps conversations: what was said so far, the one run that
// may be at work on each, and the parts that a run is made of. It ties the pure
// loop to the folder, the tools, the gate and the model.
package session

import (
	"context"
	"fmt"
	"sync"

	"fairlead/backend/message"
)

// Sessions are the conversations of this process and their runs.
type Sessions struct {
	mu     sync.Mutex
	runs   map[string]*Run
	closed bool
}

// NewSessions returns an empty collection.
func NewSessions() *Sessions { return &Sessions{runs: map[string]*Run{}} }

// Cancelled is the answer to a cancel that was accepted.
type Cancelled struct {
	RunID     string `json:"runId"`
	Cancelled bool   `json:"cancelled"`
	Message   string `json:"message"`
}

// Cancel ends a run: its model request, its tools with their processes, its
// waits and its open questions. It answers at once and may be repeated while the
// run ends. The refusals are INVALID_PARAMS for an empty id, NOT_FOUND for an
// unknown one, INVALID_STATE for a run that has ended (SPEC CAN-02).
func (s *Sessions) Cancel(runID string) (Cancelled, error) {
	if runID == "" {
		return Cancelled{}, &message.Refusal{Code: message.InvalidParams, Message: "cancel needs the id of a run"}
	}
	s.mu.Lock()
	run := s.runs[runID]
	s.mu.Unlock()
	if run == nil {
		return Cancelled{}, &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no run %q", runID)}
	}
	if !run.cancel() {
		return Cancelled{}, &message.Refusal{Code: message.InvalidState, Message: fmt.Sprintf("run %q has ended", runID)}
	}
	return Cancelled{RunID: runID, Cancelled: true, Message: "Cancelled by user"}, nil
}

// Close cancels every run and waits until all have ended, or ctx does. No run
// begins after it.
func (s *Sessions) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	runs := make([]*Run, 0, len(s.runs))
	for _, run := range s.runs {
		runs = append(runs, run)
	}
	s.mu.Unlock()
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

func (s *Sessions) add(run *Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &message.Refusal{Code: message.InvalidState, Message: "Fairlead is closing; no run can begin"}
	}
	s.runs[run.ID] = run
	return nil
}
