package llmtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// functionName is what OpenAI accepts as the name of a function.
var functionName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Check returns what a strict server would refuse about a chat request, nothing
// when it is well formed. The rules are those of OpenAI, DeepSeek, Mistral and
// Anthropic's compatible endpoint taken together.
func Check(body []byte) []string {
	if !utf8.Valid(body) {
		return []string{"body is not UTF-8"}
	}
	var chat Chat
	if err := json.Unmarshal(body, &chat); err != nil {
		return []string{"body does not decode: " + err.Error()}
	}
	c := checker{answered: map[string]bool{}}
	c.checkEnvelope(chat)
	c.checkTools(body, chat)
	c.checkParts(body)
	for i, m := range chat.Messages {
		c.checkMessage(i, m)
	}
	c.reportOpenCalls(len(chat.Messages))
	return c.faults
}

// checker walks a request's messages.
type checker struct {
	faults []string
	// open are the ids of calls without an answer, in call order.
	open []string
	// answered holds every id that was called, whether answered or not.
	answered map[string]bool
}

func (c *checker) addFault(format string, values ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, values...))
}

func (c *checker) checkEnvelope(chat Chat) {
	if chat.Model == "" {
		c.addFault("model is missing")
	}
	if !chat.Stream {
		c.addFault("stream is not true")
	}
	if len(chat.Messages) == 0 {
		c.addFault("messages is empty")
	}
}

func (c *checker) checkTools(body []byte, chat Chat) {
	var raw struct {
		Tools *[]json.RawMessage `json:"tools"`
	}
	if json.Unmarshal(body, &raw) == nil && raw.Tools != nil && len(*raw.Tools) == 0 {
		c.addFault("tools is an empty array")
	}
	if len(chat.Tools) == 0 && len(chat.ToolChoice) > 0 {
		c.addFault("tool_choice without tools")
	}
	seen := map[string]bool{}
	for _, tool := range chat.Tools {
		name := tool.Function.Name
		switch {
		case tool.Type != "function":
			c.addFault("tool %q has type %q", name, tool.Type)
		case !functionName.MatchString(name):
			c.addFault("tool name %q does not match %s", name, functionName)
		case seen[name]:
			c.addFault("tool name %q is there twice", name)
		}
		seen[name] = true
		if !isObjectSchema(tool.Function.Parameters) {
			c.addFault("parameters of tool %q are no object schema", name)
		}
	}
}

func isObjectSchema(schema json.RawMessage) bool {
	var object struct {
		Type string `json:"type"`
	}
	return json.Unmarshal(schema, &object) == nil && object.Type == "object"
}

func (c *checker) checkMessage(i int, m ChatMessage) {
	if m.Role == "tool" {
		c.toolMessage(i, m)
		return
	}
	c.reportOpenCalls(i)
	switch m.Role {
	case "system":
		if i != 0 {
			c.addFault("message %d: a system message must be first", i)
		}
		c.needContent(i, m)
	case "user":
		c.needContent(i, m)
	case "assistant":
		c.assistantMessage(i, m)
	default:
		c.addFault("message %d: unknown role %q", i, m.Role)
	}
	if m.Role != "assistant" && len(m.ToolCalls) > 0 {
		c.addFault("message %d: %s message with tool calls", i, m.Role)
	}
}

func (c *checker) needContent(i int, m ChatMessage) {
	if m.Text() == "" || m.Role == "user" && m.isBlank() {
		c.addFault("message %d: %s message without content", i, m.Role)
	}
}

// reportOpenCalls reports the calls that message i came too early for.
func (c *checker) reportOpenCalls(i int) {
	if len(c.open) > 0 {
		c.addFault("message %d: tool calls without an answer: %s", i, strings.Join(c.open, ", "))
	}
	c.open = nil
}

func (c *checker) toolMessage(i int, m ChatMessage) {
	c.needContent(i, m)
	at := slices.Index(c.open, m.ToolCallID)
	switch {
	case at < 0 && c.answered[m.ToolCallID]:
		c.addFault("message %d: call %q is answered twice or too late", i, m.ToolCallID)
	case at < 0:
		c.addFault("message %d: tool message for call %q that was not made", i, m.ToolCallID)
	case at > 0:
		c.addFault("message %d: call %q is answered before %q", i, m.ToolCallID, c.open[0])
	}
	if at >= 0 {
		c.open = slices.Delete(c.open, at, at+1)
	}
}

func (c *checker) assistantMessage(i int, m ChatMessage) {
	switch {
	case m.isBlank() && len(m.ToolCalls) == 0:
		c.addFault("message %d: assistant message with neither content nor calls", i)
	case m.isBlank() && m.Text() != "":
		c.addFault("message %d: assistant message with content of white space only", i)
	}
	for _, call := range m.ToolCalls {
		c.checkCall(i, call)
	}
}

func (c *checker) checkCall(i int, call ChatCall) {
	switch {
	case call.ID == "":
		c.addFault("message %d: call without an id", i)
	case c.answered[call.ID]:
		c.addFault("message %d: call id %q is there twice", i, call.ID)
	}
	if call.Type != "function" {
		c.addFault("message %d: call %q has type %q", i, call.ID, call.Type)
	}
	if call.Index != nil {
		c.addFault("message %d: call %q carries an index", i, call.ID)
	}
	if !functionName.MatchString(call.Function.Name) {
		c.addFault("message %d: call name %q does not match %s", i, call.Function.Name, functionName)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(call.Function.Arguments), &object) != nil || object == nil {
		c.addFault("message %d: arguments of call %q are no JSON object", i, call.ID)
	}
	c.answered[call.ID] = true
	c.open = append(c.open, call.ID)
}
