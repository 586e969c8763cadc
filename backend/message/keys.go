package message

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// LastOfEachKey returns a JSON text in which every object has each of its keys once, with
// the last of the values that it was given, as package json reads it: what is checked, shown,
// run and told to the model is the same then for every reader. A text in which no key
// stands twice, and one that is no JSON, keeps every byte.
func LastOfEachKey(text json.RawMessage) json.RawMessage {
	if !json.Valid(text) || !repeatsKey(text) {
		return text
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var once bytes.Buffer
	writeValue(&once, readValue(decoder))
	return once.Bytes()
}

// repeatsKey reports whether an object of a valid JSON text has a key twice. It keeps no
// values, which may be long.
func repeatsKey(text []byte) bool {
	var open []map[string]bool // the keys of each object that is open; nil for an array
	key := false               // the next string is a key
	for at := 0; at < len(text); at++ {
		switch c := text[at]; c {
		case '{', '[':
			open = append(open, nil)
			if key = c == '{'; key {
				open[len(open)-1] = map[string]bool{}
			}
		case '}', ']':
			open = open[:len(open)-1]
		case ',':
			key = open[len(open)-1] != nil
		case '"':
			begin := at
			for at++; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			if !key {
				continue
			}
			key = false
			name, known := keyOf(text[begin:at+1]), open[len(open)-1]
			if known[name] {
				return true
			}
			known[name] = true
		}
	}
	return false
}

// keyOf reads a key, which may be written with escapes.
func keyOf(quoted []byte) string {
	if !bytes.ContainsRune(quoted, '\\') {
		return string(quoted[1 : len(quoted)-1])
	}
	var name string
	// It is part of valid JSON.
	_ = json.Unmarshal(quoted, &name)
	return name
}

// member is a key of an object with its value.
type member struct {
	key   string
	value any
}

// readValue reads a value of a valid text: an object as its members, each key once.
func readValue(decoder *json.Decoder) any {
	token, err := decoder.Token()
	if err != nil {
		panic(fmt.Sprintf("read valid JSON: %v", err))
	}
	switch token {
	case json.Delim('['):
		values := []any{}
		for decoder.More() {
			values = append(values, readValue(decoder))
		}
		_, _ = decoder.Token() // the end
		return values
	case json.Delim('{'):
		members, places := []member{}, map[string]int{}
		for decoder.More() {
			key, _ := readValue(decoder).(string)
			value := readValue(decoder)
			place, there := places[key]
			if there {
				members[place].value = value
				continue
			}
			places[key] = len(members)
			members = append(members, member{key, value})
		}
		_, _ = decoder.Token() // the end
		return members
	}
	return token
}

func writeValue(to *bytes.Buffer, value any) {
	switch v := value.(type) {
	case []any:
		to.WriteByte('[')
		for i := range v {
			if i > 0 {
				to.WriteByte(',')
			}
			writeValue(to, v[i])
		}
		to.WriteByte(']')
	case []member:
		to.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				to.WriteByte(',')
			}
			writeValue(to, m.key)
			to.WriteByte(':')
			writeValue(to, m.value)
		}
		to.WriteByte('}')
	default:
		encoder := json.NewEncoder(to)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(v); err != nil {
			panic(fmt.Sprintf("write a JSON value: %v", err)) // a string, number, bool or null
		}
		to.Truncate(to.Len() - 1) // the line's end
	}
}
