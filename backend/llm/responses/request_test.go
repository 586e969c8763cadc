package responses_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/protocol/protocoltest"
	"fairlead/backend/message"
)

func TestSEC05_EveryTextIsRedactedOverResponses(t *testing.T) { protocoltest.Redaction(t, open) }

func TestMOD02_WhatIsKeptGoesBackInItsOrder(t *testing.T) {
	const between = `[{"type":"reasoning","id":"r1","summary":[],"encrypted_content":"A"},{"type":"function_call"},` +
		`{"type":"message","phase":"commentary"},{"type":"reasoning","id":"r2","summary":[],"encrypted_content":"B"},{"type":"function_call"}]`
	got := protocoltest.Sent(t, open, protocol.Config{}, llm.Request{Messages: []message.Message{
		protocoltest.User("go"),
		protocoltest.Assistant(protocoltest.Reasoning("", between), protocoltest.Text("I look."), protocoltest.Call("a", "{}", "done"), protocoltest.Call("b", "{}", "done")),
		protocoltest.Assistant(protocoltest.Reasoning("hm", `[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text"}]`), protocoltest.Text("Of another protocol.")),
		protocoltest.Assistant(protocoltest.Reasoning("hm", `[{"type":"reasoning","id":"r3","summary":[],"encrypted_content":"C"}]`)),
		protocoltest.User("on"),
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
		{llm.Request{Tools: []llm.Tool{protocoltest.LS}}, `"strict":false}],"reasoning"`},
		{llm.Request{Tools: []llm.Tool{protocoltest.LS}, Choice: llm.ChoiceNone}, `"tool_choice":"none"`},
		{llm.Request{Tools: []llm.Tool{protocoltest.LS}, Choice: "ls"}, `"tool_choice":{"name":"ls","type":"function"}`},
		{llm.Request{Tools: []llm.Tool{protocoltest.LS}, Sequential: true}, `"parallel_tool_calls":false`},
		{llm.Request{}, `"store":false,"stream":true}`},
	} {
		test.request.Messages = hello
		if got := protocoltest.Sent(t, open, protocol.Config{}, test.request); !strings.Contains(got, test.want) {
			t.Errorf("no %s in %s", test.want, got)
		}
	}
}

var hello = []message.Message{protocoltest.User("hello")}

// TestRET01_LessonsOverResponses has a server refuse a request once. The second one is
// without what was refused, and so is the first one of a client that is given the lesson.
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
		request := llm.Request{Messages: hello, Tools: []llm.Tool{protocoltest.LS}, Sequential: true}
		bodies := askOnceRefused(t, test.said, config, request)
		if len(bodies) != 2 || !strings.Contains(bodies[0], test.without) || strings.Contains(bodies[1], test.without) {
			t.Errorf("%s: sent %s", test.lesson, strings.Join(bodies, "\n"))
		}
		if !slices.Equal(learned, []string{test.lesson}) {
			t.Errorf("learned %q, want %s", learned, test.lesson)
		}
		config.Lessons = []string{test.lesson}
		if known := askOnceRefused(t, "", config, request); len(known) != 1 || strings.Contains(known[0], test.without) {
			t.Errorf("%s is known: sent %s", test.lesson, strings.Join(known, "\n"))
		}
	}
}

// askOnceRefused sends a request to a server that refuses it once in these words, where
// there are some, and is less strict than the scripted one about what is left out. It returns the bodies that came.
func askOnceRefused(t *testing.T, said string, config protocol.Config, request llm.Request) []string {
	t.Helper()
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // the client says what it misses
		if bodies = append(bodies, string(body)); len(bodies) == 1 && said != "" {
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
