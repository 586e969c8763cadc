package event

import "time"

// Deltas of one part that come within coalesceInterval of each other become one
// event, unless more than coalesceBytes wait. An event that nobody waits for is saved
// with the next one, and after that time at the latest.
const (
	coalesceInterval = 50 * time.Millisecond
	coalesceBytes    = 4096
)

// growing is a delta that waits for more of its kind.
type growing struct {
	kind Type
	id   string
	text []byte
}

// addDelta adds to the waiting deltas. It returns how long they can wait, or that they are due.
// The first one after a pause goes at once, so that streaming feels immediate.
func (s *Stream) addDelta(kind Type, id, text string) (wait time.Duration, due bool) {
	total := 0
	found := false
	for i := range s.waiting {
		if s.waiting[i].kind == kind && s.waiting[i].id == id {
			s.waiting[i].text = append(s.waiting[i].text, text...)
			found = true
		}
		total += len(s.waiting[i].text)
	}
	if !found {
		s.waiting = append(s.waiting, growing{kind, id, []byte(text)})
		total += len(text)
	}
	since := time.Since(s.flushed)
	if since >= coalesceInterval || total >= coalesceBytes {
		s.flush()
		return 0, true
	}
	return coalesceInterval - since, false
}

// flush makes events of the waiting deltas.
func (s *Stream) flush() {
	if len(s.waiting) == 0 {
		return
	}
	for _, g := range s.waiting {
		s.append(fromDelta(g.kind, g.id, string(g.text)))
	}
	s.waiting = s.waiting[:0]
	s.flushed = time.Now()
}

func asDelta(data Data) (kind Type, id, text string, ok bool) {
	switch d := data.(type) {
	case AssistantDelta:
		return TypeAssistantDelta, d.PartID, d.Content, true
	case ReasoningDelta:
		return TypeReasoningDelta, d.PartID, d.Content, true
	case ToolProgress:
		return TypeToolProgress, d.CallID, d.Content, true
	}
	return "", "", "", false
}

func fromDelta(kind Type, id, text string) Data {
	switch kind {
	case TypeAssistantDelta:
		return AssistantDelta{id, text}
	case TypeReasoningDelta:
		return ReasoningDelta{id, text}
	default:
		return ToolProgress{id, text}
	}
}
