package message

import "slices"

// Whole returns messages with every answer that came in pieces as one text, where its last
// piece stands (SPEC LOOP-15). Messages of which nothing is left are left out; those given
// stay as they are.
func Whole(messages []Message) []Message {
	whole := slices.Clone(messages)
	for i := range whole {
		at := slices.IndexFunc(whole[i].Parts, func(p Part) bool { return p.Type == TextPart && p.Continues })
		if at < 0 {
			continue
		}
		whole[i].Parts = slices.Clone(whole[i].Parts)
		whole[i].Parts[at].Text = takeText(whole[:i], whole[i].RunID) + whole[i].Parts[at].Text
	}
	return slices.DeleteFunc(whole, func(m Message) bool { return len(m.Parts) == 0 })
}

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
