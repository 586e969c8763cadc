package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"fairlead/backend/message"
)

const (
	maxFields  = 30
	maxChoices = 100
	// maxAnswer is how many characters of a text a server is given.
	maxAnswer = 10_000
)

// FieldKind is what is entered in a field.
type FieldKind string

// The kinds.
const (
	FieldText   FieldKind = "text"
	FieldNumber FieldKind = "number"
	FieldBool   FieldKind = "bool"
	FieldChoice FieldKind = "choice"
)

// Field is one of a form.
type Field struct {
	// Name is what the server calls it; Title and Description are for the user, and may be empty.
	Name        string    `json:"name"`
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Kind        FieldKind `json:"kind"`
	Required    bool      `json:"required,omitempty"`
	// Default is what the field begins with, of its kind; nil for nothing.
	Default any `json:"default,omitempty"`
	// Format is email, uri, date or date-time of a text; empty for any text.
	Format string `json:"format,omitempty"`
	// MinLength and MaxLength bound a text, in characters; nil for no bound.
	MinLength *int `json:"minLength,omitempty"`
	MaxLength *int `json:"maxLength,omitempty"`
	// Minimum and Maximum bound a number, which Whole has be a whole one.
	Minimum *float64 `json:"minimum,omitempty"`
	Maximum *float64 `json:"maximum,omitempty"`
	Whole   bool     `json:"whole,omitempty"`
	// Choices are those of a choice, of which Several may be taken, from MinItems to MaxItems.
	Choices  []Choice `json:"choices,omitempty"`
	Several  bool     `json:"several,omitempty"`
	MinItems *int     `json:"minItems,omitempty"`
	MaxItems *int     `json:"maxItems,omitempty"`
}

// Choice is one value of a choice.
type Choice struct {
	Value string `json:"value"`
	Title string `json:"title,omitempty"`
}

// fieldSchema is what the protocol allows as the schema of a field.
type fieldSchema struct {
	Type        string
	Title       string
	Description string
	Format      string
	Default     any
	Enum        []string
	EnumNames   []string
	OneOf       []titledValue
	AnyOf       []titledValue
	Items       *fieldSchema
	MinLength   *int
	MaxLength   *int
	MinItems    *int
	MaxItems    *int
	Minimum     *float64
	Maximum     *float64
}

type titledValue struct {
	Const string
	Title string
}

// parseFields reads the fields of a form: those that are required first, then by name.
func parseFields(text json.RawMessage) ([]Field, error) {
	var form struct {
		Properties map[string]fieldSchema
		Required   []string
	}
	if err := json.Unmarshal(text, &form); err != nil {
		return nil, errors.New("its form has fields of a kind that no form can have")
	}
	if len(form.Properties) > maxFields {
		return nil, fmt.Errorf("its form has more than %d fields", maxFields)
	}
	var first, others []Field
	for _, name := range slices.Sorted(maps.Keys(form.Properties)) {
		f, err := form.Properties[name].field(name)
		if err != nil {
			return nil, err
		}
		if f.Required = slices.Contains(form.Required, name); f.Required {
			first = append(first, f)
		} else {
			others = append(others, f)
		}
	}
	return append(first, others...), nil
}

// field is the field of a name.
func (s fieldSchema) field(name string) (Field, error) {
	f := Field{
		Name: name, Title: s.Title, Description: s.Description, Format: s.Format,
		MinLength: s.MinLength, MaxLength: s.MaxLength, Minimum: s.Minimum, Maximum: s.Maximum, MinItems: s.MinItems, MaxItems: s.MaxItems,
	}
	for _, text := range []string{name, f.Title, f.Description, f.Format} {
		if len(text) > maxFormText {
			return f, fmt.Errorf("the field %s has a text of more than %d bytes", shownText(name), maxFormText)
		}
	}
	switch s.Type {
	case "string", "":
		f.Kind = FieldText
		if f.Choices = s.choices(); f.Choices != nil {
			f.Kind = FieldChoice
		} else if s.Type == "" {
			return f, fmt.Errorf("the field %s has no type", shownText(name))
		}
	case "number", "integer":
		f.Kind, f.Whole = FieldNumber, s.Type == "integer"
	case "boolean":
		f.Kind = FieldBool
	case "array":
		f.Kind, f.Several = FieldChoice, true
		if s.Items != nil {
			f.Choices = s.Items.choices()
		}
	default:
		return f, fmt.Errorf("the field %s is of the type %s", shownText(name), shownText(s.Type))
	}
	if f.Kind == FieldChoice && (len(f.Choices) == 0 || len(f.Choices) > maxChoices) {
		return f, fmt.Errorf("the field %s has no choices, or more than %d", shownText(name), maxChoices)
	}
	if f.fault(defaultValue(s.Default), s.Default != nil) == "" {
		f.Default = defaultValue(s.Default)
	}
	return f, nil
}

