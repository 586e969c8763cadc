package process

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCleaner(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a\tb\r\nc", "a\tb\r\nc"},
		{"unicode", "目录 é 🙂", "目录 é 🙂"},
		{"colour", "\x1b[31mred\x1b[0m", "red"},
		{"cursor", "a\x1b[2K\x1b[1;1Hb\x1b[?25lc", "abc"},
		{"title", "\x1b]0;my title\aa\x1b]8;;http://x\x1b\\b", "ab"},
		{"device string", "\x1bPq#0\x1b\\a", "a"},
		{"character set", "\x1b(Ba\x1b=b", "ab"},
		{"controls", "a\x00b\bc\ad\x7fe\u009bf", "abcdef"},
		{"unfinished title", "\x1b]0;title\nnext", "\nnext"},
		{"unfinished control", "\x1b[1\nnext", "\nnext"},
		{"escape at the end", "a\x1b[3", "a"},
		{"invalid", "a\xffb\xc3(c", "a\ufffdb\ufffd(c"},
		{"half a character at the end", "a\xe4\xb8", "a\ufffd"},
		{"half a character in a title", "\x1b]0;\xe4\xb8", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for cut := range len(test.in) + 1 {
				if got := clean(test.in[:cut], test.in[cut:]); got != test.want {
					t.Errorf("cut at %d: got %q, want %q", cut, got, test.want)
				}
			}
			if got := clean(strings.Split(test.in, "")...); got != test.want && utf8.ValidString(test.in) {
				t.Errorf("one by one: got %q, want %q", got, test.want)
			}
		})
	}
}

// clean returns the text of pieces of output.
func clean(pieces ...string) string {
	var text strings.Builder
	c := newCleaner(func(piece []byte) { text.Write(piece) })
	for _, piece := range pieces {
		_, _ = c.Write([]byte(piece))
	}
	c.end()
	return text.String()
}

func FuzzCleaner(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\n", 3)
	f.Add("\x1b]0;title\x1b\\目录\xff", 12)
	f.Add("a\xe4\xb8", 2)
	f.Fuzz(func(t *testing.T, in string, cut int) {
		whole := clean(in)
		if !utf8.ValidString(whole) {
			t.Errorf("not UTF-8: %q", whole)
		}
		for _, r := range whole {
			if !printable(r) && r != '\n' {
				t.Errorf("%q holds %q", whole, r)
			}
		}
		if strings.Count(in, "\n") != strings.Count(whole, "\n") {
			t.Errorf("lines of %q went missing: %q", in, whole)
		}
		if cut >= 0 && cut <= len(in) {
			if got := clean(in[:cut], in[cut:]); got != whole {
				t.Errorf("cut at %d: %q, else %q", cut, got, whole)
			}
		}
	})
}
