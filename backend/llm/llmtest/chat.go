package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Chat is a chat completion request as a strict server reads it.
type Chat struct {
	Model         string          `json:"model"`
	Messages      []ChatMessage   `json:"messages"`
	Tools         []ChatTool      `json:"tools"`
	ToolChoice    json.RawMessage `json:"tool_choice"`
	Stream        bool            `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// ChatMessage is one message of a request.
type ChatMessage struct {
	Role string `json:"role"`
	// Content is nil when the message has none.
	Content          *ChatContent `json:"content"`
	ReasoningContent string       `json:"reasoning_content"`
	ToolCalls        []ChatCall   `json:"tool_calls"`
	ToolCallID       string       `json:"tool_call_id"`
	Name             string       `json:"name"`
}

// Text is the message's content, empty when it has none.
func (m ChatMessage) Text() string {
	if m.Content == nil {
		return ""
	}
	return string(*m.Content)
}

// ChatContent is the text of a message, also where it comes in parts.
type ChatContent string

// UnmarshalJSON implements json.Unmarshaler.
func (c *ChatContent) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(data, []byte("[")) {
		return json.Unmarshal(data, (*string)(c))
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return fmt.Errorf("read the parts of a message: %w", err)
	}
	for _, part := range parts {
		*c += ChatContent(part.Text)
	}
	return nil
}

// isBlank says that the message has no content but white space.
func (m ChatMessage) isBlank() bool { return strings.TrimSpace(m.Text()) == "" }

// ChatCall is a tool call of an assistant message.
type ChatCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Index    *int         `json:"index"`
	Function ChatFunction `json:"function"`
}

// ChatFunction is what a call calls.
type ChatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ChatTool is a tool on offer.
type ChatTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}