// defaultValue is a value as an answer has it.
func defaultValue(value any) any {
	list, ok := value.([]any)
	if !ok {
		return value
	}
	texts := make([]string, 0, len(list))
	for _, each := range list {
		text, _ := each.(string)
		texts = append(texts, text)
	}
	return texts
}

// choices are those of a field; nil where it is none.
func (s fieldSchema) choices() []Choice {
	var all []Choice
	for i, value := range s.Enum {
		c := Choice{Value: value}
		if len(s.EnumNames) == len(s.Enum) {
			c.Title = s.EnumNames[i]
		}
		all = append(all, c)
	}
	for _, each := range append(s.OneOf, s.AnyOf...) {
		all = append(all, Choice{Value: each.Const, Title: each.Title})
	}
	return all
}

// fault is what is wrong with a value of the field; empty for nothing.
func (f Field) fault(value any, given bool) string {
	if !given {
		if f.Required {
			return "it is required"
		}
		return ""
	}
	switch value := value.(type) {
	case string:
		return f.textFault(value)
	case float64:
		if f.Kind == FieldNumber {
			return f.numberFault(value)
		}
	case bool:
		if f.Kind == FieldBool {
			return ""
		}
	case []string:
		if f.Kind == FieldChoice && f.Several {
			return f.listFault(value)
		}
	}
	return "it is of another kind"
}

func (f Field) textFault(text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case f.Kind == FieldChoice && !f.Several:
		if !f.has(text) {
			return "it is none of the choices"
		}
	case f.Kind != FieldText:
		return "it is of another kind"
	case n > maxAnswer || f.MaxLength != nil && n > *f.MaxLength:
		return "it is too long"
	case f.MinLength != nil && n < *f.MinLength:
		return "it is too short"
	}
	return ""
}

func (f Field) numberFault(number float64) string {
	switch {
	case math.IsNaN(number) || math.IsInf(number, 0) || f.Whole && number != math.Trunc(number):
		return "it is no such number"
	case f.Minimum != nil && number < *f.Minimum:
		return "it is too small"
	case f.Maximum != nil && number > *f.Maximum:
		return "it is too large"
	}
	return ""
}

func (f Field) listFault(values []string) string {
	for _, value := range values {
		if !f.has(value) {
			return "it is none of the choices"
		}
	}
	if f.MinItems != nil && len(values) < *f.MinItems || f.MaxItems != nil && len(values) > *f.MaxItems {
		return "it has too few or too many choices"
	}
	return ""
}

func (f Field) has(value string) bool {
	return slices.ContainsFunc(f.Choices, func(c Choice) bool { return c.Value == value })
}

// visible is the field with its hidden characters visible where they are only shown. Its name and
// the values of its choices stay as the server knows them.
func (f Field) visible() Field {
	f.Title, f.Description = message.Inline(validText(f.Title)), message.Visible(validText(f.Description))
	if f.Title == "" {
		f.Title = message.Inline(validText(f.Name))
	}
	f.Choices = slices.Clone(f.Choices)
	for i := range f.Choices {
		title := f.Choices[i].Title
		if title == "" {
			title = f.Choices[i].Value
		}
		f.Choices[i].Title = message.Inline(validText(title))
	}
	if text, ok := f.Default.(string); ok && f.Kind == FieldText {
		if message.Visible(validText(text)) != text {
			f.Default = nil // what is not shown is not sent either
		}
	}
	return f
}
