package repeat_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/repeat"
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
		"equal rows":              {"The table: ", row, 1000, "", repeat.Most},
		"a word":                  {"", "word ", 2000, "", repeat.Most},
		"few rows":                {"The table: ", row, 150, "That is all.", 0},
		"rows up to the bound":    {"", "ten bytes\n", repeat.Most / 10, "|", 0},
		"one more row":            {"", "ten bytes\n", repeat.Most/10 + 1, "", repeat.Most},
		"characters":              {"", "我来修改这个文件。", 1000, "", repeat.Most - repeat.Most%3},
		"a short one before":      {strings.Repeat("again ", 500) + "but then:", "word ", 2000, "", repeat.Most},
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
				reply := repeat.Reply{Again: true}
				var said strings.Builder
				over := false
				for rest := whole; rest != "" && !over; {
					n := min(size, len(rest))
					for n < len(rest) && !utf8.RuneStart(rest[n]) {
						n++
					}
					var counts string
					counts, over = reply.Hear(rest[:n], false)
					said.WriteString(counts)
					rest = rest[n:]
				}
				cut := reply.Cut()
				if said.String() != want || reply.Told() != len(want) || cut != (test.cut > 0) || over != cut || reply.Over() != cut {
					t.Errorf("in pieces of %d: %d of %d bytes, want %d; cut %v", size, said.Len(), len(whole), len(want), cut)
				}
				if more, over := reply.Hear("more", false); cut && (more != "" || !over) {
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
			reply := repeat.Reply{Again: test.again}
			if counts, over := reply.Hear(words, test.reasoning); counts != words || !over || !reply.Over() {
				t.Errorf("%d bytes count, over %v", len(counts), over)
			}
			if reply.Cut() {
				t.Error("it is cut and delivered")
			}
		})
	}
}
