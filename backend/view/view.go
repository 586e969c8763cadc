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
	places := shown(history)
	if len(places) == len(history) {
		return history
	}
	messages := make([]message.Message, len(places))
	for i, at := range places {
		messages[i] = history[at]
	}
	return messages
}

// shown are the places in a history of what the model is shown of it, in its order.
func shown(history []message.Message) []int {
	last := len(history) - 1
	for last >= 0 && history[last].Covers() == "" {
		last--
	}
	places := make([]int, 0, len(history))
	from := 0
	if last >= 0 {
		places = append(places, last)
		from = 1 + slices.IndexFunc(history, func(m message.Message) bool { return m.ID == history[last].Covers() })
	}
	for i := from; i < len(history); i++ {
		if history[i].Covers() == "" {
			places = append(places, i)
		}
	}
	return places
}
