package tool

import (
	"bytes"
	"encoding/json"
	"slices"
)

// ordered is a JSON object whose members keep their order and their bytes: the same
// values in another order are another request to the model.
type ordered []member

type member struct {
	name  string
	value json.RawMessage
}

// readOrdered reads a JSON object; anything else is not ok.
func readOrdered(text json.RawMessage) (object ordered, ok bool) {
	if !json.Valid(text) {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, false
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, false
		}
		m := member{name: name.(string)}
		if err := decoder.Decode(&m.value); err != nil {
			return nil, false
		}
		object = append(object, m)
	}
	return object, true
}

// get returns the value of a member, nil where there is none.
func (o ordered) get(name string) json.RawMessage {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// with returns the object with another value for a member that it has.
func (o ordered) with(name string, value json.RawMessage) ordered {
	changed := slices.Clone(o)
	for i := range changed {
		if changed[i].name == name {
			changed[i].value = value
		}
	}
	return changed
}

// without returns the object without the members that are dropped.
func (o ordered) without(drop func(name string) bool) ordered {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return drop(m.name) })
}

// text is the object as JSON.
func (o ordered) text() json.RawMessage {
	text := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			text = append(text, ',')
		}
		name, _ := json.Marshal(m.name) // a string always has a form in JSON
		text = append(append(append(text, name...), ':'), m.value...)
	}
	return append(text, '}')
}
