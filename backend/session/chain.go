package session

import (
	"context"
	"iter"
	"sync/atomic"
)

// chain is the runs of an open conversation in the order in which they begin. It keeps none
// of them in memory: those who follow it keep what they have yet to come to.
type chain struct{ end atomic.Pointer[link] }

// link is what follows at one place of a chain.
type link struct {
	// known is closed when the other two are set.
	known chan struct{}
	// run is the next one to begin; nil when none will any more.
	run  *Run
	next *link
}

func newChain() *chain {
	c := &chain{}
	c.end.Store(&link{known: make(chan struct{})})
	return c
}

// add adds a run that begins; nil says that none will any more, and is the last. Calls of
// add must not overlap.
func (c *chain) add(run *Run) {
	at, next := c.end.Load(), &link{known: make(chan struct{})}
	at.run, at.next = run, next
	c.end.Store(next)
	close(at.known)
}

// followRuns yields the runs that begin after its call, until none will any more or ctx ends.
// Each iteration begins with the first of these.
func (c *chain) followRuns(ctx context.Context) iter.Seq[*Run] {
	first := c.end.Load()
	return func(yield func(*Run) bool) {
		for at := first; ; at = at.next {
			select {
			case <-at.known:
			case <-ctx.Done():
				return
			}
			if at.run == nil || !yield(at.run) {
				return
			}
		}
	}
}
