package openai

import (
	"encoding/json"
	"strings"

	"fairlead/backend/llm/protocol"
)

// joinDetails joins the entries of reasoning_details, which come in pieces like all of a
// stream, to the list that goes back: pieces of one text become that text.
func joinDetails(pieces []json.RawMessage) json.RawMessage {
	var whole []*entry
	for _, raw := range pieces {
		var piece map[string]json.RawMessage
		if json.Unmarshal(raw, &piece) != nil || piece == nil {
			continue // what is no object cannot go back
		}
		last := len(whole) - 1
		if last < 0 || !whole[last].isContinuedBy(piece) {
			whole = append(whole, &entry{members: map[string]json.RawMessage{}, texts: map[string]*strings.Builder{}})
			last++
		}
		whole[last].add(piece)
	}
	if len(whole) == 0 {
		return nil
	}
	all := make([]map[string]json.RawMessage, len(whole))
	for i, entry := range whole {
		all[i] = entry.joinPieces()
	}
	return protocol.MustEncode(all)
}

// entry is one entry that is being put together.
type entry struct {
	members map[string]json.RawMessage
	// texts are the members that grow with each piece.
	texts map[string]*strings.Builder
}

// isContinuedBy says that a piece belongs to the entry.
func (e *entry) isContinuedBy(piece map[string]json.RawMessage) bool {
	for _, name := range []string{"type", "index"} {
		if string(e.members[name]) != string(piece[name]) {
			return false
		}
	}
	// Encrypted reasoning comes whole.
	return piece["data"] == nil && e.members["data"] == nil
}

// add adds a piece: its texts go behind, and what else it has counts from now on.
func (e *entry) add(piece map[string]json.RawMessage) {
	for name, value := range piece {
		var text string
		switch {
		case name == "text" || name == "summary" || name == "thinking":
			if json.Unmarshal(value, &text) != nil {
				continue // what is no text is none
			}
			if e.texts[name] == nil {
				e.texts[name] = &strings.Builder{}
			}
			e.texts[name].WriteString(text)
		case e.members[name] == nil || string(value) != "null":
			e.members[name] = value
		}
	}
}

// joinPieces is the whole entry.
func (e *entry) joinPieces() map[string]json.RawMessage {
	for name, text := range e.texts {
		e.members[name] = protocol.MustEncode(text.String())
	}
	return e.members
}
