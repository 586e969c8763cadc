package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxOffered is how long a file may be that Offers reads, in bytes.
const MaxOffered = 1 << 20

// Offered is a server that a file for other clients defines.
type Offered struct {
	// Name is what the file calls it.
	Name string
	// Written is its definition as the file has it, in JSON without comments and white space. It can
	// hold secrets.
	Written string
	// Pasted is what the definition means here.
	Pasted
}

// Offers reads the servers of a file that other clients have in projects, at most 50 of them in the
// order of names; more reports whether there are others. One that cannot be used is Refused. An
// error is for a text that is no JSON, or that names no servers in a form that Parse knows.
func Offers(text string) (offers []Offered, more bool, err error) {
	if len(text) > MaxOffered || !utf8.ValidString(text) {
		return nil, false, fmt.Errorf("it is longer than %d KiB, or no UTF-8", MaxOffered>>10)
	}
	top, err := readObject(plainJSON([]byte(text)))
	if err != nil {
		return nil, false, fmt.Errorf("it is no JSON that names servers: %w", err)
	}
	named, isField := namedIn(top)
	if !isField && objectsIn(named) == nil {
		return nil, false, errors.New("it names no server")
	}
	names := slices.Sorted(maps.Keys(named))
	if len(names) > maxServers {
		names, more = names[:maxServers], true
	}
	for _, name := range names {
		var written bytes.Buffer
		if err := json.Compact(&written, named[name]); err != nil {
			return nil, false, fmt.Errorf("it is no JSON that names servers: %w", err)
		}
		one := Offered{Name: name, Written: written.String()}
		if fields, err := readObject(named[name]); err == nil && isServer(fields) {
			one.Pasted = readServer(name, fields)
		} else {
			one.Refused = fmt.Errorf("the server %s cannot be used: it has neither a command nor a url", shownText(name))
		}
		offers = append(offers, one)
	}
	return offers, more, nil
}

// Text is the definition in a form that Parse reads and the user is shown: whole, but for the values
// of variables and headers, which are empty. Hidden characters are as the file has them.
func (o Offered) Text() string {
	value := any(json.RawMessage(o.Written))
	if fields, err := readObject(json.RawMessage(o.Written)); err == nil {
		for _, field := range slices.Concat(variableFields, headerFields) {
			if values, err := readObject(fields[field]); err == nil {
				fields[field] = emptied(values)
			}
		}
		value = fields
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(map[string]any{o.Name: value}); err != nil {
		return o.Name + ": " + err.Error() // JSON that was read is written
	}
	return text.String()
}

// emptied is an object with the same names, whose values are empty texts.
func emptied(values object) json.RawMessage {
	empty := make(map[string]string, len(values))
	for name := range values {
		empty[name] = ""
	}
	text, err := json.Marshal(empty)
	if err != nil {
		return json.RawMessage("{}") // texts can be written
	}
	return text
}
