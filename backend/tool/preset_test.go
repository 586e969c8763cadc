package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// fetch is a tool with a parameter of each kind; it returns the arguments it is given.
type fetch struct{}

type fetchArguments struct {
	URL     string   `json:"url" jsonschema:"where <from>"`
	Limit   int      `json:"limit"`
	Headers []header `json:"headers,omitempty"`
	Auth    *header  `json:"auth,omitempty"`
}

type header struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

func (fetch) Definition() tool.Definition {
	return tool.Definition{
		Name: "fetch", Description: "fetches", Parameters: tool.Schema[fetchArguments](),
		Confirm: true, Effect: message.EffectCommand, Group: "web",
	}
}

func (fetch) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	return tool.Plan{
		Preview: message.Preview{Effect: message.EffectCommand, Command: string(in.Arguments)}, Asks: true,
		Run: func(context.Context, func(string)) tool.Outcome {
			return tool.Outcome{Result: message.Result{Content: message.Text(string(in.Arguments))}}
		},
	}, nil
}

func binding(value string) tool.Preset { return tool.Preset{Value: json.RawMessage(value)} }

func overridable(value string) tool.Preset {
	return tool.Preset{Value: json.RawMessage(value), Overridable: true}
}

func presets(of map[string]tool.Preset) tool.Options {
	return tool.Options{Presets: map[string]map[string]tool.Preset{"fetch": of}}
}

const (
	fetchHead = `{"type":"object","properties":{`
	urlSchema = `"url":{"type":"string","description":"where \u003cfrom\u003e"}`
	numSchema = `"limit":{"type":"integer"}`
	pair      = `"type":"object","properties":{"name":{"type":"string"},"value":{"type":"string"}},"required":["name"],"additionalProperties":false}`
	headers   = `"headers":{"type":"array","items":{` + pair + `}`
	auth      = `"auth":{` + pair
	closed    = `"additionalProperties":false}`
)

