package autorun

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns name as file systems compare names that ignore case: composed,
// case-folded, without characters that are not seen (some file systems drop
// them).
func Fold(name string) string {
	if isASCII(name) {
		return strings.ToLower(name)
	}
	visible := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	return cases.Fold().String(norm.NFC.String(visible))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
