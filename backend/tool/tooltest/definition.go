package tooltest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/tool"

	"github.com/google/go-cmp/cmp"
)

// maxDescription keeps the descriptions of all tools and the system prompt
// together under 5 KB.
const maxDescription = 500

// name is what every provider accepts as a tool's name.
var name = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// schema is the part of a JSON Schema that the suite looks at.
type schema struct {
	Type       string
	Properties map[string]schema
	Items      *schema
	Additional *bool `json:"additionalProperties"`
	Required   []string
}

func checkDefinition(t *testing.T, subject tool.Tool, unasked bool) {
	d := subject.Definition()
	if diff := cmp.Diff(d, subject.Definition()); diff != "" {
		t.Errorf("a second Definition differs:\n%s", diff)
	}
	if !name.MatchString(d.Name) {
		t.Errorf("name %q does not match %s", d.Name, name)
	}
	if d.Description == "" || d.Description != strings.TrimSpace(d.Description) || len(d.Description) > maxDescription {
		t.Errorf("description is empty, padded or over %d bytes: %q", maxDescription, d.Description)
	}
	if d.Group == "" {
		t.Error("no group")
	}
	switch d.Effect {
	case message.EffectNone, message.EffectFiles, message.EffectCommand, message.EffectNetwork:
	default:
		t.Errorf("unknown effect %q", d.Effect)
	}
	if d.Confirm != (d.Effect != message.EffectNone && !unasked) {
		t.Errorf("effect %q with confirm %v: exactly what changes something asks", d.Effect, d.Confirm)
	}
	parameters := decodeSchema(t, d.Parameters)
	checkDisplay(t, d.Display, parameters)
	if parameters.Type != "object" {
		t.Errorf("parameters are of type %q", parameters.Type)
	}
	checkClosed(t, "parameters", parameters)
}

// maxTitle bounds the title of a tool, in characters: it stands in a row with the subject.
const maxTitle = 40

// checkDisplay checks that entry points can show calls: there is a title, and what it
// says of the arguments is true of the schema.
func checkDisplay(t *testing.T, d message.Display, parameters schema) {
	t.Helper()
	if d.Title == "" || d.Title != message.Inline(d.Title) || utf8.RuneCountInString(d.Title) > maxTitle {
		t.Errorf("title %q is empty, has hidden characters, or more than %d", d.Title, maxTitle)
	}
	if (len(d.Subject.Arguments) == 0) != (d.Subject.Kind == "") {
		t.Errorf("subject %+v has arguments and no kind, or a kind and none", d.Subject)
	}
	named := slices.Clone(d.Subject.Arguments)
	if d.Subject.To != "" {
		named = append(named, d.Subject.To)
	}
	for _, name := range named {
		if parameters.Properties[name].Type != "string" {
			t.Errorf("the subject is argument %q, which is no text", name)
		}
	}
	for _, field := range d.Form {
		list, part, isElement := strings.Cut(field.At, "/*/")
		of := parameters.Properties[list]
		if isElement && of.Items != nil {
			of = of.Items.Properties[part]
		}
		if of.Type != "string" {
			t.Errorf("the form has %q, which is no text", field.At)
		}
	}
}

func decodeSchema(t *testing.T, text json.RawMessage) schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("parameters are no plain schema: %v\n%s", err, text)
	}
	return s
}

// checkClosed checks that no object in s takes properties nobody described, unless it is
// one that is open and describes none, and that everything has one plain type.
func checkClosed(t *testing.T, where string, s schema) {
	t.Helper()
	if s.Type == "" {
		t.Errorf("%s: no type", where)
	}
	isOpen := s.Additional != nil && *s.Additional && len(s.Properties) == 0
	if s.Type == "object" && !isOpen && (s.Additional == nil || *s.Additional) {
		t.Errorf("%s: additionalProperties is not false", where)
	}
	for _, required := range s.Required {
		if _, ok := s.Properties[required]; !ok {
			t.Errorf("%s: %q is required but not described", where, required)
		}
	}
	for property, sub := range s.Properties {
		checkClosed(t, where+"."+property, sub)
	}
	if s.Items != nil {
		checkClosed(t, where+"[]", *s.Items)
	}
}

// badArguments returns arguments that do not fit the schema: none at all, broken
// JSON, no object, an unknown property, and a wrong type for each property.
func badArguments(t *testing.T, parameters json.RawMessage) []string {
	t.Helper()
	s := decodeSchema(t, parameters)
	bad := []string{"", "{", "[]", `"text"`, `{"no_such_property": 1}`}
	if len(s.Required) > 0 {
		bad = append(bad, "{}", "null")
	}
	for property, sub := range s.Properties {
		wrong := `{"wrong": true}`
		if sub.Type == "object" {
			wrong = `"wrong"`
		}
		bad = append(bad, `{"`+property+`": `+wrong+`}`)
	}
	return bad
}