func TestINJ01_TheModelSeesNoParameterThatIsBound(t *testing.T) {
	for name, test := range map[string]struct {
		presets map[string]tool.Preset
		want    string
	}{
		"none": {nil, fetchHead + strings.Join([]string{urlSchema, numSchema, headers, auth}, ",") + `},"required":["url","limit"],` + closed},
		"bound": {
			map[string]tool.Preset{"limit": binding(`3`), "auth": binding(`{"name":"a"}`)},
			fetchHead + urlSchema + "," + headers + `},"required":["url"],` + closed,
		},
		"default": {
			map[string]tool.Preset{"limit": overridable(`3`)},
			fetchHead + strings.Join([]string{urlSchema, numSchema, headers, auth}, ",") + `},"required":["url"],` + closed,
		},
		"nothing required": {
			map[string]tool.Preset{"limit": overridable(`3`), "url": binding(`"u"`)},
			fetchHead + strings.Join([]string{numSchema, headers, auth}, ",") + `},` + closed,
		},
		"nothing left": {
			map[string]tool.Preset{"limit": binding(`3`), "url": binding(`"u"`), "headers": binding(`[]`), "auth": binding(`{"name":"a"}`)},
			fetchHead + `},` + closed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := dispatcherWith(t, presets(test.presets), fetch{}, scripted{name: "other"})
			definitions := d.Definitions()
			if got := string(definitions[0].Parameters); got != test.want {
				t.Errorf("offered:\n got %s\nwant %s", got, test.want)
			}
			checked, _ := d.Definition("fetch")
			if diff := cmp.Diff(definitions[0], checked); diff != "" {
				t.Errorf("Check knows another tool than the model (-offered +checked):\n%s", diff)
			}
			if diff := cmp.Diff(scripted{name: "other"}.Definition(), definitions[1]); diff != "" {
				t.Errorf("a tool without presets changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestINJ01_PresetsCompleteACall(t *testing.T) {
	both := map[string]tool.Preset{
		"limit": overridable(`3`), "headers": binding(`[ {"name":"a", "value":"b"} ]`), "auth": binding(`{"name":"n"}`),
	}
	const bound = `"auth":{"name":"n"},"headers":[ {"name":"a", "value":"b"} ]`
	for name, test := range map[string]struct {
		presets   map[string]tool.Preset
		arguments string
		want      string
	}{
		"no presets, to the byte": {nil, " { \"limit\": 1.0 ,\n\"url\":\"\\u0041\"}", " { \"limit\": 1.0 ,\n\"url\":\"\\u0041\"}"},
		"all missing":             {both, `{"url":"u"}`, `{"url":"u",` + bound + `,"limit":3}`},
		"the model's order":       {both, `{ "limit" : 12345678901234567890, "url":"\u0041" }`, `{"limit":12345678901234567890,"url":"\u0041",` + bound + `}`},
		"bound to the same": {
			both, `{"headers":[{"value":"b","name":"a"}],"url":"u","limit":4}`,
			`{"headers":[ {"name":"a", "value":"b"} ],"url":"u","limit":4,"auth":{"name":"n"}}`,
		},
		// Decoding reads members of one name into the same value, one after the other.
		"bound to what only seems the same": {
			map[string]tool.Preset{"auth": binding(`{"name":"n"}`)},
			`{"auth":{"name":"x","name":"n"},"url":"u","auth":{"name":"n"},"limit":1}`, `{"auth":{"name":"n"},"url":"u","limit":1}`,
		},
		"bound to the same twice": {
			map[string]tool.Preset{"limit": binding(`3`)}, `{"limit":3.0,"url":"u","limit":3}`, `{"limit":3,"url":"u"}`,
		},
		"nothing but presets": {
			map[string]tool.Preset{"url": binding(`"u"`), "limit": binding(`3`)}, `{}`, `{"limit":3,"url":"u"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := dispatcherWith(t, presets(test.presets), fetch{})
			given := call("fetch", test.arguments)
			checked, fault := d.Check(given)
			want := given
			want.Arguments = json.RawMessage(test.want)
			if diff := cmp.Diff(want, checked); diff != "" || fault != nil {
				t.Fatalf("fault %v, call (-want +got):\n%s", fault, diff)
			}
			plan, err := d.Prepare(t.Context(), checked)
			ran := run(t.Context(), d, checked).Content.Text()
			if err != nil || plan.Preview.Command != test.want || ran != test.want {
				t.Errorf("shown %s, run %s, %v", plan.Preview.Command, ran, err)
			}
			if again, fault := d.Check(checked); fault != nil || again.Hash() != checked.Hash() {
				t.Errorf("checked again: %s, %v", again.Arguments, fault)
			}
		})
	}
}

func TestINJ01_WhatIsBoundCannotBeOverridden(t *testing.T) {
	options := presets(map[string]tool.Preset{"limit": binding(`3`), "auth": binding(`{"name":"secret"}`)})
	for name, test := range map[string]struct {
		arguments string
		texts     []string
	}{
		"another value":        {`{"url":"u","limit":4}`, []string{"at /limit: the value is fixed: leave it out"}},
		"null":                 {`{"url":"u","limit":null}`, []string{"at /limit: the value is fixed"}},
		"a part of it":         {`{"url":"u","auth":{}}`, []string{"at /auth: the value is fixed"}},
		"one of two":           {`{"url":"u","limit":3,"limit":4}`, []string{"at /limit: the value is fixed"}},
		"the first of two":     {`{"url":"u","limit":4,"limit":3}`, []string{"at /limit: the value is fixed"}},
		"escaped":              {`{"url":"u","lim\u0069t":4}`, []string{"at /limit: the value is fixed"}},
		"in other letters":     {`{"url":"u","Limit":4}`, []string{"Limit"}},
		"with all else wrong":  {`{"url":1,"limit":4,"auth":2}`, []string{"/limit", "/auth", "at /url:"}},
		"no object":            {`[]`, []string{"want object"}},
		"nothing":              {`null`, []string{"want object"}},
		"JSON that is cut":     {`{"url":`, []string{"do not fit"}},
		"JSON with more after": {`{"url":"u"} {}`, []string{"do not fit"}},
	} {
		t.Run(name, func(t *testing.T) {
			given := call("fetch", test.arguments)
			checked, fault := dispatcherWith(t, options, fetch{}).Check(given)
			if fault == nil || fault.Code != message.InvalidArguments {
				t.Fatalf("got %v", fault)
			}
			for _, text := range test.texts {
				if !strings.Contains(fault.Message, text) {
					t.Errorf("%q does not hold %q", fault.Message, text)
				}
			}
			if strings.Contains(fault.Message, "secret") {
				t.Errorf("%q tells what the host fixed", fault.Message)
			}
			if diff := cmp.Diff(given, checked); diff != "" {
				t.Errorf("the refused call changed (-want +got):\n%s", diff)
			}
		})
	}
}
