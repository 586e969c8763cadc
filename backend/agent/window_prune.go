package agent

import (
	"slices"

	"fairlead/backend/message"
)

// pictureTurns is for how many turns a picture is shown: in that of the prompt that it came with,
// or was read for, and in the next (SPEC DOC-02).
const pictureTurns = 2

// prunedPart is the place of a part of a history of which the model is shown less from now on.
type prunedPart struct{ message, at int }

// pruneOutputs finds the outputs of older calls that the model need not be shown any more, and
// pictures of older turns, and marks them in the history as pruned (see message.Part.Prune). It returns their parts, none while there are too few to be worth it,
// and how many tokens a request takes before and after (SPEC CTX-01). The messages of the
// history are replaced: other holders of their parts keep them as they were.
func (m *windowMeter) pruneOutputs(history []message.Message) (pruned []message.Part, before, after int) {
	before, saved, turns := m.requestTokens(shownMessages(history)), 0, 0
	left := m.sizeOrShare(protectedTokens, protectedPart)
	var found []prunedPart
	for _, index := range slices.Backward(shownIndexes(history)) {
		of := &history[index]
		isNewest := left > 0
		for at := range of.Parts {
			if saving := m.savedTokens(&of.Parts[at], isNewest, turns < pictureTurns); saving > 0 {
				found, saved = append(found, prunedPart{index, at}), saved+saving
			}
		}
		if isNewest {
			left -= m.messageTokens(of)
		}
		if of.Role == message.User && !of.Synthetic {
			turns++
		}
	}
	if saved < m.sizeOrShare(batchTokens, batchPart) {
		return nil, before, before
	}
	changed := -1
	for _, each := range found {
		if each.message != changed {
			changed = each.message
			history[changed].Parts = slices.Clone(history[changed].Parts)
			m.forgetSizes(history[changed].ID)
		}
		part := history[changed].Parts[each.at].Prune()
		history[changed].Parts[each.at] = part
		pruned = append(pruned, part)
	}
	return pruned, before, max(before-saved, 0)
}

// savedTokens is how many tokens it saves to prune a part; 0 where it is to be shown as it is. Only
// pictures of older turns are pruned of the newest messages.
func (m *windowMeter) savedTokens(part *message.Part, isNewest, isRecent bool) int {
	pictures := pictureTokens * len(part.Pictures())
	switch {
	case (isNewest || part.Tool == nil) && (isRecent || pictures == 0):
		return 0
	case part.Tool == nil:
		return pictures
	case part.Tool.State.Pruned || part.Tool.State.Output == nil:
		return 0
	}
	return max(m.parts.partTokens(part).Output+pictures-m.titleTokens(part.Tool), 0)
}
