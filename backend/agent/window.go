package agent

import (
	"slices"

	"fairlead/backend/message"
)

// shownMessages is what the model is shown of a history: from the last summary on, without
// the messages that it covers and without older summaries. Nothing of the history is lost
// by that (SPEC §11).
func shownMessages(history []message.Message) []message.Message {
	indexes := shownIndexes(history)
	if len(indexes) == len(history) {
		return history
	}
	messages := make([]message.Message, len(indexes))
	for i, at := range indexes {
		messages[i] = history[at]
	}
	return messages
}

// shownIndexes are the indexes in a history of what the model is shown of it, in its order.
func shownIndexes(history []message.Message) []int {
	last := len(history) - 1
	for last >= 0 && history[last].Covers() == "" {
		last--
	}
	indexes := make([]int, 0, len(history))
	from := 0
	if last >= 0 {
		indexes = append(indexes, last)
		from = 1 + slices.IndexFunc(history, func(m message.Message) bool { return m.ID == history[last].Covers() })
	}
	for i := from; i < len(history); i++ {
		if history[i].Covers() == "" {
			indexes = append(indexes, i)
		}
	}
	return indexes
}
