package tool_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

func TestINJ01_APresetFitsItsTool(t *testing.T) {
	for name, test := range map[string]struct {
		tool, parameter, value string
		want                   string
	}{
		"tool":           {"fetsh", "url", `"u"`, `preset parameters of tool "fetsh": there is no such tool; there are fetch`},
		"parameter":      {"fetch", "uri", `"u"`, `preset parameters of tool "fetch": there is no parameter "uri"`},
		"type":           {"fetch", "limit", `"3"`, "at /limit: got string, want integer"},
		"null":           {"fetch", "limit", `null`, "at /limit: got null"},
		"inside":         {"fetch", "headers", `[{"nam":"a"}]`, "at /headers/0"},
		"missing inside": {"fetch", "auth", `{}`, "at /auth: missing property 'name'"},
		"not JSON":       {"fetch", "limit", `3 4`, `the value of "limit" is not JSON`},
		"none":           {"fetch", "limit", ``, `the value of "limit" is not JSON`},
	} {
		for _, preset := range []tool.Preset{binding(test.value), overridable(test.value)} {
			t.Run(name, func(t *testing.T) {
				registry, err := tool.NewRegistry(fetch{})
				if err != nil {
					t.Fatal(err)
				}
				_, err = tool.NewDispatcher(registry, tool.Options{
					Presets: map[string]map[string]tool.Preset{test.tool: {test.parameter: preset}},
				})
				var refusal *message.Refusal
				if !errors.As(err, &refusal) || refusal.Code != message.InvalidParams || !strings.Contains(refusal.Message, test.want) {
					t.Errorf("got %v, want %q", err, test.want)
				}
			})
		}
	}
}

// shaped is a tool with any schema.
type shaped struct {
	scripted
	schema string
}

func (s shaped) Definition() tool.Definition {
	d := s.scripted.Definition()
	d.Parameters = json.RawMessage(s.schema)
	return d
}

func TestINJ01_NothingIsPresetInAnOddSchema(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"url":{"type":"odd"}}}`: "compile schema",
		`{"type":"object"}`: `there is no parameter "url"`,
		`true`:              `there is no parameter "url"`,
		`{`:                 `there is no parameter "url"`,
	} {
		registry, err := tool.NewRegistry(shaped{scripted{name: "fetch"}, schema})
		if err != nil {
			t.Fatal(err)
		}
		_, err = tool.NewDispatcher(registry, presets(map[string]tool.Preset{"url": binding(`"u"`)}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", schema, err, want)
		}
	}
}
