package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm/openai/testdata/answers"
	"fairlead/backend/llm/protocol"
)

func at(index int) *int { return &index }

func TestMSG04_Assembler(t *testing.T) {
	for _, test := range []struct {
		name   string
		pieces []piece
		want   []string
	}{
		{"by the book", []piece{
			{at(0), "a", "f", "", nil}, {at(0), "", "", `{"x"`, nil}, {at(1), "b", "g", "", nil}, {at(0), "", "", `:1}`, nil}, {at(1), "", "", `{}`, nil},
		}, []string{`a f {"x":1}`, `b g {}`}},
		{"first index is 1", []piece{{at(1), "a", "f", "{", nil}, {at(1), "", "", "}", nil}}, []string{"a f {}"}},
		{"no index", []piece{{nil, "a", "f", "{}", nil}, {nil, "b", "g", "{}", nil}}, []string{"a f {}", "b g {}"}},
		{"no index, split", []piece{{nil, "a", "f", "{", nil}, {nil, "", "", "}", nil}, {nil, "b", "g", "{}", nil}}, []string{"a f {}", "b g {}"}},
		{"one index for all", []piece{{at(0), "a", "f", "{}", nil}, {at(0), "b", "g", "{", nil}, {at(0), "", "", "}", nil}}, []string{"a f {}", "b g {}"}},
		{"index changes inside a call", []piece{{at(1), "a", "f", "", nil}, {at(0), "a", "f", `{"x":`, nil}, {at(0), "a", "f", "1}", nil}, {at(0), "b", "f", "", nil}, {at(1), "b", "f", "{}", nil}}, []string{`a f {"x":1}`, "b f {}"}},
		{"id and name every time", []piece{{at(0), "a", "f", `{"x`, nil}, {at(0), "a", "f", `":1}`, nil}, {at(0), "a", "f", "", nil}}, []string{`a f {"x":1}`}},
		{"name in two", []piece{{at(0), "a", "read_", "", nil}, {at(0), "", "file", "{}", nil}}, []string{"a read_file {}"}},
		{"no ids", []piece{{at(0), "", "f", "{}", nil}, {at(1), "", "g", "{}", nil}}, []string{" f {}", " g {}"}},
		{"no ids, one index", []piece{{at(0), "", "f", "{}", nil}, {at(0), "", "g", "{}", nil}, {at(0), "", "g", "{}", nil}}, []string{" f {}", " g {}", " g {}"}},
		{"nothing but names", []piece{{nil, "", "f", "{}", nil}, {nil, "", "g", "{", nil}, {nil, "", "", "}", nil}}, []string{" f {}", " g {}"}},
		{"late id", []piece{{at(0), "", "f", "{", nil}, {at(0), "a", "", "}", nil}}, []string{"a f {}"}},
		{"late id of an earlier call", []piece{{at(0), "", "f", "{", nil}, {at(1), "", "g", "{", nil}, {at(0), "a", "", "}", nil}, {at(1), "b", "", "}", nil}}, []string{"a f {}", "b g {}"}},
		{"late name", []piece{{at(0), "a", "", "", nil}, {at(0), "", "f", "{}", nil}}, []string{"a f {}"}},
		{"one id for two calls", []piece{{at(0), "0", "f", "{}", nil}, {at(1), "0", "f", `{"x":1}`, nil}}, []string{"0 f {}", `0 f {"x":1}`}},
		{"one id, other name", []piece{{at(0), "0", "f", "{}", nil}, {at(1), "0", "g", "", nil}, {at(1), "", "", "{}", nil}}, []string{"0 f {}", "0 g {}"}},
		{"no arguments", []piece{{at(0), "a", "f", "", nil}, {at(1), "b", "g", "null", nil}}, []string{"a f {}", "b g {}"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var a assembler
			for _, p := range test.pieces {
				if err := a.add(p); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for _, c := range a.finishCalls(true) {
				got = append(got, fmt.Sprintf("%s %s %s", c.ID, c.Name, c.Arguments))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMSG05_Arguments(t *testing.T) {
	for _, test := range []struct {
		raw, want string
		repaired  bool
	}{
		{``, `{}`, false},
		{" \n", `{}`, false},
		{`null`, `{}`, false},
		{` {"a" : 1.50, "a":1e400} `, `{"a" : 1.50, "a":1e400}`, false},
		{`{"a":1,}`, `{"a":1}`, true},
		{"```json\n{\"a\":1}\n```", `{"a":1}`, true},
		{`{"path":"a","text":"half`, ``, false},
		{`{"path":"a","list":["half"`, ``, false},
		{`[{"a":1}]`, ``, false},
		{`"{}"`, ``, false},
		{`12`, ``, false},
		{`please}`, ``, false},
		// What only looks wrong keeps every escape.
		{`{"path":"x.py","content":"def f():\n\treturn 1\n",}`, `{"path":"x.py","content":"def f():\n\treturn 1\n"}`, true},
		{"```json\n{\"command\":\"grep -E '\\\\.go$'\"}\n```", `{"command":"grep -E '\\.go$'"}`, true},
		{"```json{\"a\":[\"x,]\\\",}\",],\n}```", "{\"a\":[\"x,]\\\",}\"]\n}", true},
		// An escape that is none could be meant in two ways.
		{`{"path":"x\yz"}`, ``, false},
		{`{"command":"grep -E '\.go$'"}`, ``, false},
		{`{\"path\":\"x\"}`, ``, false},
		// Strings stay what they were, or the call does not run.
		{"{'path':'it',\"text\":\"a\nb's\"}", `{"path":"it","text":"a\nb's"}`, true},
		{`{"a":True,"b":None}`, `{"a":true,"b":null}`, true},
		{`{"text":"say "hi" now"}`, ``, false},
		{`{"text":"a" + "b"}`, ``, false},
		{`{"command":rm -rf a, b}`, ``, false},
		{`{"edits":[{"old":"a"},...],}`, ``, false},
		// A cut text is not closed, whatever it ends with.
		{`{"path":"x","edits":[{"old":"a","new":"b"},{"old":"c","new":"d"}`, ``, false},
		{"{\"path\":\"x\",\"text\":\"run\n```", ``, false},
		{"```json\n{\"path\":\"x\",\"text\":\"run\n```", ``, false},
		{"{\"path\":\"x\"}\n```", ``, false},
		{`{"path":{'text':'half}}`, ``, false},
		{`{'path':'a'}{'path':'b'}`, ``, false},
		{`{'a':'` + strings.Repeat("x", protocol.MaxRepair) + `'}`, ``, false},
	} {
		c := protocol.NewCall("id", "name", test.raw, true)
		if string(c.Arguments) != test.want || c.Repaired != test.repaired || c.Raw != test.raw {
			t.Errorf("call(%.40q) = %.40s, repaired %v", test.raw, c.Arguments, c.Repaired)
		}
	}
}

func TestMSG05_NoRepairOfWhatMayBeCut(t *testing.T) {
	if c := protocol.NewCall("id", "name", `{"a":1,}`, false); c.Arguments != nil || c.Repaired {
		t.Errorf("repaired to %s", c.Arguments)
	}
	if c := protocol.NewCall("id", "name", `{"a":1}`, false); string(c.Arguments) != `{"a":1}` {
		t.Errorf("arguments %s", c.Arguments)
	}
}

// FuzzAssembler reads pieces from lines of index, id, name and arguments.
func FuzzAssembler(f *testing.F) {
	for _, seed := range []string{
		"0|a|f|{}\n1|b|g|{}", "|a|f|{\n|||}", "||f|{}\n||g|{}", "0|0|f|{}\n1|0|f|{\"x\":1}", "0||f|{'a':}", "9||||\n|z",
	} {
		f.Add(seed)
	}
	list, err := answers.Read()
	if err != nil {
		f.Fatal(err)
	}
	for _, answer := range list {
		if script := script(answer.Body); script != "" && len(script) < 4<<10 {
			f.Add(script)
		}
	}
	f.Fuzz(func(t *testing.T, script string) {
		var a assembler
		written, pieces := 0, 0
		for line := range strings.Lines(script) {
			fields := append(strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 4), "", "", "", "")
			p := piece{id: fields[1], name: fields[2], arguments: fields[3]}
			if len(fields[0]) == 1 {
				p.index = at(int(fields[0][0]))
			}
			if a.add(p) != nil {
				return // more than a reply may hold
			}
			written += len(p.arguments)
			pieces++
		}
		for _, d := range a.drafts {
			written -= d.arguments.text.Len()
		}
		if written != 0 {
			t.Errorf("%d bytes of arguments were lost or doubled", written)
		}
		calls := a.finishCalls(true)
		// What came as one may be several calls.
		if len(calls) > pieces+strings.Count(script, "}") {
			t.Fatalf("%d calls of %d pieces", len(calls), pieces)
		}
		for _, c := range calls {
			if !slices.ContainsFunc(a.drafts, func(d *draft) bool { return strings.Contains(d.arguments.text.String(), c.Raw) }) {
				t.Errorf("no call came with %q", c.Raw)
			}
			if c.Arguments == nil {
				continue
			}
			var object map[string]json.RawMessage
			if err := json.Unmarshal(c.Arguments, &object); err != nil || object == nil {
				t.Errorf("arguments %q of raw %q are no object: %v", c.Arguments, c.Raw, err)
			}
		}
	})
}

// script writes the pieces of calls in a stream for FuzzAssembler. What it cannot read
// it leaves out.
func script(stream []byte) string {
	var lines strings.Builder
	for line := range bytes.Lines(stream) {
		var chunk struct {
			Choices []struct {
				Delta struct {
					Calls []struct {
						Index    *int
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
			}
		}
		if json.Unmarshal(bytes.TrimPrefix(line, []byte("data: ")), &chunk) != nil || len(chunk.Choices) == 0 {
			continue
		}
		for _, call := range chunk.Choices[0].Delta.Calls {
			index := ""
			if call.Index != nil {
				index = fmt.Sprint(*call.Index)
			}
			fmt.Fprintf(&lines, "%s|%s|%s|%s\n", index, call.ID, call.Function.Name, call.Function.Arguments)
		}
	}
	return lines.String()
}
