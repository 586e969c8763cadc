package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestMSG08_RepairIsBounded has many malformed calls, each of which the repair takes
// long for.
func TestMSG08_RepairIsBounded(t *testing.T) {
	one := `<tool_call>{'name':'list','arguments':{'a':'` + strings.Repeat("x", MaxRepair/3) + `'}}</tool_call>`
	calls, rest := writtenCalls(strings.Repeat(one, 50), onOffer)
	if len(calls) != 2 || rest != strings.Repeat(one, 48) {
		t.Errorf("%d calls repaired, %d bytes left", len(calls), len(rest))
	}
	text := `<function=list>{'a':'` + strings.Repeat("x", MaxRepair/3) + `'}</function>`
	calls, _ = writtenCalls(strings.Repeat(text, 50), onOffer)
	repaired := 0
	for _, c := range calls {
		if c.Repaired {
			repaired++
		}
	}
	if len(calls) != 50 || repaired != 2 {
		t.Errorf("%d of %d calls repaired", repaired, len(calls))
	}
}

// FuzzWrittenCalls checks that every call is one that can be offered to the user, and
// that what is left is of the text.
func FuzzWrittenCalls(f *testing.F) {
	for _, form := range writtenForms {
		f.Add(form.opening + `{"name":"read","arguments":{"path":"a"}}` + form.opening + "read\n<arg_key>path</arg_key><arg_value>a</arg_value></tool_call> text ```")
	}
	for _, seed := range []string{
		`[{"function":{"name":"read","arguments":"{}"}}]`, "<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
		`[TOOL_CALLS]read[CALL_ID]1[ARGS]{"path":"a"}`, "```json\n{\"tool\":\"read\",\"args\":{}}\n```\nx", `<tool_call>{'name':'read',}</tool_call>`,
		`<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`,
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, rest := writtenCalls(text, onOffer)
		if len(calls) == 0 && (calls != nil || rest != text) {
			t.Fatalf("no call, but %q is left of %q", rest, text)
		}
		for _, c := range calls {
			var object map[string]json.RawMessage
			if c.Arguments != nil && (json.Unmarshal(c.Arguments, &object) != nil || object == nil) {
				t.Errorf("arguments %s of %q", c.Arguments, text)
			}
			if c.Name == "" || c.ID != "" || !c.Written || c.Repaired && c.Arguments == nil {
				t.Errorf("call %s of %q", fmt.Sprintf("%+v", c), text)
			}
		}
		ahead := text
		for paragraph := range strings.SplitSeq(rest, "\n\n") {
			_, behind, found := strings.Cut(ahead, paragraph)
			if !found {
				t.Fatalf("%q is left of %q", rest, text)
			}
			ahead = behind
		}
	})
}
