package agent

import (
	"slices"

	"fairlead/backend/message"
)

// pruneOutputs finds the outputs of older calls that the model need not be shown any more,
// and marks them in the history as pruned; the calls stay, with a title in place of the
// output. It returns their parts, none while there are too few to be worth it, and how
// many tokens a request takes before and after (SPEC CTX-01). The messages of the
// history are replaced: other holders of their parts keep them as they were.
func (m *windowMeter) pruneOutputs(history []message.Message) (pruned []message.Part, before, after int) {
	before, saved := m.requestTokens(shownMessages(history)), 0
	left := m.sizeOrShare(protectedTokens, protectedPart)
	var older []int // indexes of messages with outputs to prune
	for _, at := range slices.Backward(shownIndexes(history)) {
		if left > 0 {
			left -= m.messageTokens(&history[at])
			continue
		}
		saving := 0
		for _, part := range history[at].ToolParts() {
			saving += m.savedTokens(part)
		}
		if saving > 0 {
			older, saved = append(older, at), saved+saving
		}
	}
	if saved < m.sizeOrShare(batchTokens, batchPart) {
		return nil, before, before
	}
	for _, at := range older {
		history[at].Parts = slices.Clone(history[at].Parts)
		for _, part := range history[at].ToolParts() {
			if m.savedTokens(part) > 0 {
				use := *part.Tool
				use.State.Pruned = true
				part.Tool = &use
				pruned = append(pruned, *part)
			}
		}
		m.forgetSizes(history[at].ID)
	}
	return pruned, before, max(before-saved, 0)
}

// savedTokens is how many tokens the output of a call takes more than its title; 0 for less.
func (m *windowMeter) savedTokens(part *message.Part) int {
	if part.Tool.State.Pruned || part.Tool.State.Output == nil {
		return 0
	}
	return max(m.parts.partTokens(part).Output-m.titleTokens(part.Tool), 0)
}
