package desktop

import (
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"fairlead/backend/event"
)

// EventName is the one event of the window library that everything travels on,
// so that the order is kept. Its payload is a list of envelopes.
const EventName = "fairlead"

// emitter brings events to the page, in order, packed so that no message is
// larger than maxJSON.
type emitter struct {
	log *slog.Logger
	// redact hides known keys.
	redact func([]byte) []byte

	mu   sync.Mutex
	send func([]json.RawMessage)
	news int64 // the last seq of what is no run's event
}

// announce brings news to the page that belongs to no run (SPEC EV-07).
func (e *emitter) announce(data event.Data) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.news++
	e.sendPacked([]event.Event{{Seq: e.news, TS: time.Now().UnixMilli(), Type: data.EventType(), Data: data}})
}

func (e *emitter) emit(events []event.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sendPacked(events)
}

// sendPacked sends events in as few messages as they fit into.
func (e *emitter) sendPacked(events []event.Event) {
	const brackets = 2
	var batch []json.RawMessage
	size := brackets
	for _, one := range events {
		text, err := encode(one, maxJSON-brackets, e.redact)
		if err != nil {
			e.log.Error("encode event for the window", "error", err)
			continue
		}
		if size+len(text)+1 > maxJSON && len(batch) > 0 {
			e.send(batch)
			batch, size = nil, brackets
		}
		batch = append(batch, text)
		size += len(text) + 1
	}
	if len(batch) > 0 {
		e.send(batch)
	}
}
