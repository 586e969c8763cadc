package openai

import (
	"encoding/json"
)

// details joins the entries of reasoning_details, which come in pieces like all of a
// stream, to the list that goes back: pieces of one text become that text.
func details(pieces []json.RawMessage) json.RawMessage {
	var whole []map[string]json.RawMessage
	for _, raw := range pieces {
		var piece map[string]json.RawMessage
		if json.Unmarshal(raw, &piece) != nil || piece == nil {
			continue // what is no object cannot go back
		}
		if last := len(whole) - 1; last >= 0 && continues(whole[last], piece) {
			join(whole[last], piece)
			continue
		}
		whole = append(whole, piece)
	}
	if len(whole) == 0 {
		return nil
	}
	return encoded(whole)
}

// continues says that a piece belongs to the entry before it.
func continues(entry, piece map[string]json.RawMessage) bool {
	for _, name := range []string{"type", "index"} {
		if string(entry[name]) != string(piece[name]) {
			return false
		}
	}
	// Encrypted reasoning comes whole.
	return piece["data"] == nil && entry["data"] == nil
}

// join adds a piece to an entry: its text goes behind, and what else it has counts
// from now on.
func join(entry, piece map[string]json.RawMessage) {
	for name, value := range piece {
		if name == "text" || name == "summary" {
			var before, after string
			// What is no text is none.
			_ = json.Unmarshal(entry[name], &before)
			_ = json.Unmarshal(value, &after)
			value = encoded(before + after)
		} else if string(value) == "null" {
			continue
		}
		entry[name] = value
	}
}
