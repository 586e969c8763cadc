package session

import (
	"context"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store"
)

// RecordWith has a keeper of the test's own take what the session's runs put away.
func (s *Session) RecordWith(keeper event.Keeper) {
	s.record = func(context.Context, store.Session) event.Keeper { return keeper }
}

// History is the conversation so far.
func (s *Session) History() []message.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.history
}
