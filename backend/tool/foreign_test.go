package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/tool"
)

func TestForeignSchemaRefusesWhatCannotBeChecked(t *testing.T) {
	doubled := `{"type":"object","allOf":[{"$ref":"#/$defs/d0"}],"$defs":{`
	for i := range 40 {
		doubled += fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	doubled += `"d40":{}}}`
	deep := `{"type":"object","properties":{"a":` + strings.Repeat(`{"items":`, 100) + "{}" + strings.Repeat("}", 101) + "}"
	for schema, words := range map[string]string{
		``:                                 "no JSON object",
		`[]`:                               "no JSON object",
		`null`:                             "no JSON object",
		`true`:                             "no JSON object",
		`{}`:                               "not that of an object",
		`{"type":"string"}`:                "not that of an object",
		`{"type":["object","null"]}`:       "not that of an object",
		`{"type":"object","properties":1}`: "read schema",
		`{"type":"object","properties":{"a":{"type":"thing"}}}`:                          "there is no type",
		`{"type":"object","$ref":"#"}`:                                                   "too much time",
		`{"type":"object","allOf":[{"$ref":"#"}]}`:                                       "too much time",
		`{"type":"object","not":{"anyOf":[{"$ref":"#/not"}]}}`:                           "too much time",
		`{"type":"object","if":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/a"}}}`: "too much time",
		`{"type":"object","properties":{"a":{"$ref":"https://example.org/s"}}}`:          "not in it",
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`:                   "not in it",
		`{"type":"object","properties":{"a":{"$ref":"#anchor"}}}`:                        "not in it",
		`{"type":"object","properties":{"a":{"$id":"b","$ref":"#"}}}`:                    "$id",
		`{"type":"object","properties":{"a":{"$dynamicRef":"#"}}}`:                       "$dynamicRef",
		doubled: "too much time",
		deep:    "deeper than 64",
	} {
		if _, err := tool.ReadForeignSchema(json.RawMessage(schema)); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%.100s: %v, want %q", schema, err, words)
		}
	}
}

func TestForeignSchemaChecksArguments(t *testing.T) {
	tree, err := tool.ReadForeignSchema(json.RawMessage(`{"type":"object","$id":"https://example.org/tree","properties":{
		"name":{"type":"string"},"sub":{"type":"array","items":{"$ref":"#"}}},"required":["name"],"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{"name":"a"}`: "",
		`{"name":"a","sub":[{"name":"b","sub":[]}]}`: "",
		`{"name":"a","sub":[{"sub":[]}]}`:            "missing properties",
		`{"name":1,"more":true}`:                     "at /name: got number, want string; at /: additional properties 'more' not allowed",
		`{"name":1`:                                  "unexpected end of JSON input",
	} {
		faults, err := tree.Faults(json.RawMessage(arguments))
		got := strings.Join(faults, "; ")
		if err != nil || (want == "") != (got == "") || want == "missing properties" && !strings.Contains(got, "required") || want != "missing properties" && !strings.Contains(got, want) && !strings.Contains(want, got) {
			t.Errorf("%s: %q, %v, want %q", arguments, got, err, want)
		}
	}
}

// A schema that doubles at each level of the value is only as slow as the value is deep.
func TestForeignSchemaIsBoundedByTheArguments(t *testing.T) {
	doubling, err := tool.ReadForeignSchema(json.RawMessage(`{"type":"object","$ref":"#/$defs/n",
		"$defs":{"n":{"allOf":[{"properties":{"a":{"$ref":"#/$defs/n"}}},{"properties":{"a":{"$ref":"#/$defs/n"}}}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	arguments := strings.Repeat(`{"a":`, 50) + "{}" + strings.Repeat("}", 50)
	if _, err := doubling.Faults(json.RawMessage(arguments)); err == nil { // else it had not ended yet
		t.Error("it is checked to the end")
	}
}

func FuzzForeignSchema(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"a":{"a":{}}}`)
	f.Add(`{"type":"object","allOf":[{"$ref":"#/properties/a"}],"properties":{"a":{"items":[{"$ref":"#"}]}}}`, `{"a":[{}]}`)
	f.Add(`{"type":"object","patternProperties":{"(a+)+$":{"not":{"$ref":"#"}}},"propertyNames":{"pattern":"b"}}`, `{"aaab":{}}`)
	f.Add(`{"type":"object","dependentSchemas":{"a":{"$ref":"#/then"}},"if":{},"then":{"unevaluatedProperties":{"$ref":"#"}}}`, `{"a":1}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		if foreign, err := tool.ReadForeignSchema(json.RawMessage(schema)); err == nil {
			_, _ = foreign.Faults(json.RawMessage(arguments)) // neither hangs nor ends the program
		}
	})
}
