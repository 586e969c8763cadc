package openai

import (
	"encoding/json"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// maxName is the longest function name that strict endpoints take, in bytes.
const maxName = 64

// between is what the model is made to say where a user may not speak right after
// the result of a call.
const between = "(The results are above.)"

// writer writes the messages of one request.
type writer struct {
	*Client
	dialect llm.Dialect
	fields  *wire.Fields
	// scratch is where texts are looked through for secrets: the whole history is
	// with every request, and space of its own for each text costs a tenth of a run.
	scratch []byte
}

func (w *writer) writeMessages(req llm.Request) []api.ChatCompletionMessage {
	// A message and, for most of those of the model, the result of its call: a slice that
	// grows would be copied some ten times with each request.
	messages := make([]api.ChatCompletionMessage, 0, 1+2*len(req.Messages))
	system := w.redactText(req.System)
	if system != "" && !w.dialect.NoSystemRole {
		messages = append(messages, api.ChatCompletionMessage{Role: api.ChatMessageRoleSystem, Content: system})
		system = ""
	}
	for _, m := range req.Messages {
		if m.Role == message.Assistant {
			messages = append(messages, w.writeAssistant(m)...)
			continue
		}
		text := w.redactText(textOf(m))
		if text == "" {
			continue
		}
		if system != "" {
			text, system = system+"\n\n"+text, ""
		}
		messages = w.addUserMessage(messages, m.Name, text)
	}
	return messages
}

// addUserMessage adds a message of the user's, or of Fairlead's own.
func (w *writer) addUserMessage(messages []api.ChatCompletionMessage, name, text string) []api.ChatCompletionMessage {
	said := api.ChatCompletionMessage{Role: api.ChatMessageRoleUser, Content: text}
	switch {
	case name == "":
	case w.dialect.Names:
		said.Name = functionName(name)
	default:
		said.Content = name + ": " + text
	}
	if last := len(messages) - 1; w.dialect.TakeTurns && last >= 0 {
		switch messages[last].Role {
		case api.ChatMessageRoleUser:
			messages[last].Content += "\n\n" + said.Content
			return messages
		case api.ChatMessageRoleTool:
			messages = append(messages, api.ChatCompletionMessage{Role: api.ChatMessageRoleAssistant, Content: between})
		}
	}
	return append(messages, said)
}

// writeAssistant writes an assistant message and, right after it, a tool message for
// each of its calls in call order. A message that says nothing is left out.
func (w *writer) writeAssistant(m message.Message) []api.ChatCompletionMessage {
	said := api.ChatCompletionMessage{Role: api.ChatMessageRoleAssistant, Content: w.redactText(textOf(m))}
	var results []api.ChatCompletionMessage
	for i, part := range m.ToolParts() {
		use := part.Tool
		id := callID(w.dialect.CallIDs, use.CallID)
		said.ToolCalls = append(said.ToolCalls, api.ToolCall{
			ID: id, Type: w.callType(use, i == 0),
			Function: api.FunctionCall{Name: functionName(use.Name), Arguments: w.callArguments(use.State.Input)},
		})
		results = append(results, api.ChatCompletionMessage{
			Role: api.ChatMessageRoleTool, ToolCallID: id, Content: w.redactText(use.Seen()),
		})
	}
	if said.Content == "" && len(said.ToolCalls) == 0 {
		return nil
	}
	if len(said.ToolCalls) > 0 {
		said.ReasoningContent = w.reasoningToSend(m)
		said.Content = w.contentWithReasoning(m, said.Content)
	}
	return append([]api.ChatCompletionMessage{said}, results...)
}

// unsigned is what Google names for a call that no model of its own made: without a
// signature the first call of a message is refused.
const unsigned = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`

// callType is a call's type, with what the provider wants back beside it.
func (w *writer) callType(use *message.ToolUse, first bool) api.ToolType {
	if !w.dialect.Signatures {
		return api.ToolTypeFunction
	}
	extra := w.redactJSON(use.Extra)
	if extra == nil && first {
		extra = json.RawMessage(unsigned)
	}
	if extra == nil {
		return api.ToolTypeFunction
	}
	members := append(jsonMember("type", "function"), ',')
	return api.ToolType(w.fields.Mark(append(members, jsonMember("extra_content", extra)...)))
}

// reasoningToSend is what goes back of the reasoning that led to calls. Providers that want
// it refuse a message without it, even where the model gave no reasons, as in the
// conversation of another one.
func (w *writer) reasoningToSend(m message.Message) string {
	switch w.dialect.Echo {
	case llm.EchoContent:
		if text := w.redactText(reasoningOf(m)); text != "" {
			return text
		}
		return " "
	case llm.EchoReasoning:
		if text := w.redactText(reasoningOf(m)); text != "" {
			return w.fields.Mark(jsonMember("reasoning", text))
		}
	case llm.EchoDetails, llm.EchoBlocks:
		for _, part := range m.Parts {
			if details := w.redactJSON(part.Details); details != nil && areBlocks(details) == (w.dialect.Echo == llm.EchoBlocks) {
				return w.fields.Mark(jsonMember(string(w.dialect.Echo), details))
			}
		}
	}
	return ""
}

// areBlocks reports whether reasoning in a provider's own form is that of Claude.
func areBlocks(details json.RawMessage) bool {
	var entries []struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(details, &entries) != nil || len(entries) == 0 {
		return false
	}
	return entries[0].Type == "thinking" || entries[0].Type == "redacted_thinking"
}

// contentWithReasoning is the content of a message with the reasoning inside of it, for
// endpoints that take it back there.
func (w *writer) contentWithReasoning(m message.Message, content string) string {
	reasoning := w.redactText(reasoningOf(m))
	switch {
	case reasoning == "":
	case w.dialect.Echo == llm.EchoTags:
		return "<think>" + reasoning + "</think>\n\n" + content
	case w.dialect.Echo == llm.EchoParts:
		type part map[string]any
		parts := []part{{"type": "thinking", "thinking": []part{{"type": "text", "text": reasoning}}}}
		if content != "" {
			parts = append(parts, part{"type": "text", "text": content})
		}
		return w.fields.Mark(jsonMember("content", parts))
	}
	return content
}

// redactJSON returns JSON of the provider's own without known secrets, or nil where nothing
// valid is left of it.
func (w *writer) redactJSON(text json.RawMessage) json.RawMessage {
	if len(text) == 0 {
		return nil
	}
	hidden := w.redactText(string(text))
	if !json.Valid([]byte(hidden)) {
		return nil
	}
	return json.RawMessage(hidden)
}

// textOf is a message's text, empty when it is blank: Anthropic refuses content
// of white space alone, which models write before a call.
func textOf(m message.Message) string {
	text := m.Text()
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

func reasoningOf(m message.Message) string {
	var text strings.Builder
	for _, part := range m.Parts {
		if part.Type == message.ReasoningPart {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

// callArguments are a call's input. Where a key without quotes stood in it, such as a
// number, what is left is no JSON, and nothing of it is sent.
func (w *writer) callArguments(input json.RawMessage) string {
	if len(input) == 0 {
		return "{}"
	}
	plain := string(input)
	text := w.redactText(plain)
	if text != plain && !json.Valid([]byte(text)) {
		return "{}"
	}
	return text
}

// redactText returns a text without known secrets. Only texts are looked through, not
// the whole request: a key may be a word that is also the name of one of its
// fields, or of the model.
func (w *writer) redactText(text string) string {
	w.scratch = append(w.scratch[:0], text...)
	redacted := w.redact(w.scratch)
	if string(redacted) == text {
		return text
	}
	return string(redacted)
}

// functionName makes a name fit for strict endpoints. A model that invents a tool
// may call it anything, and must be able to read that there is none.
func functionName(name string) string {
	fit := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if fit == "" {
		return "unnamed"
	}
	return fit[:min(len(fit), maxName)]
}
