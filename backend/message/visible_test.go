package message_test

import (
	"testing"

	"fairlead/backend/message"
)

func TestHITL10_HiddenCharactersAreShown(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext 你好 é 🙂": "plain\n\ttext 你好 é 🙂",
		"rm -rf \u202ecod.txt": `rm -rf \u{202e}cod.txt`,
		"a\u200bb\ufeffc":      `a\u{200b}b\u{feff}c`,
		"\x1b[2Jgone\rback":    `\u{1b}[2Jgone\u{d}back`,
		"\u3164\u034f":         `\u{3164}\u{34f}`,
		"\x00":                 `\u{0}`,
		"a\ufe00\u2800\u180e":  `a\u{fe00}\u{2800}\u{180e}`,
		"❤\ufe0f":              "❤\ufe0f",
	} {
		if got := message.Visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestColumnsMakeSpaceForWideCharacters(t *testing.T) {
	for in, want := range map[string]int{"": 0, "plain": 5, "你好": 4, "ｆ": 2, "…": 2, "é": 2, "e\u0301": 3} {
		if got := message.Columns(in); got != want {
			t.Errorf("columns(%q) = %d, want %d", in, got, want)
		}
	}
}
