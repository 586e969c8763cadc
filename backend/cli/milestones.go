package cli

import (
	"context"
	"fmt"
	"sync"
)

// milestones are the questions that the written events have come to. A question
// waits for its own, so that it stands below what led to it.
type milestones struct {
	mu      sync.Mutex
	reached map[string]chan struct{}
}

// milestoneOf names a question by its call or guard and by when it expires: one that was
// answered by an edit is put again, and the new one must not stand where the old one did.
func milestoneOf(id string, expiresAt int64) string { return fmt.Sprintf("%s until %d", id, expiresAt) }

func (m *milestones) channelFor(id string) chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.reached == nil {
		m.reached = map[string]chan struct{}{}
	}
	if m.reached[id] == nil {
		m.reached[id] = make(chan struct{}, 1)
	}
	return m.reached[id]
}

// markReached says that the events up to a question are written. It reports that the
// question is then asked.
func (m *milestones) markReached(id string) bool {
	select {
	case m.channelFor(id) <- struct{}{}:
	default: // two questions about one call in one millisecond
	}
	return true
}

// awaitReached waits until a question's milestone is reached.
func (m *milestones) awaitReached(ctx context.Context, id string) error {
	select {
	case <-m.channelFor(id):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
