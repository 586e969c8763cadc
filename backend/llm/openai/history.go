package openai

import (
	"bytes"
	"encoding/json"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// between is what the model is made to say where a user may not speak right after
// the result of a call.
const between = "(The results are above.)"

// writer writes the messages of one request.
type writer struct {
	protocol.Texts
	dialect llm.Dialect
	fields  *wire.Fields
}

func (w *writer) writeMessages(req llm.Request) []api.ChatCompletionMessage {
	// A message and, for most of those of the model, the result of its call: a slice that
	// grows would be copied some ten times with each request.
	messages := make([]api.ChatCompletionMessage, 0, 1+2*len(req.Messages))
	system := w.Text(req.System)
	if system != "" && !w.dialect.NoSystemRole {
		messages = append(messages, api.ChatCompletionMessage{Role: api.ChatMessageRoleSystem, Content: system})
		system = ""
	}
	for _, m := range req.Messages {
		if m.Role == message.Assistant {
			messages = append(messages, w.writeAssistant(m)...)
			// A tool message is text alone to most servers.
			if pictures := protocol.Pictures(m.ToolParts()...); len(pictures) > 0 {
				messages = w.addUserMessage(messages, "", w.Text(protocol.Marks(pictures)), pictures)
			}
			continue
		}
		text := w.Text(protocol.TextOf(m))
		if text == "" {
			continue
		}
		if system != "" {
			text, system = system+"\n\n"+text, ""
		}
		messages = w.addUserMessage(messages, m.Name, text, protocol.PicturesOf(m))
	}
	return messages
}

// addUserMessage adds a message of the user's, or of Fairlead's own, with pictures.
func (w *writer) addUserMessage(
	messages []api.ChatCompletionMessage, name, text string, pictures []message.Block,
) []api.ChatCompletionMessage {
	said := api.ChatCompletionMessage{Role: api.ChatMessageRoleUser, Content: text}
	switch {
	case name == "":
	case w.dialect.Names:
		said.Name = protocol.FunctionName(name)
	default:
		said.Content = name + ": " + text
	}
	if len(pictures) > 0 {
		said = withPictures(said, pictures)
	}
	if last := len(messages) - 1; w.dialect.TakeTurns && last >= 0 {
		switch messages[last].Role {
		case api.ChatMessageRoleUser:
			messages[last] = joinMessages(messages[last], said)
			return messages
		case api.ChatMessageRoleTool:
			messages = append(messages, api.ChatCompletionMessage{Role: api.ChatMessageRoleAssistant, Content: between})
		}
	}
	return append(messages, said)
}

// withPictures is a message with pictures behind its text.
func withPictures(said api.ChatCompletionMessage, pictures []message.Block) api.ChatCompletionMessage {
	said.MultiContent, said.Content = contentParts(said), ""
	for _, picture := range pictures {
		said.MultiContent = append(said.MultiContent, api.ChatMessagePart{
			Type: api.ChatMessagePartTypeImageURL, ImageURL: &api.ChatMessageImageURL{URL: protocol.DataURL(picture)},
		})
	}
	return said
}

// joinMessages makes two messages of the user's one.
func joinMessages(first, next api.ChatCompletionMessage) api.ChatCompletionMessage {
	if first.MultiContent == nil && next.MultiContent == nil {
		first.Content += "\n\n" + next.Content
		return first
	}
	first.MultiContent, first.Content = append(contentParts(first), contentParts(next)...), ""
	return first
}

// contentParts is the content of a message as a list.
func contentParts(of api.ChatCompletionMessage) []api.ChatMessagePart {
	if of.MultiContent != nil {
		return of.MultiContent
	}
	return []api.ChatMessagePart{{Type: api.ChatMessagePartTypeText, Text: of.Content}}
}

// writeAssistant writes an assistant message and, right after it, a tool message for
// each of its calls in call order. A message that says nothing is left out.
func (w *writer) writeAssistant(m message.Message) []api.ChatCompletionMessage {
	said := api.ChatCompletionMessage{Role: api.ChatMessageRoleAssistant, Content: w.Text(protocol.TextOf(m))}
	var results []api.ChatCompletionMessage
	for i, part := range m.ToolParts() {
		use := part.Tool
		id := protocol.CallID(w.dialect.CallIDs, use.CallID)
		said.ToolCalls = append(said.ToolCalls, api.ToolCall{
			ID: id, Type: w.callType(use, i == 0),
			Function: api.FunctionCall{Name: protocol.FunctionName(use.Name), Arguments: w.Arguments(use.State.Input)},
		})
		results = append(results, api.ChatCompletionMessage{
			Role: api.ChatMessageRoleTool, ToolCallID: id, Content: w.Text(use.Seen()),
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
	extra := w.JSON(use.Extra)
	if bytes.HasPrefix(extra, []byte(`{"`+wire.SpecificFields)) {
		members := append(jsonMember("type", "function"), ',')
		return api.ToolType(w.fields.Mark(append(members, extra[1:len(extra)-1]...)))
	}
	if !w.dialect.Signatures {
		return api.ToolTypeFunction
	}
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
		if text := w.Text(protocol.ReasoningOf(m)); text != "" {
			return text
		}
		return " "
	case llm.EchoReasoning:
		if text := w.Text(protocol.ReasoningOf(m)); text != "" {
			return w.fields.Mark(jsonMember("reasoning", text))
		}
	case llm.EchoDetails, llm.EchoBlocks:
		for _, part := range m.Parts {
			if details := detailsFor(w.dialect.Echo, w.JSON(part.Details)); details != nil {
				return w.fields.Mark(jsonMember(string(w.dialect.Echo), details))
			}
		}
	}
	return ""
}

// detailsFor are the entries of reasoning in a provider's own form that have the form of
// an echo; nil for none. What another protocol has kept of it does not go here.
func detailsFor(echo llm.Echo, details json.RawMessage) []json.RawMessage {
	var entries, fit []json.RawMessage
	if json.Unmarshal(details, &entries) != nil {
		return nil
	}
	for _, raw := range entries {
		var entry struct {
			Type string `json:"type"`
		}
		fits := json.Unmarshal(raw, &entry) == nil
		switch entry.Type {
		case "thinking", "redacted_thinking":
			fits = fits && echo == llm.EchoBlocks
		case "reasoning", "message", "function_call", "text", "tool_use":
			fits = false
		default:
			fits = fits && echo == llm.EchoDetails
		}
		if fits {
			fit = append(fit, raw)
		}
	}
	return fit
}

// contentWithReasoning is the content of a message with the reasoning inside of it, for
// endpoints that take it back there.
func (w *writer) contentWithReasoning(m message.Message, content string) string {
	reasoning := w.Text(protocol.ReasoningOf(m))
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
