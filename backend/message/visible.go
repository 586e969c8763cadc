package message

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Visible makes hidden characters readable as \u{...}: control characters, which
// could move the cursor and overwrite what was shown, and the bidirectional and
// zero-width ones, which make a text read as another one (SPEC HITL-10). Line
// breaks and tabs stay.
func Visible(text string) string {
	if strings.IndexFunc(text, isHidden) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if isHidden(r) {
			fmt.Fprintf(&out, `\u{%x}`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// Harmless makes readable as \u{...} what would give a terminal orders or change the
// direction of the text around it: control characters but line breaks and tabs, and the
// bidirectional overrides, embeddings and isolates. It is for texts that are read, not
// decided on: the joiners of emoji and scripts and the direction marks of Hebrew and
// Persian stay. Bytes that are no UTF-8 become U+FFFD: some terminals take orders from
// single ones.
func Harmless(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.IndexFunc(text, isHarmful) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if isHarmful(r) {
			fmt.Fprintf(&out, `\u{%x}`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func isHarmful(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return unicode.IsControl(r)
}

// Inline is Visible for text that must not begin a new line, such as a path.
func Inline(text string) string {
	return strings.ReplaceAll(Visible(text), "\n", `\u{a}`)
}

// Columns is how many columns text takes where it is drawn, two for a character
// that may take two: who makes too much space for it does no harm. It knows no
// tabs.
func Columns(text string) (n int) {
	for _, r := range text {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth, width.EastAsianAmbiguous:
			n += 2
		default:
			n++
		}
	}
	return n
}

func isHidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	// These are letters or marks to Unicode, but show nothing: the joiner U+034F,
	// the fillers, the vowels U+17B4 and U+17B5, the blank Braille cell and the
	// variation selectors, but for U+FE0F, which stands in every other emoji.
	switch {
	case r == 0x34F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x17B4, r == 0x17B5, r == 0x2800:
		return true
	case r >= 0x180B && r <= 0x180F, r >= 0xFE00 && r < 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
		return true
	case r == 0x2028, r == 0x2029:
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
