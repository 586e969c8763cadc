package openai

import (
	"strings"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// sending is how requests are written at the moment.
type sending struct {
	dialect llm.Dialect
	effort  llm.Effort
}

// weakenedParts are what of a request is weaker than the configuration asks for. A switch
// that is turned on stands for every effort, and none that is forced for the model's own.
func (c *Client) weakenedParts(req llm.Request, sent sending) []message.Weakened {
	var parts []message.Weakened
	asked := c.config.Effort
	if going := sent.sentEffort(); going != asked {
		parts = append(parts, message.Weakened{What: message.WeakEffort, Asked: string(asked), Sent: string(going)})
	}
	if len(req.Tools) > 0 && sent.dialect.PlainSchemas && !c.config.Dialect.PlainSchemas {
		parts = append(parts, message.Weakened{What: message.WeakSchema})
	}
	return parts
}

// sentEffort is the effort that goes out; empty for none.
func (s sending) sentEffort() llm.Effort {
	if s.effort == "" || s.dialect.Effort == llm.EffortNone {
		return ""
	}
	return s.dialect.Efforts.Nearest(s.effort)
}

// newRequest writes a request the way the client library wants it. The same history
// always gives the same bytes, so that providers find it in their caches.
func (c *Client) newRequest(req llm.Request, sent sending, fields *wire.Fields) api.ChatCompletionRequest {
	w := &writer{Texts: protocol.Texts{Redact: c.config.RedactText}, dialect: sent.dialect, fields: fields}
	request := api.ChatCompletionRequest{Model: libraryModel(c.config.Model, fields), Messages: w.writeMessages(req)}
	if !sent.dialect.NoUsageOption {
		request.StreamOptions = &api.StreamOptions{IncludeUsage: true}
	}
	tools, wanted := offeredTools(req, sent.dialect)
	for _, tool := range tools {
		request.Tools = append(request.Tools, api.Tool{Type: api.ToolTypeFunction, Function: &api.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: c.toolSchema(tool.Parameters, sent.dialect),
		}})
	}
	if len(tools) > 0 {
		request.ToolChoice = toolChoice(wanted)
		if req.Sequential && sent.dialect.ParallelFlag {
			request.ParallelToolCalls = false
		}
	}
	if members := c.extraMembers(sent); members != nil {
		request.User = fields.Mark(members)
	}
	return request
}

// offeredTools returns the tools to offer and which of them may be called, for endpoints
// that cannot be told to call none, or a certain one, too.
func offeredTools(req llm.Request, dialect llm.Dialect) ([]llm.Tool, llm.ToolChoice) {
	if !dialect.OnlyAuto || req.Choice == "" || req.Choice == llm.ChoiceAuto {
		return req.Tools, req.Choice
	}
	for _, tool := range req.Tools {
		if tool.Name == string(req.Choice) {
			return []llm.Tool{tool}, llm.ChoiceAuto
		}
	}
	return nil, llm.ChoiceAuto
}

// toolChoice is nil for auto, which is what endpoints assume.
func toolChoice(choice llm.ToolChoice) any {
	switch choice {
	case "", llm.ChoiceAuto:
		return nil
	case llm.ChoiceNone:
		return string(choice)
	default:
		return api.ToolChoice{Type: api.ToolTypeFunction, Function: api.ToolFunction{Name: string(choice)}}
	}
}

// libraryModel returns the name to give the client library. It refuses requests to models
// of certain names by rules of its own, which other servers' models of that name do
// not have, and the provider's may have changed: those names are put in later.
func libraryModel(name string, fields *wire.Fields) string {
	for _, judged := range []string{"o1", "o3", "o4", "gpt-"} {
		if strings.HasPrefix(name, judged) {
			return fields.Mark(jsonMember("model", name))
		}
	}
	return name
}

// extraMembers are the fields that the client library does not know, or would judge; nil
// for none. Those of the configuration have the last word.
func (c *Client) extraMembers(sent sending) []byte {
	all := sent.effortFields()
	if c.config.MaxTokens > 0 {
		name := sent.dialect.MaxTokens
		if name == "" {
			name = "max_tokens"
		}
		all[name] = c.config.MaxTokens
	}
	if c.config.Temperature != nil && !sent.dialect.FixedTemperature {
		all["temperature"] = *c.config.Temperature
	}
	for name, value := range c.config.Body {
		all[name] = value
	}
	if len(all) == 0 {
		return nil
	}
	text := protocol.MustEncode(all)
	return text[1 : len(text)-1]
}

// effortFields says in an endpoint's way how much the model should reason: the nearest to
// what is wanted of the efforts that it knows.
func (s sending) effortFields() map[string]any {
	dialect, effort := s.dialect, s.sentEffort()
	if effort == "" {
		return map[string]any{}
	}
	off := effort == llm.EffortOff
	fields := map[string]any{}
	switch dialect.Effort {
	case llm.EffortField:
		fields["reasoning_effort"] = effortName(effort)
	case llm.EffortObject:
		fields["reasoning"] = map[string]any{"effort": objectEffort(effort)}
		if off {
			fields["reasoning"] = map[string]any{"enabled": false}
		}
	case llm.EffortThinking:
		fields["thinking"] = map[string]any{"type": "enabled"}
		if off {
			fields["thinking"] = map[string]any{"type": "disabled"}
		}
	case llm.EffortTemplate:
		variables := map[string]any{}
		if dialect.Efforts == 0 || dialect.Efforts.Has(llm.EffortOff) {
			variables["enable_thinking"] = !off
		}
		if dialect.EffortBeside && !off {
			variables["reasoning_effort"] = effort
		}
		fields["chat_template_kwargs"] = variables
	default:
		fields["enable_thinking"] = !off
	}
	if dialect.EffortBeside && !off {
		fields["reasoning_effort"] = effort
	}
	return fields
}

// effortName is an effort as reasoning_effort says it.
func effortName(effort llm.Effort) string {
	if effort == llm.EffortOff {
		return "none"
	}
	return string(effort)
}

// objectEffort is an effort as OpenRouter knows it.
func objectEffort(effort llm.Effort) llm.Effort {
	if effort == llm.EffortMax {
		return llm.EffortXHigh
	}
	return effort
}

// jsonMember is a member of a JSON object.
func jsonMember(name string, value any) []byte {
	text := protocol.MustEncode(map[string]any{name: value})
	return text[1 : len(text)-1]
}
