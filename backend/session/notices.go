package session

import (
	"slices"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// redactNotices returns notices without known keys, which a command can put into the name
// of a file.
func redactNotices(notices []message.Notice, redact func(string) string) []message.Notice {
	hidden := slices.Clone(notices)
	for i := range hidden {
		data := &hidden[i].Data
		data.Path, data.Paths = redact(data.Path), slices.Clone(data.Paths)
		for j := range data.Paths {
			data.Paths[j] = redact(data.Paths[j])
		}
	}
	return hidden
}

// missingTools are the notices of the toolsets that a run has to do without.
func missingTools(missing []tool.Missing, redact func(string) string) []message.Notice {
	notices := make([]message.Notice, len(missing))
	for i, m := range missing {
		notices[i] = message.Notice{
			Code: message.NoticeToolsMissing, Data: message.NoticeData{Toolset: m.Toolset, Error: redact(m.Err.Error())},
		}
	}
	return notices
}

// takeNotices adds what nobody was told of to what waits for the next run.
func (s *Session) takeNotices() {
	if s.config.Notices == nil {
		return
	}
	untold := redactNotices(s.config.Notices(), s.config.Redact)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved.Notices = append(s.saved.Notices, untold...)
}

// TakeNotices returns what the next run would tell of, and has none tell of it.
func (s *Session) TakeNotices() []message.Notice {
	s.takeNotices()
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.saved.Notices
	s.saved.Notices = nil
	return taken
}
