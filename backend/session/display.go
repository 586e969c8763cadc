package session

import (
	"iter"

	"fairlead/backend/event"
)

// withDisplay returns a saved event with how its call is shown, which calls did not say of
// themselves in earlier versions.
func (m *Manager) withDisplay(e event.Event) event.Event {
	if call, ok := e.Data.(event.ToolCall); ok && call.Display == nil && m.options.Display != nil {
		call.Display = m.options.Display(call.ToolName)
		e.Data = call
	}
	return e
}

// withDisplays is withDisplay for events that are read one by one.
func (m *Manager) withDisplays(events iter.Seq2[event.Event, error]) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for e, err := range events {
			if !yield(m.withDisplay(e), err) {
				return
			}
		}
	}
}
