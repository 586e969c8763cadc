package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ownTable is the table of the file that holds a user's own providers, by name:
// [providers.lab].
const ownTable = "providers"

// OwnProvider is a place where models are reached that the user named in the
// settings file.
type OwnProvider struct {
	// Name is what a user types: lower-case letters, digits and hyphens.
	Name string
	// Title is what a user reads; empty means Name.
	Title string
	// BaseURL is the address before /chat/completions.
	BaseURL string
	// KeyEnv is the environment variable that holds the key; empty where there is
	// none.
	KeyEnv string
	// Dialect is the name of the known provider that it speaks like; empty where it
	// is like none.
	Dialect string
	// Headers go with every request; {key} in a value stands for the key.
	Headers map[string]string
	// Body are fields for every chat request, as JSON.
	Body map[string]json.RawMessage
	// WrittenCalls says that its models may write their calls into the text of their
	// replies.
	WrittenCalls bool
	// Protocol is how its models are asked: chat, responses or messages; empty leaves that to the
	// models. Family is the family that all of them belong to; empty leaves that to their
	// names.
	Protocol, Family string
	// ContextWindow is how many tokens its models take at once; 0 where that is not
	// said.
	ContextWindow int
}

// Providers are the user's own providers, in the order of the file.
func (f File) Providers() []OwnProvider { return slices.Clone(f.own) }

// ownField reads one key of an own provider's table.
type ownField struct {
	name string
	read func(p *OwnProvider, value any) error
}

var ownFields = []ownField{
	{"title", func(p *OwnProvider, value any) (err error) {
		p.Title, err = Option{Key: "title", kind: text, bounds: bounds{check: checkTitle}}.parse(value)
		return err
	}},
	{"base_url", func(p *OwnProvider, value any) (err error) {
		p.BaseURL, err = Option{Key: "base_url", kind: text, bounds: bounds{check: webAddress}}.parse(value)
		return err
	}},
	{"api_key_env", func(p *OwnProvider, value any) (err error) {
		p.KeyEnv, err = Option{Key: "api_key_env", kind: text, bounds: variables}.parse(value)
		return err
	}},
	{"dialect", func(p *OwnProvider, value any) (err error) {
		p.Dialect, err = Option{Key: "dialect", kind: text, bounds: oneOf(knownProviders...)}.parse(value)
		return err
	}},
	{"headers", func(p *OwnProvider, value any) (err error) {
		p.Headers, err = readHeaders(value)
		return err
	}},
	{"body", func(p *OwnProvider, value any) (err error) {
		p.Body, err = readBody(value)
		return err
	}},
	{"written_calls", func(p *OwnProvider, value any) error {
		written, err := Option{Key: "written_calls", kind: boolean}.parse(value)
		p.WrittenCalls = written == "true"
		return err
	}},
	{"protocol", func(p *OwnProvider, value any) (err error) {
		p.Protocol, err = Option{Key: "protocol", kind: text, bounds: oneOf("chat", "responses", "messages")}.parse(value)
		return err
	}},
	{"family", func(p *OwnProvider, value any) (err error) {
		p.Family, err = Option{Key: "family", kind: text, bounds: oneOf(knownFamilies...)}.parse(value)
		return err
	}},
	{"context_window", func(p *OwnProvider, value any) error {
		written, err := Option{Key: "context_window", kind: whole, bounds: intBounds(1, maxWindow)}.parse(value)
		if err == nil {
			p.ContextWindow, err = strconv.Atoi(written)
		}
		return err
	}},
}

// placedError is a fault at a key inside a table.
type placedError struct {
	// path are the keys that lead to it.
	path []string
	err  error
}

func (e *placedError) Error() string {
	return strings.Join(e.path[:min(2, len(e.path))], ".") + ": " + e.err.Error()
}

func (e *placedError) Unwrap() error { return e.err }

// ownProviders reads the table. order are names as they come in the file. The error is
// a *placedError.
func ownProviders(value any, order []string) ([]OwnProvider, error) {
	tables, ok := value.(map[string]any)
	if !ok {
		return nil, &placedError{[]string{ownTable}, fmt.Errorf("must be tables by name, such as [%s.lab]", ownTable)}
	}
	// What is named inside a value of one line has no order of its own.
	order = slices.Concat(order, slices.Sorted(maps.Keys(tables)))
	var all []OwnProvider
	for _, name := range order {
		if slices.ContainsFunc(all, func(p OwnProvider) bool { return p.Name == name }) {
			continue
		}
		p, err := ownProvider(name, tables[name])
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func ownProvider(name string, value any) (OwnProvider, error) {
	at := []string{ownTable, name}
	if err := ownName(name); err != nil {
		return OwnProvider{}, &placedError{at, err}
	}
	table, ok := value.(map[string]any)
	if !ok {
		return OwnProvider{}, &placedError{at, fmt.Errorf("must be a table, [%s.%s]", ownTable, name)}
	}
	p := OwnProvider{Name: name}
	for _, field := range ownFields {
		given, ok := table[field.name]
		if !ok {
			continue
		}
		if err := field.read(&p, given); err != nil {
			return OwnProvider{}, &placedError{append(at, field.name), err}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !slices.ContainsFunc(ownFields, func(f ownField) bool { return f.name == key }) {
			return OwnProvider{}, &placedError{append(at, key), fmt.Errorf("unknown key %q; the keys are %s", key, ownKeyList())}
		}
	}
	if p.BaseURL == "" {
		return OwnProvider{}, &placedError{at, fmt.Errorf(`base_url is missing: the address before /chat/completions, such as "http://localhost:8080/v1"`)}
	}
	return p, nil
}

func ownKeyList() string {
	keys := make([]string, len(ownFields))
	for i, field := range ownFields {
		keys[i] = field.name
	}
	return strings.Join(keys, ", ")
}

// ownName reports whether a provider may be called so.
func ownName(name string) error {
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return fmt.Errorf("a provider's name has lower-case letters, digits and hyphens only, not %q", r)
		}
	}
	switch {
	case name == "" || len(name) > 40:
		return fmt.Errorf("a provider's name must have 1 to 40 characters")
	case name == tourName || slices.Contains(knownProviders, name):
		return fmt.Errorf("%s is a known provider; give yours another name", name)
	}
	return nil
}
