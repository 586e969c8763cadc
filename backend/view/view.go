// Package view is what a model is shown of a conversation: the newest of it whole,
// older outputs left out, and a summary in the place of what is older still (SPEC §11).
// Nothing is lost; only the view shrinks.
package view

import (
	"slices"

	"fairlead/backend/message"
)

// Of is what the model is shown of a history: from the last summary on, without what
// that stands for and without older summaries.
func Of(history []message.Message) []message.Message {
	last := len(history) - 1
	for last >= 0 && history[last].Covers() == "" {
		last--
	}
	if last < 0 {
		return history
	}
	shown := []message.Message{history[last]}
	covered := slices.IndexFunc(history, func(m message.Message) bool { return m.ID == history[last].Covers() })
	for _, m := range history[covered+1:] {
		if m.Covers() == "" {
			shown = append(shown, m)
		}
	}
	return shown
}
