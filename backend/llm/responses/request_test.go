package responses_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

func said(text string) message.Part { return message.Part{Type: message.TextPart, Text: text} }

func user(text string) message.Message {
	return message.Message{Role: message.User, Parts: []message.Part{said(text)}}
}

func assistant(parts ...message.Part) message.Message {
	return message.Message{Role: message.Assistant, Parts: parts}
}

// call is a part that ended with a result.
func call(id, name, input string, result message.Result) message.Part {
	use := &message.ToolUse{CallID: id, Name: name, State: message.State{
		Status: message.Completed, Input: json.RawMessage(input), Output: &result,
	}}
	return message.Part{Type: message.ToolPart, Tool: use}
}

// kept is reasoning with what goes back of it.
func kept(text, details string) message.Part {
	return message.Part{Type: message.ReasoningPart, Text: text, Details: json.RawMessage(details)}
}

// ask sends a request to a server, and returns the bodies that came.
func ask(t *testing.T, server *llmtest.Server, config protocol.Config, req llm.Request) []string {
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

// sent returns the body of the one request that req becomes.
func sent(t *testing.T, config protocol.Config, req llm.Request) string {
	t.Helper()
	return ask(t, llmtest.Script("text ok"), config, req)[0]
}

var ls = llm.Tool{Name: "ls", Description: "lists", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}

func TestSEC05_EveryTextIsRedactedOverResponses(t *testing.T) {
	// A local server may have any word as its key, the names of fields among them.
	for _, secret := range []string{"sk-0123456789abcdef", "content", "role"} {
		config := protocol.Config{Model: "m-" + secret, Redact: func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte(secret), []byte("[gone]"))
		}}
		got := sent(t, config, llm.Request{System: "1 " + secret, Messages: []message.Message{
			user("2 " + secret),
			assistant(said("3 "+secret), call("a", "ls", `{"path":"4 `+secret+`"}`, message.Result{Content: message.Text("5 " + secret)})),
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

func TestMOD02_WhatIsKeptGoesBackInItsOrder(t *testing.T) {
	const between = `[{"type":"reasoning","id":"r1","summary":[],"encrypted_content":"A"},{"type":"function_call"},` +
		`{"type":"message","phase":"commentary"},{"type":"reasoning","id":"r2","summary":[],"encrypted_content":"B"},{"type":"function_call"}]`
	done := message.Result{Content: message.Text("done")}
	got := sent(t, protocol.Config{}, llm.Request{Messages: []message.Message{
		user("go"),
		assistant(kept("", between), said("I look."), call("a", "ls", "{}", done), call("b", "ls", "{}", done)),
		assistant(kept("hm", `[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text"}]`), said("Of another protocol.")),
		assistant(kept("hm", `[{"type":"reasoning","id":"r3","summary":[],"encrypted_content":"C"}]`)),
		user("on"),
	}})
	want := `"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},` +
		`{"type":"reasoning","id":"r1","summary":[],"encrypted_content":"A"},` +
		`{"type":"function_call","call_id":"a","name":"ls","arguments":"{}"},` +
		`{"type":"message","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"I look."}]},` +
		`{"type":"reasoning","id":"r2","summary":[],"encrypted_content":"B"},` +
		`{"type":"function_call","call_id":"b","name":"ls","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"a","output":"done"},{"type":"function_call_output","call_id":"b","output":"done"},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Of another protocol."}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"on"}]}]`
	if !strings.Contains(got, want) {
		t.Errorf("sent %s\nwant %s", got, want)
	}
}

func TestMSG03_ChoicesOverResponses(t *testing.T) {
	for _, test := range []struct {
		request llm.Request
		want    string
	}{
		{llm.Request{Tools: []llm.Tool{ls}}, `"strict":false}],"reasoning"`},
		{llm.Request{Tools: []llm.Tool{ls}, Choice: llm.ChoiceNone}, `"tool_choice":"none"`},
		{llm.Request{Tools: []llm.Tool{ls}, Choice: "ls"}, `"tool_choice":{"name":"ls","type":"function"}`},
		{llm.Request{Tools: []llm.Tool{ls}, Sequential: true}, `"parallel_tool_calls":false`},
		{llm.Request{}, `"store":false,"stream":true}`},
	} {
		test.request.Messages = hello
		if got := sent(t, protocol.Config{}, test.request); !strings.Contains(got, test.want) {
			t.Errorf("no %s in %s", test.want, got)
		}
	}
}

var hello = []message.Message{user("hello")}

// TestRET01_LessonsOverResponses has a server refuse a request once. The second one is
// without what was refused, and the lesson is told of, and known from the beginning by
// those who are given it.
func TestRET01_LessonsOverResponses(t *testing.T) {
	warm := 0.7
	for _, test := range []struct{ lesson, said, without string }{
		{"no_encrypted_reasoning", "Encrypted content is not supported with this model.", `"include"`},
		{"no_summary", "Your organization must be verified to generate reasoning summaries.", `"summary"`},
		{"no_reasoning", "Unsupported parameter: 'reasoning.effort' is not supported with this model.", `"reasoning":{`},
		{"no_temperature", "Unsupported parameter: 'temperature' is not supported with this model.", `"temperature"`},
		{"no_parallel_flag", "parallel_tool_calls cannot be set here", `"parallel_tool_calls"`},
		{"no_max_output_tokens", "Unknown parameter: max_output_tokens", `"max_output_tokens"`},
		{"no_store", "Unknown parameter: 'store'", `"store"`},
		{"efforts low,medium", "Unsupported value: 'high' is not supported with the 'm' model. Supported values are: 'low' and 'medium'. (reasoning.effort)", `"effort":"high"`},
	} {
		var learned []string
		config := protocol.Config{
			Effort: llm.EffortHigh, MaxTokens: 9, Temperature: &warm,
			Learned: func(lesson string) { learned = append(learned, lesson) },
		}
		request := llm.Request{Messages: hello, Tools: []llm.Tool{ls}, Sequential: true}
		bodies := askOnceRefused(t, test.said, config, request)
		if len(bodies) != 2 || !strings.Contains(bodies[0], test.without) || strings.Contains(bodies[1], test.without) {
			t.Errorf("%s: sent %s", test.lesson, strings.Join(bodies, "\n"))
		}
		if !slices.Equal(learned, []string{test.lesson}) {
			t.Errorf("learned %q, want %s", learned, test.lesson)
		}
	}
}

// askOnceRefused sends a request to a server that refuses it once in these words, and is
// less strict than the scripted one about what is left out. It returns the bodies that came.
func askOnceRefused(t *testing.T, said string, config protocol.Config, request llm.Request) []string {
	t.Helper()
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // the client says what it misses
		if bodies = append(bodies, string(body)); len(bodies) == 1 {
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": said, "type": "invalid_request_error"}})
			return
		}
		_, _ = io.WriteString(w, `{"object":"response","status":"completed","output":[]}`)
	}))
	defer server.Close()
	config.BaseURL, config.Model, config.Transport = server.URL, "m", server.Client().Transport
	model, err := open(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := model.Stream(t.Context(), request, func(llm.Delta) {}); err != nil {
		t.Errorf("%s: %v", said, err)
	}
	return bodies
}
