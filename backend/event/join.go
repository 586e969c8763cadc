package event

import "iter"

// Join makes neighbouring deltas of a part one event, which has the seq and the time
// of the last of them. Who reads all events of a run at once needs no more. It ends with
// the first error.
func Join(events iter.Seq2[Event, error]) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var last Event // the last of the deltas whose texts are in grown
		var grown []byte
		flush := func() bool {
			if last.Data == nil {
				return true
			}
			kind, id, _, _ := asDelta(last.Data)
			last.Data = fromDelta(kind, id, string(grown))
			joined := last
			last, grown = Event{}, grown[:0]
			return yield(joined, nil)
		}
		for e, err := range events {
			kind, id, text, grows := asDelta(e.Data)
			if lastKind, lastID, _, _ := asDelta(last.Data); err != nil || !grows || kind != lastKind || id != lastID {
				if !flush() {
					return
				}
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			if grows {
				last, grown = e, append(grown, text...)
			} else if !yield(e, nil) {
				return
			}
		}
		flush()
	}
}
