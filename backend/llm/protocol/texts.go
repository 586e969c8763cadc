package protocol

import (
	"encoding/json"
	"strings"

	"fairlead/backend/message"
)

// maxName is the longest function name that strict endpoints take, in bytes.
const maxName = 64

// Texts takes known secrets out of the texts of one request. Only texts are looked through,
// not the whole request: a key may be a word that is also the name of one of its fields, or
// of the model.
type Texts struct {
	Redact func([]byte) []byte
	// scratch is where texts are looked through for secrets: the whole history is
	// with every request, and space of its own for each text costs a tenth of a run.
	scratch []byte
}

// Text returns a text without known secrets.
func (t *Texts) Text(text string) string {
	t.scratch = append(t.scratch[:0], text...)
	redacted := t.Redact(t.scratch)
	if string(redacted) == text {
		return text
	}
	return string(redacted)
}

// JSON returns JSON of the provider's own without known secrets, or nil where nothing
// valid is left of it.
func (t *Texts) JSON(text json.RawMessage) json.RawMessage {
	if len(text) == 0 {
		return nil
	}
	hidden := t.Text(string(text))
	if !json.Valid([]byte(hidden)) {
		return nil
	}
	return json.RawMessage(hidden)
}

// Arguments are a call's input. Where a key without quotes stood in it, such as a
// number, what is left is no JSON, and nothing of it is sent.
func (t *Texts) Arguments(input json.RawMessage) string {
	if len(input) == 0 {
		return "{}"
	}
	plain := string(input)
	text := t.Text(plain)
	if text != plain && !json.Valid([]byte(text)) {
		return "{}"
	}
	return text
}

// TextOf is a message's text, empty when it is blank: Anthropic refuses content
// of white space alone, which models write before a call.
func TextOf(m message.Message) string {
	text := m.Text()
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// ReasoningOf is the reasoning of a message.
func ReasoningOf(m message.Message) string {
	var text strings.Builder
	for _, part := range m.Parts {
		if part.Type == message.ReasoningPart {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

// FunctionName makes a name fit for strict endpoints. A model that invents a tool
// may call it anything, and must be able to read that there is none.
func FunctionName(name string) string {
	fit := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if fit == "" {
		return "unnamed"
	}
	return fit[:min(len(fit), maxName)]
}
