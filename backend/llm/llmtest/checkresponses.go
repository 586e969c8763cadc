package llmtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// responsesRequest is the body of a request to Responses, as far as it is checked.
type responsesRequest struct {
	Model  string           `json:"model"`
	Stream bool             `json:"stream"`
	Store  *bool            `json:"store"`
	Input  []map[string]any `json:"input"`
	Tools  []struct {
		Type       string          `json:"type"`
		Name       string          `json:"name"`
		Parameters json.RawMessage `json:"parameters"`
	} `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"`
	Include    []string        `json:"include"`
	Reasoning  struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
}

// responsesEfforts are those that OpenAI's newest models take.
var responsesEfforts = []string{"", "none", "minimal", "low", "medium", "high", "xhigh"}

// checkResponses returns what OpenAI's Responses would refuse about a request whose
// conversation it does not keep.
func (s *Server) checkResponses(body []byte) []string {
	if !utf8.Valid(body) {
		return []string{"body is not UTF-8"}
	}
	var request responsesRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return []string{"body does not decode: " + err.Error()}
	}
	c := responsesChecker{checker: checker{answered: map[string]bool{}}, server: s}
	c.checkRequest(request)
	for i, item := range request.Input {
		c.checkItem(i, item, request.Input[i+1:])
	}
	c.reportOpenCalls(len(request.Input))
	return c.faults
}

// responsesChecker walks the items of a request.
type responsesChecker struct {
	checker

	server *Server
	// reasoning is the encrypted reasoning that came last.
	reasoning string
}

func (c *responsesChecker) checkRequest(r responsesRequest) {
	switch {
	case r.Model == "":
		c.addFault("model is missing")
	case !r.Stream:
		c.addFault("stream is not true")
	case r.Store == nil || *r.Store:
		c.addFault("store is not false")
	case len(r.Input) == 0:
		c.addFault("input is empty")
	case !slices.Contains(r.Include, "reasoning.encrypted_content"):
		c.addFault("include lacks reasoning.encrypted_content")
	case !slices.Contains(responsesEfforts, r.Reasoning.Effort):
		c.addFault("Unsupported value: '%s' is not supported. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', and 'xhigh'. (reasoning.effort)", r.Reasoning.Effort)
	case len(r.Tools) == 0 && len(r.ToolChoice) > 0:
		c.addFault("tool_choice without tools")
	}
	for _, tool := range r.Tools {
		if tool.Type != "function" || !functionName.MatchString(tool.Name) || !isObjectSchema(tool.Parameters) {
			c.addFault("tool %q is no function with a name and an object schema", tool.Name)
		}
	}
}

// checkItem checks an item, behind which there are these.
func (c *responsesChecker) checkItem(i int, item map[string]any, behind []map[string]any) {
	kind, _ := item["type"].(string)
	if kind == "message" && item["role"] != "assistant" {
		c.reportOpenCalls(i)
	}
	for name, value := range item {
		if value == nil {
			c.addFault("item %d: %s is null", i, name)
		}
	}
	switch kind {
	case "message":
		c.checkMessageItem(i, item)
	case "reasoning":
		c.reasoning, _ = item["encrypted_content"].(string)
		if c.reasoning == "" {
			c.addFault("item %d: reasoning %q is not kept here, and is not encrypted", i, item["id"])
		}
		if len(behind) == 0 || behind[0]["type"] != "reasoning" && behind[0]["type"] != "function_call" && behind[0]["role"] != "assistant" {
			c.addFault("item %d: reasoning %q without its required following item", i, item["id"])
		}
	case "function_call":
		c.checkCallItem(i, item)
	case "function_call_output":
		c.checkOutputItem(i, item)
	default:
		c.addFault("item %d: unknown type %q", i, kind)
	}
}

func (c *responsesChecker) checkMessageItem(i int, item map[string]any) {
	kinds := map[string]string{"user": "input_text", "assistant": "output_text"}
	role, _ := item["role"].(string)
	pieces, _ := item["content"].([]any)
	if len(pieces) == 0 {
		c.addFault("item %d: %s message without content", i, role)
	}
	for _, piece := range pieces {
		fields, _ := piece.(map[string]any)
		if address, ok := fields["image_url"].(string); ok && role == "user" && fields["type"] == "input_image" {
			c.checkDataURL(fmt.Sprintf("item %d", i), address)
			continue
		}
		text, _ := fields["text"].(string)
		if kinds[role] == "" || fields["type"] != kinds[role] || strings.TrimSpace(text) == "" {
			c.addFault("item %d: %s message with content %v", i, role, fields)
		}
	}
}

func (c *responsesChecker) checkCallItem(i int, item map[string]any) {
	id, _ := item["call_id"].(string)
	name, _ := item["name"].(string)
	arguments, _ := item["arguments"].(string)
	c.checkCall(i, ChatCall{ID: id, Type: "function", Function: ChatFunction{Name: name, Arguments: arguments}})
	if len(id) > 64 {
		c.addFault("item %d: call_id %q is longer than 64 characters", i, id)
	}
	if reason := c.server.reasonOf(id); reason != "" && reason != c.reasoning {
		c.addFault("item %d: function_call %q was provided without its required reasoning item", i, id)
	}
}

func (c *responsesChecker) checkOutputItem(i int, item map[string]any) {
	id, _ := item["call_id"].(string)
	output, _ := item["output"].(string)
	c.toolMessage(i, ChatMessage{Role: "tool", ToolCallID: id, Content: (*ChatContent)(&output)})
}
