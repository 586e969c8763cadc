//go:build !race

// Long texts take the race detector many times as long, and one goroutine counts a text.

package tokens

import (
	"strings"
	"testing"
	"time"
)

func TestLongTextsAreEstimated(t *testing.T) {
	for _, text := range []string{english, chinese, code, "a", blank, "\xff", "\x80", "é"} {
		unit := strings.Repeat(text, 8<<10/len(text))
		once := Count(unit)
		for _, times := range []int{9, 100} {
			got, want := Count(strings.Repeat(unit, times)), once*times
			if got < want*97/100 || got > want*103/100 {
				t.Errorf("%d times %q: %d tokens, want about %d", times, text, got, want)
			}
		}
	}
}

func TestHostileTextsCostLittle(t *testing.T) {
	Count("loaded before the time is taken")
	for _, text := range []string{"a", "A", "!", " ", "\n", blank, "\xff", "\u0301"} {
		huge := strings.Repeat(text, 10<<20/len(text))
		began := time.Now()
		if Count(huge) == 0 {
			t.Errorf("10 MB of %q are nothing", text)
		}
		// It takes 50 ms at most; the rest is for a busy machine.
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("10 MB of %q took %v", text, took)
		}
	}
}

func TestEveryPartOfALongTextCounts(t *testing.T) {
	spaces, words := strings.Repeat(" ", 64<<10), strings.Repeat("7 x ", 16<<10)
	least := Count(spaces + spaces + spaces)
	for i, text := range []string{words + spaces + spaces, spaces + words + spaces, spaces + spaces + words} {
		if got := Count(text); got < 10*least {
			t.Errorf("words in part %d of 3: %d tokens, %d without", i+1, got, least)
		}
	}
}
