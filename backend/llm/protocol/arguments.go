package protocol

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kaptinlin/jsonrepair"

	"fairlead/backend/message"
)

// MaxRepair is the longest text that the repair library is given, in bytes. It
// takes time that grows with the square of the length: 0.4 s at this limit,
// minutes at a megabyte.
const MaxRepair = 32 << 10

// NewCall makes a call of what a model wrote. Arguments that are a JSON object keep
// every byte; none at all are an empty object; others are repaired where mayRepair
// allows it and their meaning is plain, else left out (SPEC MSG-05).
func NewCall(id, name, raw string, mayRepair bool) message.Call {
	c := message.Call{ID: id, Name: name, Raw: raw}
	trimmed := strings.TrimSpace(raw)
	switch {
	case trimmed == "" || trimmed == "null":
		c.Arguments = json.RawMessage("{}")
	case IsObject(trimmed):
		c.Arguments = json.RawMessage(trimmed)
	case mayRepair && !json.Valid([]byte(trimmed)):
		c.Arguments = RepairJSON(trimmed)
		c.Repaired = c.Arguments != nil
	}
	return c
}

// RepairJSON mends malformed JSON, or returns nil. What the mends of our own make
// valid holds every value as it was written. The library guesses, so its result
// counts only where nothing of the text could be guessed wrong.
func RepairJSON(text string) json.RawMessage {
	text = withoutFence(text)
	if mended := withoutTrailingCommas(text); IsObject(mended) {
		return json.RawMessage(mended)
	}
	// The library takes an escape that it does not know for the letter alone, and
	// the escapes of a text that it takes for quoted JSON for backslashes.
	if len(text) > MaxRepair || strings.Contains(text, `\`) {
		return nil
	}
	said, whole := quotedStrings(text)
	if !whole {
		return nil
	}
	mended, err := jsonrepair.Repair(text)
	if err != nil || !IsObject(mended) || !slices.Equal(said, stringsOf(mended)) {
		return nil
	}
	return json.RawMessage(strings.TrimSpace(mended))
}

// withoutFence returns what is inside the code fence around the whole of text, or text
// when there is none.
func withoutFence(text string) string {
	const fence = "```"
	inner, opened := strings.CutPrefix(text, fence)
	inner, closed := strings.CutSuffix(inner, fence)
	if !opened || !closed {
		return text
	}
	language := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' }
	return strings.TrimSpace(strings.TrimLeftFunc(inner, language))
}

// withoutTrailingCommas drops the commas, outside strings, that only white space
// divides from a closing brace or bracket.
func withoutTrailingCommas(text string) string {
	var kept strings.Builder
	inString, from := false, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			inString = !inString
		case inString && text[i] == '\\':
			i++
		case !inString && text[i] == ',' && beginsWithClosing(text[i+1:]):
			kept.WriteString(text[from:i])
			from = i + 1
		}
	}
	kept.WriteString(text[from:])
	return kept.String()
}

// beginsWithClosing says that a closing brace or bracket comes next.
func beginsWithClosing(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && (text[0] == '}' || text[0] == ']')
}

// quotedStrings returns the strings of a text without backslashes, in double or single
// quotes. whole says that the text is one object to its last byte: closing one
// that was cut would make a short file of half a file. A text that leaves something
// out by dots, or quotes in another way, is not whole either.
func quotedStrings(text string) (said []string, whole bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			length := strings.IndexByte(text[i+1:], c)
			if length < 0 {
				return said, false
			}
			said = append(said, text[i+1:i+1+length])
			i += length + 1
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
			if depth <= 0 {
				return said, i == len(text)-1
			}
		case c == '`' || c >= utf8.RuneSelf || strings.HasPrefix(text[i:], "..."):
			return said, false
		}
	}
	return said, false
}

// stringsOf returns the strings of a JSON text, keys among them.
func stringsOf(text string) []string {
	var all []string
	decoder := json.NewDecoder(strings.NewReader(text))
	for token, err := decoder.Token(); err == nil; token, err = decoder.Token() {
		if s, ok := token.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// IsObject reports whether a text is a JSON object.
func IsObject(text string) bool {
	data := bytes.TrimSpace([]byte(text))
	return bytes.HasPrefix(data, []byte("{")) && json.Valid(data)
}
