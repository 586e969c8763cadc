package agent

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errInterrupted is the cause that ends the waits of a run that was interrupted.
var errInterrupted = errors.New("interrupted by the user")

// Control is how others steer a run while it is going on: they interrupt it, or end its
// wait before another attempt. The zero Control is ready for use, by one run; its methods
// can be called from any goroutine.
type Control struct {
	mu          sync.Mutex
	interrupted bool
	message     string
	// stop ends what only waits; skip ends the wait before another attempt.
	stop context.CancelCauseFunc
	skip chan struct{}
}

// Interrupt makes the run stop before its next model call: tools that are running finish,
// calls that wait do not start. message becomes the run's reply unless it is empty. Only
// the first interrupt of a run counts; announce is called for it, before it takes effect
// (SPEC INT-01).
func (c *Control) Interrupt(message string, announce func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.interrupted {
		return
	}
	announce()
	c.interrupted, c.message = true, message
	if c.stop != nil {
		c.stop(errInterrupted)
	}
}

// RetryNow ends the wait before another attempt. It reports whether there was one.
func (c *Control) RetryNow() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.skip == nil {
		return false
	}
	close(c.skip)
	c.skip = nil
	return true
}

// onInterrupt sets what an interrupt calls. It is called at once where the interrupt came
// before.
func (c *Control) onInterrupt(stop context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop = stop
	if c.interrupted {
		stop(errInterrupted)
	}
}

// interruption returns the message of the interrupt, and whether there was one.
func (c *Control) interruption() (message string, interrupted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.message, c.interrupted
}

// beginPause begins a wait that RetryNow can end, and returns the function that waits. It
// returns nil after length or after RetryNow, and the cause of ctx when that ends first.
func (c *Control) beginPause(length time.Duration) (wait func(ctx context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	skip := make(chan struct{})
	c.skip = skip
	return func(ctx context.Context) error {
		defer c.endPause()
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

func (c *Control) endPause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skip = nil
}
