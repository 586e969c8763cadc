package protocol

import (
	"encoding/json"
	"fmt"
)

// withMembers puts fields of the configuration into a body, in place of those of the same
// name.
func withMembers(body []byte, members map[string]json.RawMessage) ([]byte, error) {
	if len(members) == 0 {
		return body, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, fmt.Errorf("add fields to a request: %w", err)
	}
	for name, value := range members {
		all[name] = value
	}
	return json.Marshal(all)
}

// MustEncode encodes a value of strings, numbers, and JSON that was read, which always can be.
func MustEncode(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("encode JSON: %v", err))
	}
	return text
}
