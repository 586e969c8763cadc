package message

import (
	"iter"
	"slices"
)

// Whole are messages with every answer that came in pieces as one text, where its last
// piece stands (SPEC LOOP-15). Messages of which nothing is left are left out; those given
// stay as they are. It holds back what may be gone on with, and ends with an error that it
// meets.
func Whole(messages iter.Seq2[Message, error]) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		var held []Message // since the last text of the model, if that may be gone on with
		release := func() bool {
			for _, m := range held {
				if len(m.Parts) > 0 && !yield(m, nil) {
					return false
				}
			}
			held = held[:0]
			return true
		}
		for m, err := range messages {
			if err != nil {
				if release() {
					yield(Message{}, err)
				}
				return
			}
			if at := slices.IndexFunc(m.Parts, func(p Part) bool { return p.Type == TextPart && p.Continues }); at >= 0 {
				m.Parts = slices.Clone(m.Parts)
				m.Parts[at].Text = takeText(held, m.RunID) + m.Parts[at].Text
			}
			if slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Type != ReasoningPart }) && m.Role == Assistant && !release() {
				return
			}
			held = append(held, m)
			if !slices.ContainsFunc(held[0].Parts, cutText) && !release() {
				return
			}
		}
		release()
	}
}

// cutText says that a part is text that may be gone on with.
func cutText(p Part) bool { return p.Type == TextPart && p.Interrupted }

// takeText takes the last text of a run's model out of messages.
func takeText(messages []Message, runID string) string {
	for i, m := range slices.Backward(messages) {
		if m.Role != Assistant || m.RunID != runID {
			continue
		}
		for at, part := range slices.Backward(m.Parts) {
			if part.Type == TextPart {
				messages[i].Parts = slices.Delete(slices.Clone(m.Parts), at, at+1)
				return part.Text
			}
		}
	}
	return ""
}
