package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairlead/backend/secret"
)

// KeyMark stands for the key in the value of a header.
const KeyMark = "{key}"

// The bounds of a header, in bytes, and of their number.
const (
	maxHeaders = 32
	maxHeader  = 2 << 10
)

var (
	// secretHeaders are what the names of headers for keys have in them.
	secretHeaders = []string{"authorization", "api-key", "apikey", "api_key", "auth-token", "access-token", "secret", "cookie"}
	// ownHeaders are those that every request has already, or that are about the
	// connection.
	ownHeaders = []string{"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "te", "trailer", "transfer-encoding", "upgrade"}
	// ownBody are the fields of a request that say what it is.
	ownBody = []string{"model", "messages", "tools", "stream", "tool_choice"}
)

// readHeaders reads the headers of an own provider. No error shows a value: it may be a
// key.
func readHeaders(value any) (map[string]string, error) {
	table, ok := value.(map[string]any)
	if !ok || len(table) > maxHeaders {
		return nil, fmt.Errorf("headers must be a table of at most %d texts, such as { X-Team = \"tools\" }", maxHeaders)
	}
	all := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		text, ok := table[name].(string)
		if !ok {
			return nil, fmt.Errorf("header %q must be text in quotes", name)
		}
		if err := checkHeader(name, text); err != nil {
			return nil, err
		}
		all[name] = text
	}
	return all, nil
}

func checkHeader(name, value string) error {
	lower := strings.ToLower(name)
	contains := func(part string) bool { return strings.Contains(lower, part) }
	switch {
	case !headerName(name):
		return fmt.Errorf("%q is not the name of a header", name)
	case slices.Contains(ownHeaders, lower):
		return fmt.Errorf("header %s is set by Fairlead", name)
	case len(value) > maxHeader || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
		return fmt.Errorf("header %s must have at most %d plain ASCII characters", name, maxHeader)
	case secret.LooksLikeKey(value):
		return fmt.Errorf("header %s holds what looks like a key; write %s in its place, and save the key in the window or name its variable with api_key_env", name, KeyMark)
	case slices.ContainsFunc(secretHeaders, contains) && !strings.Contains(value, KeyMark):
		return fmt.Errorf("header %s must have %s where the key belongs: keys never stand in this file", name, KeyMark)
	}
	return nil
}

// headerName reports whether a text is a token of RFC 9110.
func headerName(name string) bool {
	for _, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return name != ""
}

// readBody reads the fields for every request to an own provider.
func readBody(value any) (map[string]json.RawMessage, error) {
	table, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("body must be a table, such as { top_p = 0.9 }")
	}
	all := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if slices.Contains(ownBody, name) {
			return nil, fmt.Errorf("body cannot have %q: Fairlead says that itself", name)
		}
		if text, ok := table[name].(string); ok && secret.LooksLikeKey(text) {
			return nil, fmt.Errorf("field %q of body holds what looks like a key: keys never stand in this file", name)
		}
		text, err := json.Marshal(table[name])
		if err != nil {
			return nil, fmt.Errorf("field %q of body cannot be sent: %w", name, err)
		}
		all[name] = text
	}
	return all, nil
}
