package wire

import "bytes"

// scan walks over the keys of a chunk once, without decoding it. plain says that
// the client library will understand the chunk as it stands; finished that the
// chunk carries a finish reason.
func scan(data []byte) (plain, finished bool) {
	plain = true
	for at := 0; ; {
		open := bytes.IndexByte(data[at:], '"')
		if open < 0 {
			return plain, finished
		}
		start := at + open + 1
		end := closingQuote(data, start)
		if end < 0 {
			return false, finished
		}
		at = end + 1
		value, isKey := valueAfter(data[at:])
		if !isKey {
			continue
		}
		key := string(data[start:end])
		plain = plain && plainValue(key, value)
		if key == "finish_reason" && isString(value) && !bytes.HasPrefix(value, []byte(`""`)) {
			finished = true
		}
	}
}

// closingQuote is the place of the quote that ends the string starting at start.
func closingQuote(data []byte, start int) int {
	for at := start; ; {
		quote := bytes.IndexByte(data[at:], '"')
		if quote < 0 {
			return -1
		}
		at += quote
		escapes := 0
		for at-escapes > start && data[at-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
		at++
	}
}

// valueAfter returns what follows the colon, when there is one.
func valueAfter(data []byte) (value []byte, isKey bool) {
	data = bytes.TrimLeft(data, " \t")
	if len(data) == 0 || data[0] != ':' {
		return nil, false
	}
	return bytes.TrimLeft(data[1:], " \t"), true
}

// plainValue reports whether the client library takes this value of a key. Keys it
// ignores may hold anything.
func plainValue(key string, value []byte) bool {
	switch key {
	case "id", "model", "role", "content", "reasoning_content", "refusal", "type", "name",
		"arguments", "finish_reason", "system_fingerprint":
		return isString(value) || isNull(value)
	case "object":
		return isString(value) && !bytes.HasPrefix(value, []byte(`"error"`))
	case "index", "created":
		return isInteger(value) || isNull(value)
	case "reasoning", "reasoning_details", "thinking_blocks", "usage", "function_call", "extra_content", SpecificFields:
		return isNull(value)
	case "choices", "tool_calls":
		return bytes.HasPrefix(value, []byte("[")) || isNull(value)
	case "delta", "function":
		return bytes.HasPrefix(value, []byte("{")) || isNull(value)
	case "error", "x_groq", "base_resp":
		return false
	default:
		return true
	}
}

func isString(value []byte) bool { return bytes.HasPrefix(value, []byte(`"`)) }

func isNull(value []byte) bool { return bytes.HasPrefix(value, []byte("null")) }

// isInteger says that a whole number, small enough for an int, stands here.
func isInteger(value []byte) bool {
	rest := bytes.TrimLeft(value, "0123456789")
	length := len(value) - len(rest)
	return length > 0 && length <= 16 && len(rest) > 0 && (rest[0] == ',' || rest[0] == '}' || rest[0] == ' ')
}
