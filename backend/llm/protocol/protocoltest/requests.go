package protocoltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// Text is a part that is a text.
func Text(text string) message.Part { return message.Part{Type: message.TextPart, Text: text} }

// User is a message of the user.
func User(text string) message.Message {
	return message.Message{Role: message.User, Parts: []message.Part{Text(text)}}
}

// Assistant is a message of the model.
func Assistant(parts ...message.Part) message.Message {
	return message.Message{Role: message.Assistant, Parts: parts}
}

// Call is a part that is a call of the tool ls that ended with this text.
func Call(id, input, output string) message.Part {
	return message.Part{Type: message.ToolPart, Tool: &message.ToolUse{CallID: id, Name: "ls", State: message.State{
		Status: message.Completed, Input: json.RawMessage(input), Output: &message.Result{Content: message.Text(output)},
	}}}
}

// Reasoning is a part that is reasoning, with what is kept of it.
func Reasoning(text, details string) message.Part {
	return message.Part{Type: message.ReasoningPart, Text: text, Details: json.RawMessage(details)}
}

// LS is a tool.
var LS = llm.Tool{Name: "ls", Description: "lists", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}

// Ask sends a request to a server, and returns the bodies that came.
func Ask(t *testing.T, open Open, server *llmtest.Server, config protocol.Config, req llm.Request) []string {
	t.Helper()
	config.BaseURL, config.Transport = "http://model/v1", server.RoundTripper()
	if config.Model == "" {
		config.Model = "m"
	}
	model, err := open(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.Stream(t.Context(), req, func(llm.Delta) {}); err != nil {
		t.Fatalf("the strict server refuses: %v", err)
	}
	var bodies []string
	for _, request := range server.Requests() {
		bodies = append(bodies, string(request.Body))
	}
	return bodies
}

// Sent returns the body of the one request that req becomes.
func Sent(t *testing.T, open Open, config protocol.Config, req llm.Request) string {
	t.Helper()
	return Ask(t, open, llmtest.Script("text ok"), config, req)[0]
}

// Redaction has every text of a request hold a secret, which may be a word that is the
// name of a field, too: a local server may have any word as its key.
func Redaction(t *testing.T, open Open) {
	t.Helper()
	for _, secret := range []string{"sk-0123456789abcdef", "content", "role"} {
		config := protocol.Config{Model: "m-" + secret, Redact: func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte(secret), []byte("[gone]"))
		}}
		got := Sent(t, open, config, llm.Request{System: "1 " + secret, Messages: []message.Message{
			User("2 " + secret), Assistant(Text("3 "+secret), Call("a", `{"path":"4 `+secret+`"}`, "5 "+secret)),
		}})
		for i := 1; i <= 5; i++ {
			if hidden := fmt.Sprintf("%d [gone]", i); !strings.Contains(got, hidden) {
				t.Errorf("no %q in %s", hidden, got)
			}
		}
		if !strings.HasPrefix(got, `{"model":"m-`+secret+`",`) || !strings.Contains(got, `"role":"user"`) {
			t.Errorf("model or fields changed: %s", got)
		}
	}
}
