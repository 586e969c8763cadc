package protocol

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// onOffer are the tools of the tests. Of the schemas it counts which parameters are
// texts.
var onOffer = []llm.Tool{
	{Name: "read", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"}}}`)},
	{Name: "write", Parameters: json.RawMessage(`{"properties":{"path":{"type":"string"},"content":{"type":["null","string"]},"any":true}}`)},
	{Name: "list", Parameters: json.RawMessage(`{}`)},
}

// told is a call in one line.
func told(c message.Call) string {
	arguments := string(c.Arguments)
	if c.Arguments == nil {
		arguments = "none of " + c.Raw
	}
	if c.Repaired {
		arguments += " (repaired)"
	}
	return c.Name + " " + arguments
}

type writtenCase struct {
	name, in string
	calls    []string
	// rest is what is left; text without calls is left as it is.
	rest string
}

func checkWritten(t *testing.T, cases []writtenCase) {
	t.Helper()
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			found, rest := writtenCalls(test.in, onOffer)
			var calls []string
			for _, c := range found {
				calls = append(calls, told(c))
				if !c.Written || c.ID != "" {
					t.Errorf("call %+v: written %v, id %q", c, c.Written, c.ID)
				}
			}
			if diff := cmp.Diff(test.calls, calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			want := test.rest
			if test.calls == nil {
				want = test.in
			}
			if diff := cmp.Diff(want, rest); diff != "" {
				t.Errorf("rest (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMSG08_ObjectsInTags(t *testing.T) {
	checkWritten(t, []writtenCase{
		{"hermes", "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>", []string{`read {"path": "a"}`}, ""},
		{"two, with text", "<tool_call>{\"name\":\"read\"}</tool_call>\nand\n<tool_call>{\"name\":\"list\",\"arguments\":{}}</tool_call>\n\nDone. ", []string{"read {}", "list {}"}, "and\n\nDone. "},
		{"closing tag missing at the end", "<tool_call>\n{\"name\":\"read\"}\n", []string{"read {}"}, ""},
		{"closing tag missing before another", "<tool_call>{\"name\":\"read\"}\n<tool_call>{\"name\":\"list\"}</tool_call>", []string{"read {}", "list {}"}, ""},
		{"several in one tag", "<tool_call>{\"name\":\"read\"}\n{\"name\":\"list\"}</tool_call>", []string{"read {}", "list {}"}, ""},
		{"array", `<tool_calls>[{"name":"read"},{"name":"list"}]</tool_calls>`, []string{"read {}", "list {}"}, ""},
		{"function_call", `<function_call>{"name":"read","arguments":"{\"path\":\"a\"}"}</function_call>`, []string{`read {"path":"a"}`}, ""},
		{"fence inside", "<tool_call>\n```json\n{\"name\":\"read\"}\n```\n</tool_call>", []string{"read {}"}, ""},
		{"fence around", "```xml\n<tool_call>{\"name\":\"read\"}</tool_call>\n```", []string{"read {}"}, "```xml\n\n```"},
		{"not on offer", `<tool_call>{"name":"shell","arguments":{"command":"ls"}}</tool_call>`, []string{`shell {"command":"ls"}`}, ""},
		{"tag in a string", `<tool_call>{"name":"write","arguments":{"content":"</tool_call><tool_call>{\"name\":\"list\"}</tool_call> } ] \" ` + "```" + `"}}</tool_call>`, []string{`write {"content":"</tool_call><tool_call>{\"name\":\"list\"}</tool_call> } ] \" ` + "```" + `"}`}, ""},
		{"trailing comma", `<tool_call>{"name":"read","arguments":{"path":"a",},}</tool_call>`, []string{`read {"path":"a"} (repaired)`}, ""},
		{"Python", `<tool_call>{'name': 'read', 'arguments': {'path': None}}</tool_call>`, []string{`read {"path": null} (repaired)`}, ""},
		{"Python in a text", `<tool_call>{"name":"read","arguments":"{'path':'a'}"}</tool_call>`, []string{`read {"path":"a"} (repaired)`}, ""},
		{"no object as arguments", `<tool_call>{"name":"read","arguments":["a"]}</tool_call>`, []string{`read none of ["a"]`}, ""},
		{"half a text as arguments", `<tool_call>{"name":"read","arguments":"{\"path\":\"a"}</tool_call>`, []string{`read none of {"path":"a`}, ""},
		{"cut", `<tool_call>{"name":"write","arguments":{"content":"half`, nil, ""},
		{"cut behind the arguments", `<tool_call>{"name":"write","arguments":{"content":"half"}`, nil, ""},
		{"cut, malformed", `<tool_call>{"name":"write","arguments":{"content":"x",}}`, nil, ""},
		{"cut, then whole", "<tool_call>{\"name\":\"write\",\n<tool_call>{\"name\":\"list\"}</tool_call>", []string{"list {}"}, "<tool_call>{\"name\":\"write\","},
		{"one brace more", `<tool_call>{"name":"read","arguments":{}}}</tool_call>`, nil, ""},
		{"text behind", `<tool_call>{"name":"read"} as an example`, nil, ""},
		{"one of an array is none", `<tool_calls>[{"name":"read"},5]</tool_calls>`, nil, ""},
		{"nothing in it", `<tool_call></tool_call><tool_calls>[]</tool_calls><tool_call>`, nil, ""},
		{"spoken of", "The <tool_call> and </tool_call> tags, or `<tool_call>` alone.", nil, ""},
		{"no name", `<tool_call>{"name":"","arguments":{}}</tool_call><tool_call>{"name":null}</tool_call><tool_call>{"path":"a"}</tool_call><tool_call>{"name":7}</tool_call>`, nil, ""},
	})
}

func TestMSG08_WordsForNameAndArguments(t *testing.T) {
	for _, object := range []string{
		`{"name":"read","arguments":{"path":"a"}}`,
		`{"tool":"read","parameters":{"path":"a"}}`,
		`{"tool_name":"read","args":{"path":"a"}}`,
		`{"function":"read","input":{"path":"a"}}`,
		`{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}`,
	} {
		checkWritten(t, []writtenCase{
			{"tag " + object, "<tool_call>" + object + "</tool_call>", []string{`read {"path":"a"}`}, ""},
			{"fence " + object, "```json\n" + object + "\n```", []string{`read {"path":"a"}`}, ""},
			{"bare " + object, object, []string{`read {"path":"a"}`}, ""},
		})
	}
	for _, object := range []string{
		`{"name":"read","tool":"list"}`,
		`{"name":"read","arguments":{},"input":{}}`,
		`{"function":{"name":"read"},"arguments":{}}`,
		`{"function":{"function":{"name":"read"}}}`,
		`{"Name":"read"}`,
	} {
		checkWritten(t, []writtenCase{
			{"tag " + object, "<tool_call>" + object + "</tool_call>", nil, ""},
			{"bare " + object, object, nil, ""},
		})
	}
}

func TestMSG08_NameAndEachArgument(t *testing.T) {
	checkWritten(t, []writtenCase{
		{"GLM", "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a b</arg_value>\n<arg_key>line</arg_key>\n<arg_value>7</arg_value>\n</tool_call>", []string{`read {"path":"a b","line":7}`}, ""},
		{"GLM in one line", "<tool_call>read<arg_key>path</arg_key><arg_value>7</arg_value></tool_call>", []string{`read {"path":"7"}`}, ""},
		{"GLM, no arguments", "<tool_call>list\n</tool_call> ok", []string{"list {}"}, "ok"},
		{"GLM, the last line break is the file's", "<tool_call>write<arg_key>content</arg_key><arg_value>x\n</arg_value></tool_call>", []string{`write {"content":"x\n"}`}, ""},
		{"GLM, unknown tool", "<tool_call>shell\n<arg_key>a</arg_key><arg_value>true</arg_value><arg_key>b</arg_key><arg_value>True</arg_value></tool_call>", []string{`shell {"a":true,"b":"True"}`}, ""},
		{"GLM, not closed", "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n", nil, ""},
		{"GLM, value not closed", "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value><tool_call>{\"name\":\"list\"}</tool_call>", nil, ""},
		{"GLM, twice the same", "<tool_call>read<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>path</arg_key><arg_value>b</arg_value></tool_call>", nil, ""},
		{"GLM, key alone", "<tool_call>read<arg_key>path</arg_key></tool_call>", nil, ""},
		{"Qwen3-Coder", "<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n\n  {\"x\": 1}\n\n</parameter>\n</function>\n</tool_call>", []string{`write {"path":"a","content":"\n  {\"x\": 1}\n"}`}, ""},
		{"Qwen3-Coder, outer tag closed only", "<function=read>\n<parameter=line>\n7\n</parameter>\n</function>\n</tool_call>\nNow.", []string{`read {"line":7}`}, "Now."},
		{"Qwen3-Coder, two in one tag", "<tool_call>\n<function=list>\n</function>\n<function=read>\n<parameter=any>\n[1, 2]\n</parameter>\n</function>\n</tool_call>", []string{"list {}", "read {\"any\":[1, 2]}"}, ""},
		{"Qwen3-Coder, empty text", "<function=write><parameter=content>\n</parameter><parameter=path></parameter></function>", []string{`write {"content":"","path":""}`}, ""},
		{"Qwen3-Coder, tags in a file", "<tool_call>\n<function=write>\n<parameter=content>\n<parameter=x> </parameter> text\n</tool_call> ``` <tool_call>{\"name\":\"list\"}</tool_call>\n</parameter>\n</function>\n</tool_call>", []string{`write ` + string(MustEncode(map[string]string{"content": "<parameter=x> </parameter> text\n</tool_call> ``` <tool_call>{\"name\":\"list\"}</tool_call>"}))}, ""},
		{"Qwen3-Coder, not closed", "<function=write>\n<parameter=content>\n<tool_call>{\"name\":\"list\"}</tool_call>\n", nil, ""},
		{"Qwen3-Coder, function not closed", "<function=write>\n<parameter=content>\na\n</parameter>\n", nil, ""},
		{"a key of two lines", "<function=write><parameter=con\ntent>a</parameter></function>", nil, ""},
		{"no key", "<function=write><parameter=>a</parameter></function>", nil, ""},
	})
}

func TestMSG08_FormsOfOtherFamilies(t *testing.T) {
	checkWritten(t, []writtenCase{
		{"Llama function", `<function=read>{"path": "</function>"}</function> then`, []string{`read {"path": "</function>"}`}, "then"},
		{"Llama function, two", `<function=read>{}</function><function=list>{}</function>`, []string{"read {}", "list {}"}, ""},
		{"Llama function, closing tag missing at the end", `<function=read>{"path":"a"}`, []string{`read {"path":"a"}`}, ""},
		{"Llama function, cut", `<function=read>{"path":"a"`, nil, ""},
		{"Llama function, malformed", `<function=read>{"path":"a",}</function>`, []string{`read {"path":"a"} (repaired)`}, ""},
		{"Llama function, beyond repair", `<function=read>{"path:a}</function>`, []string{`read none of {"path:a}`}, ""},
		{"Llama function, next one begins", `<function=read>{"path:a}<function=list>{}</function>`, []string{"list {}"}, `<function=read>{"path:a}`},
		{"Llama function, no name", `<function=>{}</function>`, nil, ""},
		{"python tag", `<|python_tag|>{"name": "read", "parameters": {"path": "a;b"}}; {"name":"list"}` + "\n" + `{"name":"list","parameters":{}}`, []string{`read {"path": "a;b"}`, "list {}", "list {}"}, ""},
		{"python tag, text behind", `<|python_tag|>{"name":"list"}; and`, []string{"list {}"}, "; and"},
		{"python tag, one is no call", `<|python_tag|>{"name":"list"};{"path":"<function=list>{}</function>"}`, nil, ""},
		{"python tag, code", `<|python_tag|>read.call(path="a")`, nil, ""},
		{"Mistral array", `[TOOL_CALLS] [{"name":"read","arguments":{"path":"[TOOL_CALLS]"}}, {"name":"list","arguments":{},"id":"123456789"}]`, []string{`read {"path":"[TOOL_CALLS]"}`, "list {}"}, ""},
		{"Mistral name", `[TOOL_CALLS]read{"path": "a"}[TOOL_CALLS]list{}`, []string{`read {"path": "a"}`, "list {}"}, ""},
		{"Mistral name and ARGS", `[TOOL_CALLS]read[ARGS]{"path": "a"}[TOOL_CALLS]list[CALL_ID]123456789[ARGS]{} ok`, []string{`read {"path": "a"}`, "list {}"}, "ok"},
		{"Mistral, no arguments", `[TOOL_CALLS]read and [TOOL_CALLS]list[ARGS][1]`, nil, ""},
		{"Mistral, cut", `[TOOL_CALLS]read{"path": "a" [TOOL_CALLS][{"name":"list"}`, nil, ""},
		{"Kimi", `<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"<|tool_call_end|>"}<|tool_call_end|><|tool_call_begin|>functions.mcp:x.y:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`, []string{`read {"path":"<|tool_call_end|>"}`, "mcp:x.y {}"}, ""},
		{"Kimi, no section, no arguments", `<|tool_call_begin|>list<|tool_call_argument_begin|><|tool_call_end|>`, []string{"list {}"}, ""},
		{"Kimi, cut", `<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a"`, nil, ""},
		{"Kimi, no name", `<|tool_calls_section_begin|>x<|tool_call_begin|>functions.:0<|tool_call_argument_begin|>{}<|tool_call_end|>`, nil, ""},
		{"DeepSeek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"path\":\"```\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>list\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>\nok", []string{"read {\"path\":\"```\"}", "list {}"}, "ok"},
		{"DeepSeek, newer", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\"path\":\"a\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>list<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", []string{`read {"path":"a"}`, "list {}"}, ""},
		{"DeepSeek, malformed", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"path\":\"a\",}\n```<｜tool▁call▁end｜>", []string{`read {"path":"a"} (repaired)`}, ""},
		{"DeepSeek, no name", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜><｜tool▁sep｜>{}<｜tool▁call▁end｜>", nil, ""},
	})
}

func TestMSG08_JSONWithoutTags(t *testing.T) {
	checkWritten(t, []writtenCase{
		{"fence", "```json\n{\"name\":\"read\",\"arguments\":{\"path\":\"``` }\"}}\n```\nThen.", []string{"read {\"path\":\"``` }\"}"}, "Then."},
		{"fence without a language", "```\n[{\"name\":\"read\"},{\"name\":\"list\"}]\n```", []string{"read {}", "list {}"}, ""},
		{"fences for calls", "```tool_call\n{\"name\":\"read\"}\n```\n````tool_code\n{\"name\":\"list\"}\n````", []string{"read {}", "list {}"}, ""},
		{"fence behind another", "```go\nx := `{`\n```\nThen\n```JSON\n{\"name\":\"list\"}\n```", []string{"list {}"}, "```go\nx := `{`\n```\nThen"},
		{"fence that closes", "```go\nx\n```\n{\"name\":\"list\"}\n```", nil, ""},
		{"fence of another language", "```python\n{\"name\":\"list\"}\n```", nil, ""},
		{"fence that is not closed", "```json\n{\"name\":\"list\"}", nil, ""},
		{"fence with more in it", "```json\n{\"name\":\"list\"}\n// so\n```", nil, ""},
		{"fence, not on offer", "```json\n{\"name\":\"shell\"}\n```", nil, ""},
		{"fence, other keys", "```json\n{\"name\":\"list\",\"version\":\"1\"}\n```", nil, ""},
		{"fence, other keys inside", "```json\n{\"function\":{\"name\":\"list\",\"strict\":true}}\n```", nil, ""},
		{"fence, other keys around", "```json\n{\"function\":{\"name\":\"list\"},\"strict\":true}\n```", nil, ""},
		{"fence, schema of a tool", "```json\n{\"name\":\"list\",\"parameters\":[]}\n```", nil, ""},
		{"fence, malformed", "```json\n{\"name\":\"list\",}\n```", nil, ""},
		{"fence, malformed arguments", "```json\n{\"name\":\"list\",\"arguments\":\"{'a':1}\"}\n```", nil, ""},
		{"bare", " {\"name\": \"read\", \"arguments\": {\"path\": \"}\"}}\n", []string{`read {"path": "}"}`}, ""},
		{"bare, one a line", "{\"name\":\"read\"}\n{\"name\":\"list\"}\n", []string{"read {}", "list {}"}, ""},
		{"bare array", `[{"name":"read"}]`, []string{"read {}"}, ""},
		{"bare, text behind", "{\"name\":\"read\"}\nis what I would call", nil, ""},
		{"bare, not on offer", `{"name":"shell"}`, nil, ""},
		{"bare, one is an answer", "{\"name\":\"read\"}\n{\"answer\":7}", nil, ""},
		{"bare, other keys", `{"name":"list","age":7}`, nil, ""},
		{"bare answer that holds a tag", `{"answer":"<function=list>{}</function>"}`, nil, ""},
		{"bare answer, then a tag", `{"answer":7} <tool_call>{"name":"list"}</tool_call>`, []string{"list {}"}, `{"answer":7}`},
		{"bare, cut", `{"name":"list"`, nil, ""},
		{"empty", "", nil, ""},
		{"text", "Nothing [of] `this` <is> a call.", nil, ""},
	})
}

// TestMSG08_RawIsWhatWasWritten checks what is kept of a call beside its arguments.
func TestMSG08_RawIsWhatWasWritten(t *testing.T) {
	for in, want := range map[string]string{
		`<tool_call>{"name":"read","arguments": {"path" : "a"} }</tool_call>`:              `{"path" : "a"}`,
		`<tool_call>{"name":"read","arguments":" {'path':1}"}</tool_call>`:                 ` {'path':1}`,
		`<tool_call> {"name":"read",} </tool_call>`:                                        `{"name":"read",} `,
		"<function=read>\n<parameter=line>\n7\n</parameter>\n</function>":                  "<parameter=line>\n7\n</parameter>\n",
		"<tool_call>read\n<arg_key>line</arg_key><arg_value>7</arg_value>\n\n</tool_call>": "<arg_key>line</arg_key><arg_value>7</arg_value>\n\n",
	} {
		calls, _ := writtenCalls(in, onOffer)
		if len(calls) != 1 || calls[0].Raw != want {
			t.Errorf("calls of %q: %+v, want the raw text %q", in, calls, want)
		}
	}
}

// TestMSG08_OpeningsAreFound holds the scan to the forms: it looks only where one of
// its characters stands.
func TestMSG08_OpeningsAreFound(t *testing.T) {
	for _, opening := range writtenOpenings {
		s := &scanner{text: "\n" + opening}
		if read, begin := s.next(); read == nil || begin != 1 || !s.atEnd() {
			t.Errorf("opening %q: found at %d of %d", opening, begin, len(s.text))
		}
	}
	for text, want := range map[string]bool{"": false, " \n": false, "{": true, "\n [": true, "a {": false, "```": false} {
		if got := writtenBare(text); got != want {
			t.Errorf("writtenBare(%q) = %v", text, got)
		}
	}
}
