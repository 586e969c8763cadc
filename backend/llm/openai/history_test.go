package openai_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// tool is a part that ended with a result.
func tool(id, name, input string, result message.Result) message.Part {
	use := &message.ToolUse{CallID: id, Name: name, State: message.State{Status: message.Completed, Output: &result}}
	if input != "" {
		use.State.Input = json.RawMessage(input)
	}
	return message.Part{Type: message.ToolPart, Tool: use}
}

func assistant(parts ...message.Part) message.Message {
	return message.Message{Role: message.Assistant, Parts: parts}
}

func text(text string) message.Part { return message.Part{Type: message.TextPart, Text: text} }

func thought(text string) message.Part { return message.Part{Type: message.ReasoningPart, Text: text} }

// sent returns the body of the one request that req becomes.
func sent(t *testing.T, config protocol.Config, req llm.Request) string {
	t.Helper()
	server := llmtest.Script("text ok")
	if _, err := open(t, server, config).Stream(t.Context(), req, quiet); err != nil {
		t.Fatalf("the strict server refuses: %v", err)
	}
	return string(server.Requests()[0].Body)
}

func TestMSG06_History(t *testing.T) {
	history := []message.Message{
		{Role: message.User, Parts: []message.Part{text("one"), {Type: message.TextPart, Text: "two", Synthetic: true}}},
		assistant(thought("think"), thought("ing"), text("I look."),
			tool("a", "read", `{"b": 1.50,"a":1e2}`, message.Result{Content: message.Text("text")}),
			tool("b", "no such tool!", "", message.Fail(message.ToolNotFound, "no such tool"))),
		assistant(thought("only thinking")),
		assistant(text("\n\n")),
		user(" \t"),
		assistant(text("\n\n"), tool("c", "ls", "{}", message.Result{})),
		{Role: message.User},
		assistant(thought("done"), text("Done.")),
		user("more"),
	}
	const want = `{"model":"m","messages":[` +
		`{"role":"system","content":"Be brief."},` +
		`{"role":"user","content":"one\n\ntwo"},` +
		`{"role":"assistant","content":"I look."REASONING,"tool_calls":[` +
		`{"id":"a","type":"function","function":{"name":"read","arguments":"{\"b\": 1.50,\"a\":1e2}"}},` +
		`{"id":"b","type":"function","function":{"name":"no_such_tool_","arguments":"{}"}}]},` +
		`{"role":"tool","content":"text","tool_call_id":"a"},` +
		`{"role":"tool","content":"TOOL_NOT_FOUND: no such tool","tool_call_id":"b"},` +
		`{"role":"assistant",EMPTY"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},` +
		`{"role":"tool","content":"(no output)","tool_call_id":"c"},` +
		`{"role":"assistant","content":"Done."},` +
		`{"role":"user","content":"more"}],` +
		`"stream":true,"stream_options":{"include_usage":true}}`
	req := llm.Request{System: "Be brief.", Messages: history}
	for reasoning, echo := range map[string]llm.Echo{"": llm.EchoNone, `,"reasoning_content":"thinking"`: llm.EchoContent} {
		got := sent(t, protocol.Config{Dialect: llm.Dialect{Echo: echo}}, req)
		// Who demands it refuses a call without it, even where there was none.
		empty := ""
		if echo != llm.EchoNone {
			empty = `"reasoning_content":" ",`
		}
		if diff := cmp.Diff(strings.NewReplacer("REASONING", reasoning, "EMPTY", empty).Replace(want), got); diff != "" {
			t.Errorf("echo %q (-want +got):\n%s", echo, diff)
		}
	}
}

func TestMSG03_ToolChoice(t *testing.T) {
	tools := []llm.Tool{{Name: "ls", Description: "lists", Parameters: json.RawMessage(`{"type":"object"}`)}}
	const listed = `,"tools":[{"function":{"name":"ls","description":"lists","parameters":{"type":"object"}},"type":"function"}]`
	for _, test := range []struct {
		choice llm.ToolChoice
		tools  []llm.Tool
		want   string
	}{
		{"", tools, listed},
		{llm.ChoiceAuto, tools, listed},
		{llm.ChoiceNone, tools, listed + `,"tool_choice":"none"`},
		{"ls", tools, listed + `,"tool_choice":{"type":"function","function":{"name":"ls"}}`},
		{llm.ChoiceNone, nil, ""},
	} {
		got := sent(t, protocol.Config{}, llm.Request{Messages: hello.Messages, Tools: test.tools, Choice: test.choice})
		want := `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true` + test.want + `,"stream_options":{"include_usage":true}}`
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("choice %q (-want +got):\n%s", test.choice, diff)
		}
	}
}

func TestMSG02_PrefixStaysTheSame(t *testing.T) {
	messages := []message.Message{user("go"), assistant(tool("a", "ls", "{}", message.Result{Content: message.Text("<x>")}))}
	req := llm.Request{System: "s", Messages: messages}
	before, _, _ := strings.Cut(sent(t, protocol.Config{}, req), `],"stream"`)
	req.Messages = append(messages, assistant(text("so")), user("on"))
	if after := sent(t, protocol.Config{}, req); !strings.HasPrefix(after, before) {
		t.Errorf("the earlier messages changed:\n%s\n%s", before, after)
	}
}

// hiding returns a config that takes secret out of texts, whatever it is.
func hiding(secret string) protocol.Config {
	return protocol.Config{Model: "m-" + secret, Dialect: llm.Dialect{Echo: llm.EchoContent}, Redact: func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte(secret), []byte("[gone]"))
	}}
}

func TestSEC05_EveryTextIsRedacted(t *testing.T) {
	// A local server may have any word as its key, the names of fields among them.
	for _, secret := range []string{"sk-0123456789abcdef", "messages", "function", "reasoning_content"} {
		got := sent(t, hiding(secret), llm.Request{System: "1 " + secret, Messages: []message.Message{
			user("2 " + secret),
			assistant(thought("3 "+secret), text("4 "+secret),
				tool("a", "ls", `{"path":"5 `+secret+`"}`, message.Result{Content: message.Text("6 " + secret)})),
		}})
		for i := 1; i <= 6; i++ {
			if hidden := fmt.Sprintf("%d [gone]", i); !strings.Contains(got, hidden) {
				t.Errorf("no %q in %s", hidden, got)
			}
		}
		if !strings.HasPrefix(got, `{"model":"m-`+secret+`","messages":[{"role":"system",`) {
			t.Errorf("model or fields changed: %s", got)
		}
	}
}

func TestSEC05_RedactedArgumentsAreJSON(t *testing.T) {
	got := sent(t, hiding("12345678"), llm.Request{Messages: []message.Message{
		user("go"), assistant(tool("a", "ls", `{"limit":12345678}`, message.Result{})),
	}})
	if !strings.Contains(got, `"arguments":"{}"`) {
		t.Errorf("sent %s", got)
	}
}

func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("n", 80)
	got := sent(t, protocol.Config{}, llm.Request{Messages: []message.Message{
		user("go"), assistant(tool("a", long, "{}", message.Result{}), tool("b", "", "{}", message.Result{})),
	}})
	for _, name := range []string{`"` + long[:64] + `"`, `"unnamed"`} {
		if !strings.Contains(got, `"name":`+name) {
			t.Errorf("no call named %s in %s", name, got)
		}
	}
}
