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
	Type string `json:"type"`
	Text string `json:"text"`
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
			continue
		}
		if text := w.Text(protocol.TextOf(m)); text != "" {
			if m.Name != "" {
				text = m.Name + ": " + text
			}
			items = append(items, messageOf("user", "input_text", text))
		}
	}
	return items
}

func messageOf(role, kind, text string) item {
	return item{itemFields: itemFields{Type: messageItem, Role: role, Content: []content{{kind, text}}}}
}

// writeAssistant writes what the model said, in the order in which it did, and then the
// outputs of its calls. Reasoning in the form of another protocol is left out.
func (w *writer) writeAssistant(m message.Message) []item {
	said := w.Text(protocol.TextOf(m))
	uses := m.ToolParts()
	var items, outputs []item
	addText := func(phase string) {
		if said != "" {
			spoken := messageOf("assistant", "output_text", said)
			spoken.Phase = phase
			items, said = append(items, spoken), ""
		}
	}
	addCall := func() {
		if len(uses) == 0 {
			return
		}
		use := uses[0].Tool
		uses = uses[1:]
		id, arguments, output := protocol.CallID(llm.PlainID, use.CallID), w.Arguments(use.State.Input), w.Text(use.Seen())
		items = append(items, item{itemFields: itemFields{
			Type: callItem, CallID: id, Name: protocol.FunctionName(use.Name), Arguments: &arguments,
		}})
		outputs = append(outputs, item{itemFields: itemFields{Type: resultItem, CallID: id, Output: &output}})
	}
	for _, kept := range w.keptItems(m) {
		switch kept.Type {
		case reasoningItem:
			items = append(items, item{reasoning: kept.raw})
		case messageItem:
			addText(kept.Phase)
		case callItem:
			addCall()
		}
	}
	addText("")
	for len(uses) > 0 {
		addCall()
	}
	return append(withoutLooseReasoning(items), outputs...)
}

// keptItem is an item of an answer as it is kept: reasoning whole, of others only what and
// where they are.
type keptItem struct {
	Type  string `json:"type"`
	Phase string `json:"phase,omitempty"`

	raw json.RawMessage
}

// keptItems are the items that are kept of a message; none where it has the reasoning of
// another protocol.
func (w *writer) keptItems(m message.Message) []keptItem {
	for _, part := range m.Parts {
		var raws []json.RawMessage
		if len(part.Details) == 0 || json.Unmarshal(w.JSON(part.Details), &raws) != nil {
			continue
		}
		kept := make([]keptItem, 0, len(raws))
		for _, raw := range raws {
			each := keptItem{raw: raw}
			if json.Unmarshal(raw, &each) == nil {
				kept = append(kept, each)
			}
		}
		return kept
	}
	return nil
}

// withoutLooseReasoning leaves out reasoning at the end, which providers refuse: what it
// led to is not there, because the answer was cut or a hook changed it.
func withoutLooseReasoning(items []item) []item {
	for len(items) > 0 && items[len(items)-1].reasoning != nil {
		items = items[:len(items)-1]
	}
	return items
}
