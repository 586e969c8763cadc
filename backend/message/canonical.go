package message

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
)

// longestExponent is the exponent, in digits, up to which a number is brought into
// one form. Beyond it the exact value could fill the memory.
const longestExponent = 3

// Canonical writes the call's tool and arguments in one form for all that mean the
// same: the order of keys, white space, escapes and the form of numbers make no
// difference (SPEC DOOM-01). Arguments that are not JSON stand for themselves.
func (c Call) Canonical() string {
	raw := []byte(c.Arguments)
	if c.Arguments == nil {
		raw = []byte(c.Raw)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || decoder.More() {
		return c.Name + "\x00" + string(raw)
	}
	// Maps are written with their keys sorted.
	text, err := json.Marshal(canonicalValue(value))
	if err != nil {
		return c.Name + "\x00" + string(raw)
	}
	return c.Name + "\x00" + string(text)
}

func canonicalValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = canonicalValue(v[key])
		}
	case []any:
		for i := range v {
			v[i] = canonicalValue(v[i])
		}
	case json.Number:
		return canonicalNumber(v)
	}
	return value
}

// canonicalNumber writes 1, 1.0 and 10e-1 alike, exactly.
func canonicalNumber(number json.Number) any {
	text := number.String()
	if at := strings.IndexAny(text, "eE"); at >= 0 && len(strings.TrimLeft(text[at+1:], "+-0")) > longestExponent {
		return number
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return number
	}
	// No text can be mistaken for an object with a key that no tool has.
	return map[string]any{"\x00number": exact.RatString()}
}
