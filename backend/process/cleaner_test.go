package process

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCleaner(t *testing.T) {
	tests := []struct{ name, in, want, coloured string }{
		{"plain", "a\tb\r\nc", "a\tb\r\nc", ""},
		{"unicode", "目录 é 🙂", "目录 é 🙂", ""},
		{"colour", "目\x1b[31mred\x1b[0m.", "目red.", "目\x1b[31mred\x1b[0m."},
		{"no number", "\x1b[mred", "red", "\x1b[mred"},
		{"many numbers", "\x1b[1;38;2;255;0;10;48:5:9mred", "red", "\x1b[1;38;2;255;0;10;48:5:9mred"},
		{"too many numbers", "\x1b[" + strings.Repeat("1;", colourLimit) + "mred", "red", ""},
		{"as many as fit", "\x1b[" + strings.Repeat("1", colourLimit-3) + "mred", "red", "\x1b[" + strings.Repeat("1", colourLimit-3) + "mred"},
		{"one more", "\x1b[" + strings.Repeat("1", colourLimit-2) + "mred", "red", ""},
		{"no colour", "\x1b[?1ma\x1b[>4;2mb\x1b[1 mc\x1b(md", "abcd", ""},
		{"colour in a control", "\x1b[3\x1b[31mred", "red", "\x1b[31mred"},
		{"cursor", "a\x1b[2K\x1b[1;1Hb\x1b[?25lc", "abc", ""},
		{"title", "\x1b]0;my title\aa\x1b]8;;http://x\x1b\\b", "ab", ""},
		{"device string", "\x1bPq#0\x1b\\a", "a", ""},
		{"character set", "\x1b(Ba\x1b=b", "ab", ""},
		{"controls", "a\x00b\bc\ad\x7fe\u009bf", "abcdef", ""},
		{"unfinished title", "\x1b]0;title\nnext", "\nnext", ""},
		{"unfinished control", "\x1b[1\nnext", "\nnext", ""},
		{"escape at the end", "a\x1b[3", "a", ""},
		{"invalid", "a\xffb\xc3(c", "a\ufffdb\ufffd(c", ""},
		{"half a character at the end", "a\xe4\xb8", "a\ufffd", ""},
		{"half a character in a title", "\x1b]0;\xe4\xb8", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.coloured == "" {
				test.coloured = test.want
			}
			for cut := range len(test.in) + 1 {
				if got, coloured := clean(test.in[:cut], test.in[cut:]); got != test.want || coloured != test.coloured {
					t.Errorf("cut at %d: got %q and %q, want %q and %q", cut, got, coloured, test.want, test.coloured)
				}
			}
			if got, coloured := clean(strings.Split(test.in, "")...); (got != test.want || coloured != test.coloured) && utf8.ValidString(test.in) {
				t.Errorf("one by one: got %q and %q, want %q and %q", got, coloured, test.want, test.coloured)
			}
		})
	}
}

// clean returns the text of pieces of output, without and with its colours.
func clean(pieces ...string) (text, coloured string) {
	var plain, shown strings.Builder
	c := newCleaner(func(text, coloured []byte) {
		plain.Write(text)
		shown.Write(coloured)
	})
	for _, piece := range pieces {
		_, _ = c.Write([]byte(piece))
	}
	c.endOutput()
	return plain.String(), shown.String()
}

// sgr is a sequence that colours.
var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

func FuzzCleaner(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\n", 3)
	f.Add("\x1b]0;title\x1b\\目录\xff", 12)
	f.Add("a\xe4\xb8", 2)
	f.Add("\x1b[38:2::1:2:3m\x1b[?25m\x1b[1;\x1b[4Km\x1b[2\nm", 9)
	f.Fuzz(func(t *testing.T, in string, cut int) {
		whole, coloured := clean(in)
		if !utf8.ValidString(whole) || !utf8.ValidString(coloured) {
			t.Errorf("not UTF-8: %q, %q", whole, coloured)
		}
		for _, r := range whole {
			if !isPrintable(r) && r != '\n' {
				t.Errorf("%q holds %q", whole, r)
			}
		}
		if sgr.ReplaceAllString(coloured, "") != whole {
			t.Errorf("without its colours %q is not %q", coloured, whole)
		}
		if again, same := clean(coloured); again != whole || same != coloured {
			t.Errorf("cleaned again %q is %q, %q", coloured, again, same)
		}
		if strings.Count(in, "\n") != strings.Count(whole, "\n") {
			t.Errorf("lines of %q went missing: %q", in, whole)
		}
		if cut >= 0 && cut <= len(in) {
			if text, shown := clean(in[:cut], in[cut:]); text != whole || shown != coloured {
				t.Errorf("cut at %d: %q, %q, else %q, %q", cut, text, shown, whole, coloured)
			}
		}
	})
}
