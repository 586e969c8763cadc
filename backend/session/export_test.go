package session

import (
	"context"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store"
)

// RecordWith has a keeper of the test's own take what the session's runs saved.
func (s *Session) RecordWith(keeper event.Keeper) {
	s.record = func(context.Context, store.Session) event.Keeper { return keeper }
}

// History is the conversation so far.
func (s *Session) History() []message.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.history
}

// New starts a conversation, without what Open takes and gives back.
func (m *Manager) New(id string, config Config) *Driver {
	return &Driver{Session: m.newSession(id, config)}
}

// Load goes on with a saved conversation, likewise.
func (m *Manager) Load(ctx context.Context, saved store.Session, config Config) (*Driver, error) {
	loaded, err := m.loadSession(ctx, saved, config)
	return &Driver{Session: loaded}, err
}

// Recover gives an end to the runs that a crash cut off.
var Recover = recoverRuns
