package agent

import (
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// finishRepeats is how a reply ends that the loop cut because it repeats its words.
const finishRepeats llm.Finish = "repeats"

// warnings are what the end of a run tells of how its last reply ended.
var warnings = map[llm.Finish][]message.Guard{
	finishRepeats:    {{Kind: message.GuardRepeats, Data: message.GuardData{Bytes: mostRepeated}}},
	llm.FinishLeaked: {{Kind: message.GuardLeaked}},
}

// replyRepeats listens to one reply while it comes (SPEC DOOM-04).
type replyRepeats struct {
	// again is set when a reply to the same request was given up for its repetition. The
	// text of this one may repeat up to mostRepeated bytes: rows may be meant to be equal.
	again bool

	text, reasoning wordRepeats
	counted         int
	over, cut       bool
}

// addPiece takes a piece of the text, or of the reasoning, and returns what of it counts,
// and whether the reply is to end with it.
func (r *replyRepeats) addPiece(piece string, reasoning bool) (counts string, over bool) {
	if r.over {
		return "", true
	}
	counts = piece
	switch {
	case reasoning:
		r.over = r.reasoning.addPiece(piece)
		return counts, r.over
	case r.again:
		counts = piece[:r.text.addUntilCut(piece)]
		r.cut = len(counts) < len(piece)
		r.over = r.cut
	default:
		r.over = r.text.addPiece(piece)
	}
	r.counted += len(counts)
	return counts, r.over
}

// countedBytes is how much of the text counts, in bytes.
func (r *replyRepeats) countedBytes() int { return r.counted }

// isOver reports whether the reply was to be ended because it repeats.
func (r *replyRepeats) isOver() bool { return r.over }

// isCut reports whether it was its text that was cut, which is to be delivered.
func (r *replyRepeats) isCut() bool { return r.cut }
