package tool

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDSP03_EveryFaultIsNamed(t *testing.T) {
	const schema = `{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer","minimum":1},"share":{"type":"number"},
		"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"}},"required":["old"],"additionalProperties":false}},
		"env":{"type":"object","additionalProperties":{"type":"string"}},"a/b~":{"type":["string","null"]}},
		"required":["path"],"additionalProperties":false}`
	for arguments, want := range map[string][]string{
		`{"path":"x"}`: nil,
		`{"path":"x","limit":2.0,"share":2,"edits":[{"old":""}],"env":{"A":"b"},"a/b~":null}`: nil,
		`{"limit":1.5,"edits":[{"old":1},{"new":"x"},2],"more":1,"other":2}`: {
			"at /: missing property 'path'", "at /edits/0/old: got number, want string",
			"at /edits/1: missing property 'old'", "at /edits/1: additional properties 'new' not allowed",
			"at /edits/2: got number, want object", "at /limit: got number, want integer",
			"at /: additional properties 'more', 'other' not allowed",
		},
		`{"path":null,"env":{"A":1},"a/b~":1}`: {
			"at /a~1b~0: got number, want string or null", "at /env/A: got number, want string", "at /path: got null, want string",
		},
		`[]`: {"at /: got array, want object"},
	} {
		v := validator{schema: json.RawMessage(schema)}
		got, err := v.findFaults(json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.Transformer("plain", func(f faultList) []string { return f })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arguments, diff)
		}
	}
	v := validator{schema: json.RawMessage(schema)}
	if got, err := v.findFaults(json.RawMessage(`{"path":"x","limit":0}`)); err != nil || len(got) != 1 || !strings.Contains(got[0], "minimum") {
		t.Errorf("what only the library knows: %q, %v", got, err)
	}
	if got, err := v.findFaults(json.RawMessage(`{"path":"x"} {}`)); err != nil || len(got) != 1 {
		t.Errorf("more after the end: %q, %v", got, err)
	}
}

func TestDSP03_ACallWithVeryManyFaultsNamesSome(t *testing.T) {
	v := validator{schema: json.RawMessage(`{"type":"array","items":{"type":"string"}}`)}
	got, err := v.findFaults(json.RawMessage("[" + strings.Repeat("1,", 1000) + "1]"))
	if err != nil || len(got) != maxFaults+1 || got[maxFaults] != "and more" {
		t.Errorf("%d faults, the last %q, %v", len(got), got[len(got)-1], err)
	}
}

func TestABrokenSchemaIsNoFaultOfTheCall(t *testing.T) {
	for _, schema := range []string{`{"type":`, `{"type":"object","properties":{"a":{"pattern":"("}}}`} {
		v := validator{schema: json.RawMessage(schema)}
		if got, err := v.findFaults(json.RawMessage(`{}`)); err == nil {
			t.Errorf("%s: %q", schema, got)
		}
	}
}
