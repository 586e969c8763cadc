package protocol

import (
	"encoding/json"

	"fairlead/backend/message"
)

// Said is one thing that the model said in a message.
type Said struct {
	Kind SaidKind
	// Text is set for SaidText, Call for SaidCall, and Reasoning, to the byte as the provider
	// gave it, for SaidReasoning.
	Text      string
	Call      *message.ToolUse
	Reasoning json.RawMessage
	// Entry is what was kept of it; the zero Entry where nothing was.
	Entry Entry
}

// SaidKind is what was said.
type SaidKind int

// The kinds.
const (
	SaidText SaidKind = iota + 1
	SaidCall
	SaidReasoning
)

// Entry is one part of an answer as it is kept beside the reasoning: of reasoning all, of
// others what and where they are, because reasoning goes back before what it led to.
type Entry struct {
	Type string `json:"type"`
	// Phase is what OpenAI says of a text and wants back with it.
	Phase string `json:"phase,omitempty"`
}

// InOrder returns what the model said in a message, in the order in which it did, without
// known secrets. kinds are the types of entry of a protocol; what another protocol has
// kept is left out, and so is reasoning that led to nothing, which providers refuse.
func (t *Texts) InOrder(m message.Message, kinds map[string]SaidKind) []Said {
	text := t.Text(TextOf(m))
	uses := m.ToolParts()
	var all []Said
	addText := func(entry Entry) {
		if text != "" {
			all, text = append(all, Said{Kind: SaidText, Text: text, Entry: entry}), ""
		}
	}
	addCall := func(entry Entry) {
		if len(uses) > 0 {
			all, uses = append(all, Said{Kind: SaidCall, Call: uses[0].Tool, Entry: entry}), uses[1:]
		}
	}
	for _, raw := range t.entries(m) {
		var entry Entry
		if json.Unmarshal(raw, &entry) != nil {
			continue
		}
		switch kinds[entry.Type] {
		case SaidText:
			addText(entry)
		case SaidCall:
			addCall(entry)
		case SaidReasoning:
			all = append(all, Said{Kind: SaidReasoning, Reasoning: raw, Entry: entry})
		}
	}
	addText(Entry{})
	for len(uses) > 0 {
		addCall(Entry{})
	}
	for len(all) > 0 && all[len(all)-1].Kind == SaidReasoning {
		all = all[:len(all)-1]
	}
	return all
}

// entries are what was kept of a message.
func (t *Texts) entries(m message.Message) []json.RawMessage {
	for _, part := range m.Parts {
		var entries []json.RawMessage
		if json.Unmarshal(t.JSON(part.Details), &entries) == nil {
			return entries
		}
	}
	return nil
}
