package desktop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"fairlead/backend/event"
)

// maxJSON is the most JSON, in bytes, that one event or bound result brings to
// the page: the web engines keep larger scripts in memory (SPEC EV-06).
const maxJSON = 8192

// Envelope is an event as the page gets it.
type Envelope struct {
	Seq       int64      `json:"seq"`
	RunID     string     `json:"runId"`
	SessionID string     `json:"sessionId"`
	TS        int64      `json:"ts"`
	Type      event.Type `json:"type"`
	// Data is the payload that belongs to Type.
	Data any `json:"data"`
	// Ref is set when long texts in Data were cut: the address of the whole event.
	Ref string `json:"ref,omitempty"`
}

// eventAddress returns the address of a whole event of a run.
func eventAddress(runID string, seq int64) string {
	return fmt.Sprintf("%sruns/%s/events/%d", routes, runID, seq)
}

// encode returns an event in at most limit bytes of JSON. redact hides known keys,
// before anything is cut, because half a key would not be found. What is longer
// than limit is cut, longest texts first, and refers to the whole; blocks refer to their
// bytes.
func encode(e event.Event, limit int, redact func([]byte) []byte) (json.RawMessage, error) {
	whole, err := json.Marshal(withRefs(e))
	if err != nil {
		return nil, fmt.Errorf("encode event %s %d: %w", e.Type, e.Seq, err)
	}
	if whole = redact(whole); len(whole) <= limit {
		return whole, nil
	}
	envelope := Envelope{Seq: e.Seq, RunID: e.RunID, SessionID: e.SessionID, TS: e.TS, Type: e.Type, Ref: eventAddress(e.RunID, e.Seq)}
	var parsed struct {
		Data any `json:"data"`
	}
	decoder := json.NewDecoder(bytes.NewReader(whole))
	decoder.UseNumber() // a model may write one that no float64 holds
	if err := decoder.Decode(&parsed); err != nil {
		// What is nested as deep as JSON may be is too deep inside of an event.
		parsed.Data = struct{}{}
	}
	for longest := limit / 2; ; longest /= 2 {
		envelope.Data = shortenValue(parsed.Data, longest, 0)
		cut, err := json.Marshal(envelope)
		if err != nil {
			return nil, fmt.Errorf("cut event %s %d: %w", e.Type, e.Seq, err)
		}
		if len(cut) <= limit || longest < shortText {
			return cut, nil
		}
	}
}

const (
	// shortText is a text that is never cut, in bytes: ids, names, codes.
	shortText = 128
	// bytesPerItem is what an item of a list or a field of an object is taken to
	// cost, when these are shortened along with texts.
	bytesPerItem = 64
	// noticeShare is the part of the longest text that a path in a notice has, and
	// shortNotice what is never cut of it, in bytes.
	noticeShare = 16
	shortNotice = 48
)

// shortenValue cuts every text to longest bytes, and what is nested below the payload's
// own fields to as many items as fit into longest; what is nested in these has
// half of that. So little is left in the end, however much and however deep a
// model wrote.
func shortenValue(value any, longest, depth int) any {
	space := longest / bytesPerItem
	switch v := value.(type) {
	case string:
		return cutText(v, max(longest, shortText))
	case json.Number:
		if len(v) > shortText {
			return cutText(v.String(), shortText)
		}
	case []any:
		if len(v) > space {
			v = v[:space]
		}
		items := make([]any, len(v))
		for i := range v {
			items[i] = shortenValue(v[i], longest/(len(v)+1), depth+1)
		}
		return items
	case map[string]any:
		below := longest
		if depth > 0 {
			below /= 2
		}
		fields := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if depth == 0 && name == "notices" {
				fields[name] = shortenNotices(v[name], longest)
				continue
			}
			if depth > 0 && len(fields) >= space {
				break
			}
			fields[cutText(name, shortText)] = shortenValue(v[name], below, depth+1)
		}
		return fields
	}
	return value
}

// shortenNotices leaves none of the notices out and nothing of them but the end of a
// long path. There are few of them in an event.
func shortenNotices(notices any, longest int) any {
	switch v := notices.(type) {
	case []any:
		items := make([]any, len(v))
		for i := range v {
			items[i] = shortenNotices(v[i], longest)
		}
		return items
	case map[string]any:
		fields := make(map[string]any, len(v))
		for name, value := range v {
			fields[name] = shortenNotices(value, longest)
		}
		return fields
	case string:
		return cutText(v, max(longest/noticeShare, shortNotice))
	}
	return notices
}

// cutText cuts a text to at most longest bytes between two characters.
func cutText(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	for longest > 0 && !utf8.RuneStart(text[longest]) {
		longest--
	}
	return text[:longest]
}
