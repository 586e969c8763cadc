package llmtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	user := `{"role":"user","content":"u"}`
	call := func(ids ...string) string {
		var calls []string
		for _, id := range ids {
			calls = append(calls, `{"id":"`+id+`","type":"function","function":{"name":"f","arguments":"{}"}}`)
		}
		return `{"role":"assistant","tool_calls":[` + strings.Join(calls, ",") + `]}`
	}
	custom := func(function string) string {
		return user + `,{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":` + function + `}]},` +
			`{"role":"tool","tool_call_id":"a","content":"r"}`
	}
	result := func(id string) string { return `{"role":"tool","tool_call_id":"` + id + `","content":"r"}` }
	tool := `{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}`
	for _, test := range []struct {
		name, messages, extra string
		want                  []string
	}{
		{"plain", user, "", nil},
		{"system first", `{"role":"system","content":"s"},` + user, "", nil},
		{"a round", user + "," + call("a", "b") + "," + result("a") + "," + result("b"), `,"tools":[` + tool + `]`, nil},
		{"system later", user + `,{"role":"system","content":"s"}`, "", []string{"message 1: a system message must be first"}},
		{"unanswered", user + "," + call("a", "b") + "," + result("a"), "", []string{"message 3: tool calls without an answer: b"}},
		{"unanswered before user", call("a") + "," + user, "", []string{"message 1: tool calls without an answer: a"}},
		{"never called", user + "," + result("a"), "", []string{`message 1: tool message for call "a" that was not made`}},
		{"answered twice", call("a") + "," + result("a") + "," + result("a"), "", []string{`message 2: call "a" is answered twice or too late`}},
		{"wrong order", call("a", "b") + "," + result("b") + "," + result("a"), "", []string{`message 1: call "b" is answered before "a"`}},
		{"id twice", call("a") + "," + result("a") + "," + call("a") + "," + result("a"), "", []string{`message 2: call id "a" is there twice`}},
		{"no id", call("") + "," + result(""), "", []string{"message 0: call without an id"}},
		{"empty result", call("a") + `,{"role":"tool","tool_call_id":"a","content":""}`, "", []string{"message 1: tool message without content"}},
		{"no content", `{"role":"user"}`, "", []string{"message 0: user message without content"}},
		{"blank content", `{"role":"user","content":"\n"}`, "", []string{"message 0: user message without content"}},
		{"blank said", user + `,{"role":"assistant","content":" \n"}`, "", []string{"message 1: assistant message with neither content nor calls"}},
		{"blank before calls", strings.Replace(call("a"), `"tool_calls"`, `"content":"\n\n","tool_calls"`, 1) + "," + result("a"), "", []string{"message 0: assistant message with content of white space only"}},
		{"nothing said", user + `,{"role":"assistant"}`, "", []string{"message 1: assistant message with neither content nor calls"}},
		{"unknown role", `{"role":"developer","content":"d"}`, "", []string{`message 0: unknown role "developer"`}},
		{"user calls", `{"role":"user","content":"u","tool_calls":[{"id":"a"}]}`, "", []string{"message 0: user message with tool calls"}},
		{"not an object", custom(`{"name":"f","arguments":"[]"}`), "", []string{`message 1: arguments of call "a" are no JSON object`}},
		{"null", custom(`{"name":"f","arguments":"null"}`), "", []string{`message 1: arguments of call "a" are no JSON object`}},
		{"no arguments", custom(`{"name":"f"}`), "", []string{`message 1: arguments of call "a" are no JSON object`}},
		{"bad name", custom(`{"name":"a b","arguments":"{}"}`), "", []string{`message 1: call name "a b" does not match ^[a-zA-Z0-9_-]{1,64}$`}},
		{"index", call("a")[:strings.Index(call("a"), `"type"`)] + `"index":0,` + call("a")[strings.Index(call("a"), `"type"`):] + "," + result("a"), "", []string{`message 0: call "a" carries an index`}},
		{"empty tools", user, `,"tools":[]`, []string{"tools is an empty array"}},
		{"tool twice", user, `,"tools":[` + tool + "," + tool + `]`, []string{`tool name "f" is there twice`}},
		{"tool name", user, `,"tools":[{"type":"function","function":{"name":"é","parameters":{"type":"object"}}}]`, []string{`tool name "é" does not match ^[a-zA-Z0-9_-]{1,64}$`}},
		{"tool schema", user, `,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"array"}}}]`, []string{`parameters of tool "f" are no object schema`}},
		{"tool type", user, `,"tools":[{"function":{"name":"f","parameters":{"type":"object"}}}]`, []string{`tool "f" has type ""`}},
		{"choice alone", user, `,"tool_choice":"none"`, []string{"tool_choice without tools"}},
		{"empty", "", "", []string{"messages is empty"}},
		{"not UTF-8", `{"role":"user","content":"` + "\xff" + `"}`, "", []string{"body is not UTF-8"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := `{"model":"m","stream":true,"messages":[` + test.messages + `]` + test.extra + `}`
			if diff := cmp.Diff(test.want, Check([]byte(body))); diff != "" {
				t.Errorf("Check(%s) (-want +got):\n%s", body, diff)
			}
		})
	}
	if got := Check([]byte(`{"messages":[` + user + `]}`)); len(got) != 2 {
		t.Errorf("model and stream missing: %v", got)
	}
	if got := Check([]byte(`[]`)); len(got) != 1 || !strings.HasPrefix(got[0], "body does not decode: ") {
		t.Errorf("not an object: %v", got)
	}
}
