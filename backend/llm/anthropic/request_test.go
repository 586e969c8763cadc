package anthropic_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/protocol/protocoltest"
	"fairlead/backend/message"
)

func TestSEC05_EveryTextIsRedactedOverMessages(t *testing.T) { protocoltest.Redaction(t, open) }

func TestMOD02_WhatIsKeptGoesBackInItsOrder(t *testing.T) {
	const between = `[{"type":"thinking","thinking":"A.","signature":"signed:1"},{"type":"tool_use"},{"type":"text"},` +
		`{"type":"thinking","thinking":"B.","signature":"signed:2"},{"type":"tool_use"}]`
	got := protocoltest.Sent(t, open, protocol.Config{}, llm.Request{Messages: []message.Message{
		protocoltest.User("go"),
		protocoltest.Assistant(protocoltest.Reasoning("", between), protocoltest.Text("I look."), protocoltest.Call("a", "{}", "done"), protocoltest.Call("b", "{}", "done")),
		protocoltest.Assistant(protocoltest.Reasoning("hm", `[{"type":"reasoning","id":"r","encrypted_content":"C"},{"type":"message"}]`), protocoltest.Text("Of another protocol.")),
		protocoltest.Assistant(protocoltest.Reasoning("hm", `[{"type":"thinking","thinking":"hm","signature":"signed:3"}]`)),
		protocoltest.User("on"),
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

var hello = []message.Message{protocoltest.User("hello")}

func TestMOD06_FourPlacesAreMarked(t *testing.T) {
	got := protocoltest.Sent(t, open, protocol.Config{}, llm.Request{System: "Be brief.", Tools: []llm.Tool{protocoltest.LS, {Name: "x", Parameters: protocoltest.LS.Parameters}}, Messages: []message.Message{
		protocoltest.User("one"), protocoltest.Assistant(protocoltest.Text("two")), protocoltest.User("three"), protocoltest.Assistant(protocoltest.Call("a", "{}", "done")), protocoltest.User("four"),
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
		{llm.Request{Tools: []llm.Tool{protocoltest.LS}, Choice: llm.ChoiceNone}, `"tool_choice":{"type":"none"}`},
		// A call that is demanded and thinking exclude each other.
		{llm.Request{Tools: []llm.Tool{protocoltest.LS}, Choice: "ls"}, `"tool_choice":{"type":"tool","name":"ls"},"messages":[{"role":"user","content":[{"type":"text","text":"hello","cache_control":{"type":"ephemeral"}}]}],"stream":true}`},
		{llm.Request{Tools: []llm.Tool{protocoltest.LS}, Sequential: true}, `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`},
		{llm.Request{}, `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},"stream":true}`},
	} {
		test.request.Messages = hello
		if got := protocoltest.Sent(t, open, protocol.Config{Effort: llm.EffortHigh}, test.request); !strings.Contains(got, test.want) {
			t.Errorf("no %s in %s", test.want, got)
		}
	}
}

// TestRET01_LessonsOverMessages has a server refuse a request once. The second one is
// without what was refused, and so is the first one of a client that is given the lesson.
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
		bodies := protocoltest.Ask(t, open, llmtest.Script(fmt.Sprintf("status 400 %s\n---\ntext ok", refusal)), config, llm.Request{System: "Be brief.", Messages: hello})
		if len(bodies) != 2 || !strings.Contains(bodies[0], test.without) || strings.Contains(bodies[1], test.without) || !strings.Contains(bodies[1], test.with) {
			t.Errorf("%s: sent %s", test.lesson, strings.Join(bodies, "\n"))
		}
		if !slices.Equal(learned, []string{test.lesson}) {
			t.Errorf("learned %q, want %s", learned, test.lesson)
		}
		config.Lessons = []string{test.lesson}
		request := llm.Request{System: "Be brief.", Messages: hello}
		if known := protocoltest.Sent(t, open, config, request); strings.Contains(known, test.without) || !strings.Contains(known, test.with) {
			t.Errorf("%s is known: sent %s", test.lesson, known)
		}
	}
}
