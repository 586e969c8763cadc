package change

import (
	"context"
	"slices"
	"sync"
)

// Memory keeps the sets of a conversation that is not saved. The zero value keeps none yet,
// and it is safe for concurrent use.
type Memory struct {
	mu   sync.Mutex
	sets []Set
}

// SaveSets implements Journal.
func (m *Memory) SaveSets(_ context.Context, _ bool, sets ...Set) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range sets {
		s.Changes, s.Times = slices.Clone(s.Changes), slices.Clone(s.Times)
		if at := slices.IndexFunc(m.sets, func(o Set) bool { return o.ID == s.ID }); at >= 0 {
			m.sets[at] = s
		} else {
			m.sets = append(m.sets, s)
		}
	}
	return nil
}

// DeleteSet implements Journal.
func (m *Memory) DeleteSet(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sets = slices.DeleteFunc(m.sets, func(s Set) bool { return s.ID == id })
	return nil
}

// Sets implements Journal.
func (m *Memory) Sets(context.Context, string) ([]Set, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sets := slices.Clone(m.sets)
	for i := range sets {
		sets[i].Changes = slices.Clone(sets[i].Changes)
	}
	return sets, nil
}
