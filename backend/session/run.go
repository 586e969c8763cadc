package session

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fairlead/backend/agent"
	"fairlead/backend/event"
)

// Run is one prompt being worked on.
type Run struct {
	// ID names the run.
	ID string
	// Events is what happens in it.
	Events *event.Stream

	// compacts says that it sums up what was said.
	compacts bool

	control *agent.Control
	stop    context.CancelCauseFunc
	done    chan struct{}
	result  agent.Result
}

// Wait returns the result once the run has ended.
func (r *Run) Wait() agent.Result {
	<-r.done
	return r.result
}

// Follow gives the events of the run to receive, in order from the first to the last, at
// the pace of receive: the run never waits for it. It returns nil after the last event,
// and an error where receive gave one, ctx ended before the run did, or what had left
// memory could not be read.
func (r *Run) Follow(ctx context.Context, receive func([]event.Event) error) error {
	var seq int64
	for {
		events, err := r.Events.After(ctx, seq)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("follow run: %w", err)
		}
		if err := receive(events); err != nil {
			return err
		}
		seq += int64(len(events))
	}
}

// cancel ends the run; it reports whether the run was still running.
func (r *Run) cancel() bool {
	if r.Events.Ended() {
		return false
	}
	r.stop(agent.ErrCancelled)
	return true
}

// interrupt has the run stop before its next model call; it reports whether the run
// was still running. Only the first interrupt of a run counts.
func (r *Run) interrupt(message string) bool {
	if r.Events.Ended() {
		return false
	}
	r.control.Interrupt(message, func() { r.Events.Publish(event.RunInterrupt{Message: message}) })
	return true
}
