package responses

import (
	"encoding/json"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// item is one item of a conversation: a message, a call, its output, or reasoning to the
// byte as the provider gave it.
type item struct {
	itemFields

	reasoning json.RawMessage
}

type itemFields struct {
	Type string `json:"type"`
	Role string `json:"role,omitempty"`
	// Phase is what OpenAI says of a message of the model and wants back with it.
	Phase     string    `json:"phase,omitempty"`
	Content   []content `json:"content,omitempty"`
	CallID    string    `json:"call_id,omitempty"`
	Name      string    `json:"name,omitempty"`
	Arguments *string   `json:"arguments,omitempty"`
	Output    *string   `json:"output,omitempty"`
}

type content struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	ImageURL string `json:"image_url,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (i item) MarshalJSON() ([]byte, error) {
	if i.reasoning != nil {
		return i.reasoning, nil
	}
	return json.Marshal(i.itemFields)
}

// The types of item.
const (
	messageItem   = "message"
	reasoningItem = "reasoning"
	callItem      = "function_call"
	resultItem    = "function_call_output"
)

// writer writes the items of one request.
type writer struct{ protocol.Texts }

func (w *writer) writeItems(messages []message.Message) []item {
	items := make([]item, 0, 2*len(messages))
	for _, m := range messages {
		if m.Role == message.Assistant {
			items = append(items, w.writeAssistant(m)...)
			// Of the servers that speak the protocol not all take an output that is no text.
			if pictures := protocol.Pictures(m.ToolParts()...); len(pictures) > 0 {
				items = append(items, userMessage(w.Text(protocol.Marks(pictures)), pictures))
			}
			continue
		}
		if text := w.Text(protocol.TextOf(m)); text != "" {
			if m.Name != "" {
				text = m.Name + ": " + text
			}
			items = append(items, userMessage(text, protocol.PicturesOf(m)))
		}
	}
	return items
}

// userMessage is a message of the user's, or of Fairlead's own, with pictures.
func userMessage(text string, pictures []message.Block) item {
	said := messageOf("user", "input_text", text)
	for _, picture := range pictures {
		said.Content = append(said.Content, content{Type: "input_image", ImageURL: protocol.DataURL(picture)})
	}
	return said
}

func messageOf(role, kind, text string) item {
	return item{itemFields: itemFields{Type: messageItem, Role: role, Content: []content{{Type: kind, Text: text}}}}
}

// kinds are the types of item of an answer.
var kinds = map[string]protocol.SaidKind{
	messageItem: protocol.SaidText, callItem: protocol.SaidCall, reasoningItem: protocol.SaidReasoning,
}

// writeAssistant writes what the model said, in its order, and then the outputs of its
// calls.
func (w *writer) writeAssistant(m message.Message) []item {
	var items, outputs []item
	for _, said := range w.InOrder(m, kinds) {
		switch said.Kind {
		case protocol.SaidText:
			spoken := messageOf("assistant", "output_text", said.Text)
			spoken.Phase = said.Entry.Phase
			items = append(items, spoken)
		case protocol.SaidReasoning:
			items = append(items, item{reasoning: said.Reasoning})
		case protocol.SaidCall:
			use := said.Call
			id, arguments, output := protocol.CallID(llm.PlainID, use.CallID), w.Arguments(use.State.Input), w.Text(use.Seen())
			items = append(items, item{itemFields: itemFields{
				Type: callItem, CallID: id, Name: protocol.FunctionName(use.Name), Arguments: &arguments,
			}})
			outputs = append(outputs, item{itemFields: itemFields{Type: resultItem, CallID: id, Output: &output}})
		}
	}
	return append(items, outputs...)
}
