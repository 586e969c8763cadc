package event

// Join makes neighbouring deltas of a part one event, which has the seq and the time
// of the last of them. Who reads all events of a run at once needs no more.
func Join(events []Event) []Event {
	joined := make([]Event, 0, len(events))
	var grown []byte
	for i, e := range events {
		kind, id, text, ok := asDelta(e.Data)
		if !ok {
			joined = append(joined, e)
			continue
		}
		grown = append(grown, text...)
		if i+1 < len(events) {
			if nextKind, nextID, _, ok := asDelta(events[i+1].Data); ok && nextKind == kind && nextID == id {
				continue
			}
		}
		e.Data = fromDelta(kind, id, string(grown))
		joined = append(joined, e)
		grown = grown[:0]
	}
	return joined
}
