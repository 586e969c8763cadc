package llmtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// messagesRequest is the body of a request to Messages, as far as it is checked.
type messagesRequest struct {
	Model     string           `json:"model"`
	MaxTokens int              `json:"max_tokens"`
	Stream    bool             `json:"stream"`
	System    []map[string]any `json:"system"`
	Tools     []messagesTool   `json:"tools"`
	Choice    *struct {
		Type string `json:"type"`
	} `json:"tool_choice"`
	Messages []struct {
		Role    string           `json:"role"`
		Content []map[string]any `json:"content"`
	} `json:"messages"`
	Thinking *struct {
		Type   string `json:"type"`
		Budget int    `json:"budget_tokens"`
	} `json:"thinking"`
	Output struct {
		Effort string `json:"effort"`
	} `json:"output_config"`
	Temperature *float64 `json:"temperature"`
}

type messagesTool struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"input_schema"`
	Cache  any             `json:"cache_control,omitempty"`
}

// messagesEfforts are those that Claude takes.
var messagesEfforts = []string{"", "low", "medium", "high", "max"}

// checkMessages returns what Anthropic's Messages would refuse about a request.
func (s *Server) checkMessages(body []byte) []string {
	if !utf8.Valid(body) {
		return []string{"body is not UTF-8"}
	}
	var request messagesRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return []string{"body does not decode: " + err.Error()}
	}
	c := messagesChecker{checker: checker{answered: map[string]bool{}}, server: s}
	c.checkRequest(request)
	if marks := strings.Count(string(body), `"cache_control":{"type":"ephemeral"}`); marks > 4 {
		c.addFault("%d blocks with cache_control: at most 4", marks)
	}
	for i, turn := range request.Messages {
		c.checkTurn(i, turn.Role, turn.Content)
	}
	c.reportOpenCalls(len(request.Messages))
	return c.faults
}

// messagesChecker walks the turns of a request.
type messagesChecker struct {
	checker

	server *Server
}

func (c *messagesChecker) checkRequest(r messagesRequest) {
	thinks := r.Thinking != nil && r.Thinking.Type != "disabled"
	switch {
	case r.Model == "":
		c.addFault("model is missing")
	case !r.Stream:
		c.addFault("stream is not true")
	case r.MaxTokens < 1:
		c.addFault("max_tokens: Field required")
	case len(r.Messages) == 0:
		c.addFault("messages is empty")
	case r.Messages[0].Role != "user":
		c.addFault("messages: first message must use the user role")
	case r.Thinking != nil && r.Thinking.Budget >= r.MaxTokens:
		c.addFault("max_tokens must be greater than thinking.budget_tokens")
	case thinks && r.Temperature != nil:
		c.addFault("temperature may only be set to 1 when thinking is enabled")
	case thinks && r.Choice != nil && r.Choice.Type == "tool":
		c.addFault("Thinking may not be enabled when tool_choice forces tool use.")
	case !slices.Contains(messagesEfforts, r.Output.Effort):
		c.addFault("output_config.effort: Input should be one of 'low', 'medium', 'high' or 'max'")
	case r.Choice != nil && len(r.Tools) == 0:
		c.addFault("tool_choice may only be specified while providing tools")
	}
	for _, tool := range r.Tools {
		if !functionName.MatchString(tool.Name) || !isObjectSchema(tool.Schema) {
			c.addFault("tool %q has no name or no object schema", tool.Name)
		}
	}
	for _, block := range r.System {
		c.checkText("system", block)
	}
}

func (c *messagesChecker) checkText(where string, block map[string]any) {
	text, _ := block["text"].(string)
	if block["type"] != "text" || strings.TrimSpace(text) == "" {
		c.addFault("%s: text content blocks must contain non-whitespace text", where)
	}
}

// checkShown checks a text or a picture.
func (c *messagesChecker) checkShown(where string, block map[string]any) {
	source, _ := block["source"].(map[string]any)
	if block["type"] != "image" {
		c.checkText(where, block)
		return
	}
	kind, _ := source["media_type"].(string)
	data, _ := source["data"].(string)
	if source["type"] != "base64" {
		c.addFault("%s: source of type %v", where, source["type"])
	}
	c.checkPicture(where, kind, data)
}

// checkTurn checks a turn. Results must stand at the beginning of the turn behind their
// calls.
func (c *messagesChecker) checkTurn(i int, role string, blocks []map[string]any) {
	where := fmt.Sprintf("messages.%d", i)
	if len(blocks) == 0 {
		c.addFault("%s: content is empty", where)
	}
	if role == "assistant" {
		c.reportOpenCalls(i)
		c.checkAssistant(i, where, blocks)
		return
	}
	for _, block := range blocks {
		if block["type"] != "tool_result" {
			c.reportOpenCalls(i)
			c.checkShown(where, block)
			continue
		}
		id, _ := block["tool_use_id"].(string)
		content, _ := block["content"].(string)
		blocks, _ := block["content"].([]any)
		for _, each := range blocks {
			part, _ := each.(map[string]any)
			c.checkShown(where, part)
			text, _ := part["text"].(string)
			content += text
		}
		c.toolMessage(i, ChatMessage{Role: "tool", ToolCallID: id, Content: (*ChatContent)(&content)})
	}
}

func (c *messagesChecker) checkAssistant(i int, where string, blocks []map[string]any) {
	signature := ""
	for _, block := range blocks {
		switch block["type"] {
		case "thinking":
			signature, _ = block["signature"].(string)
			if !strings.HasPrefix(signature, "signed:") {
				c.addFault("%s: Invalid `signature` in `thinking` block", where)
			}
		case "text":
			c.checkText(where, block)
		case "tool_use":
			id, _ := block["id"].(string)
			name, _ := block["name"].(string)
			input, _ := json.Marshal(block["input"]) // it came from JSON
			c.checkCall(i, ChatCall{ID: id, Type: "function", Function: ChatFunction{Name: name, Arguments: string(input)}})
			if reason := c.server.reasonOf(id); reason != "" && reason != signature {
				c.addFault("%s: Expected `thinking`, but found `tool_use` %s without the thinking that led to it", where, id)
			}
		default:
			c.addFault("%s: unknown block %v", where, block["type"])
		}
	}
	if len(blocks) > 0 && blocks[len(blocks)-1]["type"] == "thinking" {
		c.addFault("%s: The final block in an assistant message cannot be `thinking`.", where)
	}
}
