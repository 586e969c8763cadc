package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/kaptinlin/jsonrepair"

	"fairlead/backend/message"
)

// maxRepair is the longest text that is repaired, in bytes. The repair takes time
// that grows with the square of the length: 0.4 s at this limit, minutes at a megabyte.
const maxRepair = 32 << 10

// call makes a call of what a model wrote. Arguments that are a JSON object keep
// every byte; none at all are an empty object; others are repaired when that
// cannot change their meaning, else left out (SPEC MSG-05).
func call(id, name, raw string) message.Call {
	c := message.Call{ID: id, Name: name, Raw: raw}
	trimmed := strings.TrimSpace(raw)
	switch {
	case trimmed == "" || trimmed == "null":
		c.Arguments = json.RawMessage("{}")
	case isObject([]byte(trimmed)):
		c.Arguments = json.RawMessage(trimmed)
	case !json.Valid([]byte(trimmed)):
		c.Arguments = repair(trimmed)
		c.Repaired = c.Arguments != nil
	}
	return c
}

// repair mends malformed JSON, or returns nil. A text that does not end like an
// object was cut: closing it would make a short file of half a file.
func repair(text string) json.RawMessage {
	if len(text) > maxRepair || !strings.HasSuffix(text, "}") && !strings.HasSuffix(text, "```") {
		return nil
	}
	mended, err := jsonrepair.Repair(text)
	if err != nil || !isObject([]byte(mended)) {
		return nil
	}
	return json.RawMessage(strings.TrimSpace(mended))
}

func isObject(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && json.Valid(text)
}
