package agent

import (
	"context"
	"errors"
	"sync"
)

// errInterrupted ends what only waits in a run that is to stop.
var errInterrupted = errors.New("interrupted by the user")

// Orders are what others want of a run while it is at work. Its methods can be
// called from any goroutine.
type Orders struct {
	mu          sync.Mutex
	interrupted bool
	message     string
	// stop ends what only waits; skip ends the wait before another attempt.
	stop context.CancelCauseFunc
	skip chan struct{}
}

// Interrupt has the run stop before its next model call: tools that run come to
// their end, whatever waits does not. message becomes the run's reply unless it is
// empty. It reports whether this is the first interrupt of the run; only that counts
// (SPEC INT-01).
func (o *Orders) Interrupt(message string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.interrupted {
		return false
	}
	o.interrupted, o.message = true, message
	if o.stop != nil {
		o.stop(errInterrupted)
	}
	return true
}

// RetryNow ends the wait before another attempt. It reports whether there was one.
func (o *Orders) RetryNow() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.skip == nil {
		return false
	}
	close(o.skip)
	o.skip = nil
	return true
}

// obey has an interrupt call stop, also one that came before.
func (o *Orders) obey(stop context.CancelCauseFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stop = stop
	if o.interrupted {
		stop(errInterrupted)
	}
}

// interrupt returns what the run was interrupted with, and whether it was.
func (o *Orders) interrupt() (message string, interrupted bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.message, o.interrupted
}

// waiting begins a wait that RetryNow ends, by closing skip.
func (o *Orders) waiting() (skip <-chan struct{}, end func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	wait := make(chan struct{})
	o.skip = wait
	return wait, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.skip = nil
	}
}
