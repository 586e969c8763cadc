package mcp

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// envelope is what is looked at of a message before the SDK reads it.
type envelope struct {
	// id is as it is written, a whole number in one form; empty for a notification.
	id     string
	method string
	// answers reports whether it has a result or an error.
	answers bool
	// values are how many values there are at most, depth how deep they lie in each other.
	values, depth int
}

// readEnvelope looks over a message, which is a JSON object, without holding any of it. Of a name
// that comes twice the last one counts, as for the SDK.
func readEnvelope(line []byte) envelope {
	var m envelope
	depth, key := 0, ""
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{', '[':
			depth++
			m.values++
			m.depth = max(m.depth, depth)
		case '}', ']':
			depth--
		case ',':
			m.values++
		case '"':
			end := stringEnd(line, i)
			if depth == 1 {
				if rest := bytes.TrimLeft(line[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
					key = decodeString(line[i:end])
					m.note(key, bytes.TrimLeft(rest[1:], " \t\r\n"))
				}
			}
			i = end - 1
		}
	}
	return m
}

// note takes the value that begins a text.
func (m *envelope) note(key string, text []byte) {
	m.answers = m.answers || key == "result" || key == "error"
	if key != "id" && key != "method" {
		return
	}
	end := bytes.IndexAny(text, ",} \t\r\n")
	if len(text) > 0 && text[0] == '"' {
		end = stringEnd(text, 0)
	}
	if end < 0 {
		return
	}
	switch value := text[:end]; {
	case key == "method":
		m.method = decodeString(value)
	case string(value) == "null":
		m.id = ""
	default:
		m.id = string(value)
		if number, err := strconv.ParseFloat(m.id, 64); err == nil && number == float64(int64(number)) {
			m.id = strconv.FormatInt(int64(number), 10) // 1.0 is 1
		}
	}
}

// stringEnd is where a string ends that begins at a place.
func stringEnd(line []byte, at int) int {
	for i := at + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

func decodeString(quoted []byte) string {
	const longest = 200 // no name that is known is longer
	var text string
	if len(quoted) > longest || json.Unmarshal(quoted, &text) != nil {
		return "?"
	}
	return text
}
