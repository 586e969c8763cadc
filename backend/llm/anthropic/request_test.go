package anthropic_test

import (
	"bytes"
	"encoding/json"
	"fmt"
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

func TestSEC05_EveryTextIsRedactedOverMessages(t *testing.T) {
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
	const between = `[{"type":"thinking","thinking":"A.","signature":"signed:1"},{"type":"tool_use"},{"type":"text"},` +
		`{"type":"thinking","thinking":"B.","signature":"signed:2"},{"type":"tool_use"}]`
	done := message.Result{Content: message.Text("done")}
	got := sent(t, protocol.Config{}, llm.Request{Messages: []message.Message{
		user("go"),
		assistant(kept("", between), said("I look."), call("a", "ls", "{}", done), call("b", "ls", "{}", done)),
		assistant(kept("hm", `[{"type":"reasoning","id":"r","encrypted_content":"C"},{"type":"message"}]`), said("Of another protocol.")),
		assistant(kept("hm", `[{"type":"thinking","thinking":"hm","signature":"signed:3"}]`)),
		user("on"),
	}})
	got = strings.ReplaceAll(got, `,"cache_control":{"type":"ephemeral"}`, "")
	want := `"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"A.","signature":"signed:1"},` +
		`{"type":"tool_use","id":"a","name":"ls","input":{}},{"type":"text","text":"I look."},` +
		`{"type":"thinking","thinking":"B.","signature":"signed:2"},{"type":"tool_use","id":"b","name":"ls","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"done"},{"type":"tool_result","tool_use_id":"b","content":"done"}]},` +
		`{"role":"assistant","content":[{"type":"text","text":"Of another protocol."}]},` +
		`{"role":"user","content":[{"type":"text","text":"on"}]}]`
	if !strings.Contains(got, want) {
		t.Errorf("sent %s\nwant %s", got, want)
	}
}

var hello = []message.Message{user("hello")}

func TestMOD06_FourPlacesAreMarked(t *testing.T) {
	done := message.Result{Content: message.Text("done")}
	got := sent(t, protocol.Config{}, llm.Request{System: "Be brief.", Tools: []llm.Tool{ls, {Name: "x", Parameters: ls.Parameters}}, Messages: []message.Message{
		user("one"), assistant(said("two")), user("three"), assistant(call("a", "ls", "{}", done)), user("four"),
	}})
	const mark = `"cache_control":{"type":"ephemeral"}`
	for _, marked := range []string{
		`"name":"x","input_schema":{"type":"object","properties":{}},` + mark, `"text":"Be brief.",` + mark, `"text":"three",` + mark, `"text":"four",` + mark,
	} {
		if !strings.Contains(got, marked) {
			t.Errorf("no %s in %s", marked, got)
		}
	}
	if n := strings.Count(got, mark); n != 4 {
		t.Errorf("%d places are marked", n)
	}
}

func TestMSG03_ChoicesOverMessages(t *testing.T) {
	for _, test := range []struct {
		request llm.Request
		want    string
	}{
		{llm.Request{Tools: []llm.Tool{ls}, Choice: llm.ChoiceNone}, `"tool_choice":{"type":"none"}`},
		// A call that is demanded and thinking exclude each other.
		{llm.Request{Tools: []llm.Tool{ls}, Choice: "ls"}, `"tool_choice":{"type":"tool","name":"ls"},"messages":[{"role":"user","content":[{"type":"text","text":"hello","cache_control":{"type":"ephemeral"}}]}],"stream":true}`},
		{llm.Request{Tools: []llm.Tool{ls}, Sequential: true}, `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`},
		{llm.Request{}, `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},"stream":true}`},
	} {
		test.request.Messages = hello
		if got := sent(t, protocol.Config{Effort: llm.EffortHigh}, test.request); !strings.Contains(got, test.want) {
			t.Errorf("no %s in %s", test.want, got)
		}
	}
}

// TestRET01_LessonsOverMessages has a server refuse a request once. The second one is
// without what was refused, and the lesson is told of.
func TestRET01_LessonsOverMessages(t *testing.T) {
	warm := 0.7
	for _, test := range []struct {
		lesson, said, without, with string
		effort                      llm.Effort
	}{
		{"thinking_budget", "adaptive thinking is not supported on this model", `"adaptive"`, `"thinking":{"type":"enabled","budget_tokens":16384}`, llm.EffortHigh},
		{"no_output_effort", "This model does not support the effort parameter.", `"output_config"`, `"thinking":{"type":"adaptive"}`, llm.EffortHigh},
		{"no_thinking", "thinking: Extra inputs are not permitted", `"thinking"`, "", llm.EffortOff},
		{"no_temperature", "`temperature` is deprecated for this model.", `"temperature"`, "", ""},
		{"few_tokens", "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m", `"max_tokens":32000`, `"max_tokens":8192`, ""},
		{"no_cache", "system.0.cache_control: Extra inputs are not permitted", `"cache_control"`, "", ""},
	} {
		var learned []string
		config := protocol.Config{
			Effort: test.effort, Temperature: &warm, Learned: func(lesson string) { learned = append(learned, lesson) },
		}
		refusal, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"message": test.said, "type": "invalid_request_error"}})
		bodies := ask(t, llmtest.Script(fmt.Sprintf("status 400 %s\n---\ntext ok", refusal)), config, llm.Request{System: "Be brief.", Messages: hello})
		if len(bodies) != 2 || !strings.Contains(bodies[0], test.without) || strings.Contains(bodies[1], test.without) || !strings.Contains(bodies[1], test.with) {
			t.Errorf("%s: sent %s", test.lesson, strings.Join(bodies, "\n"))
		}
		if !slices.Equal(learned, []string{test.lesson}) {
			t.Errorf("learned %q, want %s", learned, test.lesson)
		}
	}
}
