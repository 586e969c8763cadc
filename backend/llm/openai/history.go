package openai

import (
	"encoding/json"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// maxName is the longest function name that strict endpoints take, in bytes.
const maxName = 64

// request writes a request the way the client library wants it. The same history
// always gives the same bytes, so that providers find it in their caches.
func (c *Client) request(req llm.Request) api.ChatCompletionRequest {
	request := api.ChatCompletionRequest{
		Model:         c.model,
		Messages:      (&writer{Client: c}).messages(req),
		StreamOptions: &api.StreamOptions{IncludeUsage: true},
	}
	for _, tool := range req.Tools {
		request.Tools = append(request.Tools, api.Tool{Type: api.ToolTypeFunction, Function: &api.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
		}})
	}
	if len(request.Tools) > 0 {
		request.ToolChoice = choice(req.Choice)
	}
	return request
}

// choice is nil for auto, which is what endpoints assume.
func choice(choice llm.ToolChoice) any {
	switch choice {
	case "", llm.ChoiceAuto:
		return nil
	case llm.ChoiceNone:
		return string(choice)
	default:
		return api.ToolChoice{Type: api.ToolTypeFunction, Function: api.ToolFunction{Name: string(choice)}}
	}
}

// writer writes the messages of one request.
type writer struct {
	*Client
	// scratch is where texts are looked through for secrets: the whole history is
	// with every request, and room of its own for each text costs a tenth of a run.
	scratch []byte
}

func (w *writer) messages(req llm.Request) []api.ChatCompletionMessage {
	var messages []api.ChatCompletionMessage
	if req.System != "" {
		messages = append(messages, api.ChatCompletionMessage{Role: api.ChatMessageRoleSystem, Content: w.hidden(req.System)})
	}
	for _, m := range req.Messages {
		if m.Role == message.Assistant {
			messages = append(messages, w.assistant(m)...)
			continue
		}
		if text := w.hidden(written(m)); text != "" {
			messages = append(messages, api.ChatCompletionMessage{Role: api.ChatMessageRoleUser, Content: text})
		}
	}
	return messages
}

// assistant writes an assistant message and, right after it, a tool message for
// each of its calls in call order. A message that says nothing is left out.
func (w *writer) assistant(m message.Message) []api.ChatCompletionMessage {
	said := api.ChatCompletionMessage{Role: api.ChatMessageRoleAssistant, Content: w.hidden(written(m))}
	var results []api.ChatCompletionMessage
	for _, part := range m.ToolParts() {
		use := part.Tool
		said.ToolCalls = append(said.ToolCalls, api.ToolCall{
			ID: use.CallID, Type: api.ToolTypeFunction,
			Function: api.FunctionCall{Name: functionName(use.Name), Arguments: w.arguments(use.State.Input)},
		})
		results = append(results, api.ChatCompletionMessage{
			Role: api.ChatMessageRoleTool, ToolCallID: use.CallID, Content: w.hidden(use.Seen()),
		})
	}
	if said.Content == "" && len(said.ToolCalls) == 0 {
		return nil
	}
	if w.echoReasoning && len(said.ToolCalls) > 0 {
		said.ReasoningContent = w.hidden(reasoning(m))
	}
	return append([]api.ChatCompletionMessage{said}, results...)
}

// written is a message's text, empty when it is blank: Anthropic refuses content
// of white space alone, which models write before a call.
func written(m message.Message) string {
	text := m.Text()
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

func reasoning(m message.Message) string {
	var text strings.Builder
	for _, part := range m.Parts {
		if part.Type == message.ReasoningPart {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

// arguments are a call's input. Where a key without quotes stood in it, such as a
// number, what is left is no JSON, and nothing of it is sent.
func (w *writer) arguments(input json.RawMessage) string {
	if len(input) == 0 {
		return "{}"
	}
	plain := string(input)
	text := w.hidden(plain)
	if text != plain && !json.Valid([]byte(text)) {
		return "{}"
	}
	return text
}

// hidden returns a text without known secrets. Only texts are looked through, not
// the whole request: a key may be a word that is also the name of one of its
// fields, or of the model.
func (w *writer) hidden(text string) string {
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
