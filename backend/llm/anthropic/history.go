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
	// Content is that of a result: a text, or blocks where pictures go with it.
	Content any        `json:"content,omitempty"`
	Source  *source    `json:"source,omitempty"`
	IsError bool       `json:"is_error,omitempty"`
	Cache   *cacheMark `json:"cache_control,omitempty"`

	thinking json.RawMessage
}

// source are the bytes of a picture.
type source struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // which JSON has in base64, as the protocol wants it
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
	imageBlock    = "image"

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
			turns = append(turns, turn{userRole, withPictures(text, protocol.PicturesOf(m))})
		}
	}
	return turns
}

// withPictures is a text with pictures behind it.
func withPictures(text string, pictures []message.Block) []block {
	blocks := []block{{Type: textBlock, Text: text}}
	for _, picture := range pictures {
		blocks = append(blocks, block{Type: imageBlock, Source: &source{"base64", picture.MediaType, picture.Data}})
	}
	return blocks
}

// kinds are the types of block of an answer.
var kinds = map[string]protocol.SaidKind{
	textBlock: protocol.SaidText, callBlock: protocol.SaidCall,
	thinkingBlock: protocol.SaidReasoning, redactedBlock: protocol.SaidReasoning,
}

// writeAssistant writes what the model said, in its order, and a turn of the user with the
// results of its calls.
func (w *writer) writeAssistant(m message.Message) []turn {
	var blocks, results []block
	for _, said := range w.InOrder(m, kinds) {
		switch said.Kind {
		case protocol.SaidText:
			blocks = append(blocks, block{Type: textBlock, Text: said.Text})
		case protocol.SaidReasoning:
			blocks = append(blocks, block{thinking: said.Reasoning})
		case protocol.SaidCall:
			use := said.Call
			id := protocol.CallID(llm.PlainID, use.CallID)
			blocks = append(blocks, block{
				Type: callBlock, ID: id, Name: protocol.FunctionName(use.Name), Input: json.RawMessage(w.Arguments(use.State.Input)),
			})
			results = append(results, block{
				Type: resultBlock, ToolUseID: id, Content: w.result(use), IsError: use.State.Status == message.Failed,
			})
		}
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

// result is the content of a call's result.
func (w *writer) result(use *message.ToolUse) any {
	text := w.Text(use.Seen())
	if pictures := protocol.Pictures(&message.Part{Type: message.ToolPart, Tool: use}); len(pictures) > 0 {
		return withPictures(text, pictures)
	}
	return text
}
