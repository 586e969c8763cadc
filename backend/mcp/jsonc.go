package mcp

import "bytes"

// plainJSON takes comments and commas before a closing bracket out of a text, as the settings of
// editors have them. What is no JSON stays none.
func plainJSON(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	out := make([]byte, 0, len(text))
	comma := -1 // where in out a comma stands that nothing follows yet
	for i := 0; i < len(text); {
		end := i + 1
		switch c := text[i]; {
		case c == '"':
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			comma = -1
		case bytes.HasPrefix(text[i:], []byte("//")):
			i += lengthTo(text[i:], "\n")
			continue
		case bytes.HasPrefix(text[i:], []byte("/*")):
			i += lengthTo(text[i+2:], "*/") + 4
			continue
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c == ',':
			comma = len(out)
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
		out = append(out, text[i:end]...)
		i = end
	}
	return out
}

// lengthTo is how many bytes come before an end, or all.
func lengthTo(text []byte, end string) int {
	if at := bytes.Index(text, []byte(end)); at >= 0 {
		return at
	}
	return len(text)
}
