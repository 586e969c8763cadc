package session

import "fairlead/backend/event"

// RecordWith has a keeper of the test's own take what the session's runs put away.
func (s *Session) RecordWith(keeper event.Keeper) {
	s.record = func() event.Keeper { return keeper }
}
