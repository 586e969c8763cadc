package llmtest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
)

// turn is what a reply says.
type turn struct {
	model string
	// calls are made in this reply; without one it is text.
	calls []turnCall
	// thought is the reasoning of models that show some.
	thought, text string
	// asked says that the request asks for the usage.
	asked bool
	// prompt and completion count tokens.
	prompt, completion int
}

// turnCall is one call of a reply.
type turnCall struct{ id, name, arguments string }

// streamAnswer streams what comes next in the conversation.
func (f *Family) streamAnswer(w http.ResponseWriter, request Request) {
	chat := request.Chat
	t := turn{
		model: chat.Model, thought: "It is told by the tool.", text: f.name + " is done.",
		asked: chat.StreamOptions.IncludeUsage, prompt: 100 + len(request.Body)/4, completion: 20,
	}
	last := chat.Messages[len(chat.Messages)-1]
	if tool, ok := easiestTool(chat); ok && last.Role != "tool" && !f.profile.noCalls {
		t.thought, t.text, t.calls = "I look at it first.", "", f.nextCalls(chat, tool)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	f.profile.answer(&stream{w: w, end: "\n", head: object{
		"id": "chatcmpl-family", "object": "chat.completion.chunk", "created": 1763800000, "model": chat.Model,
	}}, t)
}

func (f *Family) nextCalls(chat Chat, tool ChatTool) []turnCall {
	made := 0
	for _, message := range chat.Messages {
		made += len(message.ToolCalls)
	}
	calls := make([]turnCall, max(f.Calls, 1))
	for i := range calls {
		n := made + i
		calls[i] = turnCall{f.profile.callID(n, tool.Function.Name), tool.Function.Name, sampleArguments(tool, n)}
	}
	return calls
}

// easiestTool is the tool that the choice names, or else the first of those that demand
// the fewest arguments.
func easiestTool(chat Chat) (ChatTool, bool) {
	var choice struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if string(chat.ToolChoice) == `"none"` {
		return ChatTool{}, false
	}
	// A choice that is a word names no tool.
	_ = json.Unmarshal(chat.ToolChoice, &choice)
	best, least := ChatTool{}, math.MaxInt
	for _, tool := range chat.Tools {
		if tool.Function.Name == choice.Function.Name {
			return tool, true
		}
		if demanded := len(readParameters(tool).Required); demanded < least {
			best, least = tool, demanded
		}
	}
	return best, least < math.MaxInt
}

// schema is as much of a JSON Schema as arguments are made from.
type schema struct {
	Type       any               `json:"type"`
	Enum       []any             `json:"enum"`
	Required   []string          `json:"required"`
	Properties map[string]schema `json:"properties"`
	Items      *schema           `json:"items"`
}

func readParameters(tool ChatTool) schema {
	var s schema
	// A schema that cannot be read demands nothing.
	_ = json.Unmarshal(tool.Function.Parameters, &s)
	return s
}

// sampleArguments makes arguments that a tool takes, other ones for each n.
func sampleArguments(tool ChatTool, n int) string {
	s := readParameters(tool)
	s.Type = "object"
	text, err := json.Marshal(s.sampleValue(n))
	if err != nil {
		panic("marshal arguments: " + err.Error())
	}
	return string(text)
}

func (s schema) sampleValue(n int) any {
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	switch s.Type {
	case "object":
		value := object{}
		for _, name := range s.Required {
			value[name] = s.Properties[name].sampleValue(n)
		}
		return value
	case "array":
		if s.Items == nil {
			return []any{}
		}
		return []any{s.Items.sampleValue(n)}
	case "integer", "number":
		return n + 1
	case "boolean":
		return false
	}
	return fmt.Sprintf("sample-%d.txt", n)
}
