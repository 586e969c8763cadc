// Package orders is how others tell a run what they want of it while it is at work.
package orders

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrInterrupted ends what only waits in a run that is to stop.
var ErrInterrupted = errors.New("interrupted by the user")

// Orders are those of one run. The zero Orders are none; the methods can be called
// from any goroutine.
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
// empty. Only the first interrupt of a run counts; announce is called for it, before
// anything comes of it (SPEC INT-01).
func (o *Orders) Interrupt(message string, announce func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.interrupted {
		return
	}
	announce()
	o.interrupted, o.message = true, message
	if o.stop != nil {
		o.stop(ErrInterrupted)
	}
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

// Obey has an interrupt call stop, also one that came before.
func (o *Orders) Obey(stop context.CancelCauseFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stop = stop
	if o.interrupted {
		stop(ErrInterrupted)
	}
}

// Interrupted returns what the run was interrupted with, and whether it was.
func (o *Orders) Interrupted() (message string, interrupted bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.message, o.interrupted
}

// Pause begins a wait that RetryNow ends, and returns what waits: until so much time is
// over, or ctx has ended, whose cause is the error then.
func (o *Orders) Pause(length time.Duration) (wait func(ctx context.Context) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	skip := make(chan struct{})
	o.skip = skip
	return func(ctx context.Context) error {
		defer o.endPause()
		timer := time.NewTimer(length)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-skip:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (o *Orders) endPause() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.skip = nil
}
