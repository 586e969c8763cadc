package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDOOM04_ARepetitionIsHeardOutTheSecondTime(t *testing.T) {
	row := "| yes | no | maybe |\n"
	for name, test := range map[string]struct {
		before, unit string
		times        int
		after        string
		// cut is how many bytes of the repetition are left; 0 for all of the text.
		cut int
	}{
		"equal rows":              {"The table: ", row, 1000, "", mostRepeated},
		"a word":                  {"", "word ", 2000, "", mostRepeated},
		"few rows":                {"The table: ", row, 150, "That is all.", 0},
		"rows up to the bound":    {"", "ten bytes\n", mostRepeated / 10, "|", 0},
		"one more row":            {"", "ten bytes\n", mostRepeated/10 + 1, "", mostRepeated},
		"characters":              {"", "我来修改这个文件。", 1000, "", mostRepeated - mostRepeated%3},
		"a short one before":      {strings.Repeat("again ", 500) + "but then:", "word ", 2000, "", mostRepeated},
		"no letter":               {"", "| 0 | 0 |\n", 2000, "", 0},
		"too short to be noticed": {"", row, 50, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			whole := test.before + strings.Repeat(test.unit, test.times) + test.after
			want := whole
			if test.cut > 0 {
				want = whole[:len(test.before)+test.cut]
			}
			for _, size := range []int{1, 7, 499, 3000, len(whole)} {
				reply := replyRepeats{again: true}
				var said strings.Builder
				over := false
				for rest := whole; rest != "" && !over; {
					n := min(size, len(rest))
					for n < len(rest) && !utf8.RuneStart(rest[n]) {
						n++
					}
					var counts string
					counts, over = reply.addPiece(rest[:n], false)
					said.WriteString(counts)
					rest = rest[n:]
				}
				cut := reply.isCut()
				if said.String() != want || reply.countedBytes() != len(want) || cut != (test.cut > 0) || over != cut || reply.isOver() != cut {
					t.Errorf("in pieces of %d: %d of %d bytes, want %d; cut %v", size, said.Len(), len(whole), len(want), cut)
				}
				if more, over := reply.addPiece("more", false); cut && (more != "" || !over) {
					t.Errorf("in pieces of %d: it goes on after the cut", size)
				}
			}
		})
	}
}

func TestDOOM04_ARepetitionEndsTheFirstReplyAndAnyReasoning(t *testing.T) {
	words := strings.Repeat("I will now fix the bug. ", 200)
	for name, test := range map[string]struct{ again, reasoning bool }{
		"the first text": {false, false}, "the first reasoning": {false, true}, "reasoning again": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			reply := replyRepeats{again: test.again}
			if counts, over := reply.addPiece(words, test.reasoning); counts != words || !over || !reply.isOver() {
				t.Errorf("%d bytes count, over %v", len(counts), over)
			}
			if reply.isCut() {
				t.Error("it is cut and delivered")
			}
		})
	}
}
