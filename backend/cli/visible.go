package cli

import (
	"fmt"
	"strings"
	"unicode"
)

// visible makes hidden characters readable as \u{...}: control characters, which
// could move the cursor and overwrite what was shown, and the bidirectional and
// zero-width ones, which make a text read as another one (SPEC HITL-10). Line
// breaks and tabs stay.
func visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if hidden(r) {
			fmt.Fprintf(&out, `\u{%x}`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// inline is visible for text that must not begin a new line, such as a path.
func inline(text string) string {
	return strings.ReplaceAll(visible(text), "\n", `\u{a}`)
}

func hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	// U+034F, the Hangul fillers and the variation selectors are letters or marks
	// to Unicode, but show nothing.
	switch {
	case r == 0x34F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r >= 0xE0100 && r <= 0xE01EF:
		return true
	case r == 0x2028, r == 0x2029:
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
