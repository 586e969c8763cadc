package anthropic

import (
	"encoding/json"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// turn is a message of the protocol.
type turn struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is a piece of a turn: text, a call, its result, or thinking to the byte as the
// provider gave it.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
	Cache     *cacheMark      `json:"cache_control,omitempty"`

	thinking json.RawMessage
}

// MarshalJSON implements json.Marshaler.
func (b block) MarshalJSON() ([]byte, error) {
	if b.thinking != nil {
		return b.thinking, nil
	}
	type plain block
	return json.Marshal(plain(b))
}

// The types of block, and the roles.
const (
	textBlock     = "text"
	thinkingBlock = "thinking"
	redactedBlock = "redacted_thinking"
	callBlock     = "tool_use"
	resultBlock   = "tool_result"

	userRole      = "user"
	assistantRole = "assistant"
)

// writer writes the turns of one request.
type writer struct{ protocol.Texts }

// writeTurns writes the messages. What the user says behind results is a turn of its own:
// the provider joins the two, and what was sent before stays the same.
func (w *writer) writeTurns(messages []message.Message) []turn {
	turns := make([]turn, 0, 2*len(messages))
	for _, m := range messages {
		if m.Role == message.Assistant {
			turns = append(turns, w.writeAssistant(m)...)
			continue
		}
		if text := w.Text(protocol.TextOf(m)); text != "" {
			if m.Name != "" {
				text = m.Name + ": " + text
			}
			turns = append(turns, turn{userRole, []block{{Type: textBlock, Text: text}}})
		}
	}
	return turns
}

// writeAssistant writes what the model said, in the order in which it did, and a turn of
// the user with the results of its calls.
func (w *writer) writeAssistant(m message.Message) []turn {
	said := w.Text(protocol.TextOf(m))
	uses := m.ToolParts()
	var blocks, results []block
	addText := func() {
		if said != "" {
			blocks, said = append(blocks, block{Type: textBlock, Text: said}), ""
		}
	}
	addCall := func() {
		if len(uses) == 0 {
			return
		}
		use := uses[0].Tool
		uses = uses[1:]
		id := protocol.CallID(llm.PlainID, use.CallID)
		blocks = append(blocks, block{
			Type: callBlock, ID: id, Name: protocol.FunctionName(use.Name), Input: json.RawMessage(w.Arguments(use.State.Input)),
		})
		results = append(results, block{
			Type: resultBlock, ToolUseID: id, Content: w.Text(use.Seen()), IsError: use.State.Status == message.Failed,
		})
	}
	for _, kept := range w.keptBlocks(m) {
		switch kept.Type {
		case thinkingBlock, redactedBlock:
			blocks = append(blocks, block{thinking: kept.raw})
		case textBlock:
			addText()
		case callBlock:
			addCall()
		}
	}
	addText()
	for len(uses) > 0 {
		addCall()
	}
	for len(blocks) > 0 && blocks[len(blocks)-1].thinking != nil {
		blocks = blocks[:len(blocks)-1] // a turn may not end in thinking
	}
	var turns []turn
	if len(blocks) > 0 {
		turns = append(turns, turn{assistantRole, blocks})
	}
	if len(results) > 0 {
		turns = append(turns, turn{userRole, results})
	}
	return turns
}

// keptBlock is a block of an answer as it is kept: thinking whole, of others only what and
// where they are.
type keptBlock struct {
	Type string `json:"type"`

	raw json.RawMessage
}

// keptBlocks are the blocks that are kept of a message; none where it has the reasoning of
// another protocol.
func (w *writer) keptBlocks(m message.Message) []keptBlock {
	for _, part := range m.Parts {
		var raws []json.RawMessage
		if len(part.Details) == 0 || json.Unmarshal(w.JSON(part.Details), &raws) != nil {
			continue
		}
		kept := make([]keptBlock, 0, len(raws))
		for _, raw := range raws {
			each := keptBlock{raw: raw}
			if json.Unmarshal(raw, &each) == nil {
				kept = append(kept, each)
			}
		}
		return kept
	}
	return nil
}
