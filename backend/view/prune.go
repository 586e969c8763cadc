package view

import (
	"slices"

	"fairlead/backend/message"
)

// Prune finds the outputs of older calls that the model need not be shown any more,
// and marks them in the history as pruned; the calls stay, with a title in place of the
// output. It returns their parts, none while there are too few to be worth it, and how
// many tokens a request takes before and after (SPEC CTX-01). The messages of the
// history are replaced: other holders of their parts keep them as they were.
func (m *Meter) Prune(history []message.Message) (pruned []message.Part, before, after int) {
	before, saved := m.Used(Of(history)), 0
	left := m.share(protected, protectedPart)
	var older []int // places of messages with outputs to prune
	for _, at := range slices.Backward(shown(history)) {
		if left > 0 {
			left -= m.Size(&history[at])
			continue
		}
		saving := 0
		for _, part := range history[at].ToolParts() {
			saving += m.saving(part)
		}
		if saving > 0 {
			older, saved = append(older, at), saved+saving
		}
	}
	if saved < m.share(batch, batchPart) {
		return nil, before, before
	}
	for _, at := range older {
		history[at].Parts = slices.Clone(history[at].Parts)
		for _, part := range history[at].ToolParts() {
			if m.saving(part) > 0 {
				use := *part.Tool
				use.State.Pruned = true
				part.Tool = &use
				pruned = append(pruned, *part)
			}
		}
		m.Shrunk(history[at].ID)
	}
	return pruned, before, max(before-saved, 0)
}

// saving is how many tokens the output of a call takes more than its title; 0 for less.
func (m *Meter) saving(part *message.Part) int {
	if part.Tool.State.Pruned || part.Tool.State.Output == nil {
		return 0
	}
	return max(m.parts.Tokens(part).Output-m.title(part.Tool), 0)
}
