package session

import (
	"slices"

	"fairlead/backend/message"
)

// redacted are notices without known keys, which a command can put into the name of a file.
func redacted(notices []message.Notice, redact func(string) string) []message.Notice {
	hidden := slices.Clone(notices)
	for i := range hidden {
		hidden[i].Data.Path = redact(hidden[i].Data.Path)
	}
	return hidden
}

// takeNotices adds what nobody was told of to what waits for the next run. The caller
// holds the lock.
func (s *Session) takeNotices() {
	if s.config.Notices != nil {
		s.saved.Notices = append(s.saved.Notices, redacted(s.config.Notices(), s.config.Redact)...)
	}
}

// TakeNotices returns what the next run would tell of, and has none tell of it.
func (s *Session) TakeNotices() []message.Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeNotices()
	taken := s.saved.Notices
	s.saved.Notices = nil
	return taken
}
