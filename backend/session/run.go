package session

import (
	"context"

	"fairlead/backend/agent"
	"fairlead/backend/event"
)

// Run is one prompt being worked on.
type Run struct {
	// ID names the run.
	ID string
	// Events is what happens in it.
	Events *event.Stream

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

// cancel ends the run; it reports whether the run was still at work.
func (r *Run) cancel() bool {
	if r.Events.Ended() {
		return false
	}
	r.stop(agent.ErrCancelled)
	return true
}

// interrupt has the run stop before its next model call; it reports whether the run
// was still at work. Only the first interrupt of a run counts.
func (r *Run) interrupt(message string) bool {
	if r.Events.Ended() {
		return false
	}
	r.control.Interrupt(message, func() { r.Events.Publish(event.RunInterrupt{Message: message}) })
	return true
}
