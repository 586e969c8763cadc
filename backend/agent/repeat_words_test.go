package agent

import (
	"fmt"
	"strings"
	"testing"
)

func TestDOOM04_WordsThatRepeatWithoutEnd(t *testing.T) {
	var numbered, table strings.Builder
	for i := range 500 {
		fmt.Fprintf(&numbered, "line %d of the list\n", i)
		fmt.Fprintf(&table, "| %d | yes |\n", i)
	}
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"a sentence":                 {strings.Repeat("I will now fix the bug. ", 200), true},
		"a word":                     {strings.Repeat("word ", 800), true},
		"Chinese":                    {strings.Repeat("我来修改这个文件。", 200), true},
		"a paragraph":                {strings.Repeat(strings.Repeat("abc def. ", 40)+"\n", 20), true},
		"after much else":            {numbered.String() + strings.Repeat("Let me think. ", 300), true},
		"a refrain":                  {strings.Repeat("And so say all of us, and so say all of us.\n", 11), false},
		"a long list":                {numbered.String(), false},
		"a table":                    {table.String(), false},
		"a rule":                     {strings.Repeat("-", 5000), false},
		"zeros":                      {strings.Repeat("0, ", 3000), false},
		"blanks":                     {strings.Repeat(" \n", 3000), false},
		"a unit that is too long":    {strings.Repeat(numbered.String()[:1000], 10), false},
		"words that repeat, shortly": {strings.Repeat("very ", 100), false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, piece := range []int{1, 7, 300, len(test.text)} {
				var words wordRepeats
				got := false
				for rest := test.text; rest != "" && !got; {
					n := min(piece, len(rest))
					got = words.addPiece(rest[:n])
					rest = rest[n:]
				}
				if got != test.want {
					t.Errorf("in pieces of %d: %v, want %v", piece, got, test.want)
				}
			}
		})
	}
}

// BenchmarkWords measures what it costs to listen to a reply.
func BenchmarkWords(b *testing.B) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "word%d ", i)
	}
	all := text.String()
	b.SetBytes(int64(len(all)))
	for b.Loop() {
		var words wordRepeats
		for rest := all; rest != ""; rest = rest[min(20, len(rest)):] {
			words.addPiece(rest[:min(20, len(rest))])
		}
	}
}
