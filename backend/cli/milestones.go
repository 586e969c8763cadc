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

// milestone names a question by its call or guard and by when it expires: one that was
// answered by an edit is put again, and the new one must not stand where the old one did.
func milestone(id string, expiresAt int64) string { return fmt.Sprintf("%s until %d", id, expiresAt) }

func (m *milestones) of(id string) chan struct{} {
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

// mark says that the events up to a question are written. It reports that the
// question is then asked.
func (m *milestones) mark(id string) bool {
	select {
	case m.of(id) <- struct{}{}:
	default: // two questions about one call in one millisecond
	}
	return true
}

// await waits until a question's milestone is reached.
func (m *milestones) await(ctx context.Context, id string) error {
	select {
	case <-m.of(id):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
