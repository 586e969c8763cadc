package agent

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A reply repeats when its end is one text of at most repeatUnit bytes, with a letter in
// it, at least repeatTimes times and over at least repeatMinimum bytes (SPEC DOOM-04).
// Tables, rules and rows of zeros have no letters; a poem's refrain is not as long.
const (
	repeatUnit    = 400
	repeatTimes   = 12
	repeatMinimum = 2000
)

// mostRepeated is how many bytes of a repetition are taken where it is not the first.
const mostRepeated = 4000

// repeatInterval is how many bytes are taken before they are looked at.
const repeatInterval = repeatMinimum / 4

// wordRepeats looks for repetition at the end of a text that grows. The zero value is an
// empty text.
type wordRepeats struct {
	end    []byte
	unseen int
	// repeated is how long the repetition was when it was last looked for, in bytes.
	repeated int
}

// addPiece takes the next piece and reports whether the text repeats by now.
func (g *wordRepeats) addPiece(text string) bool {
	g.end = append(g.end, text...)
	if g.unseen += len(text); len(g.end) < repeatMinimum || g.unseen < repeatInterval {
		return false
	}
	return g.findRepeats() > 0
}

// addUntilCut takes the next piece and returns how much of it, in bytes, comes before a
// repetition is longer than mostRepeated: all of it, unless the text is to be cut there.
func (g *wordRepeats) addUntilCut(text string) int {
	for taken := 0; taken < len(text); {
		step := min(len(text)-taken, repeatInterval-g.unseen)
		if g.repeated > 0 {
			step = min(step, max(mostRepeated-g.repeated-g.unseen, 1))
		}
		g.end = append(g.end, text[taken:taken+step]...)
		g.unseen += step
		taken += step
		if g.unseen < repeatInterval && g.repeated+g.unseen < mostRepeated {
			continue
		}
		if over := g.findRepeats() - mostRepeated; over > 0 {
			keep := max(taken-over, 0)
			for keep > 0 && !utf8.RuneStart(text[keep]) {
				keep--
			}
			return keep
		}
	}
	return len(text)
}

// findRepeats returns how long the repetition at the end is, in bytes; 0 for none.
func (g *wordRepeats) findRepeats() int {
	const kept = 2 * repeatUnit * repeatTimes
	g.unseen, g.repeated = 0, 0
	if len(g.end) > kept {
		g.end = append(g.end[:0], g.end[len(g.end)-kept:]...)
	}
	period, repeats := endPeriod(g.end, repeatUnit)
	if period > 0 && bytes.ContainsFunc(g.end[len(g.end)-period:], unicode.IsLetter) {
		g.repeated = repeats
	}
	return g.repeated
}

// endPeriod is the shortest period, up to longest, with which the end of the text
// repeats often and long enough, and for how many bytes it does; 0 where there is none.
func endPeriod(text []byte, longest int) (period, repeats int) {
	last := len(text) - 1
	for period = 1; period <= longest; period++ {
		same := 0
		for same+period <= last && text[last-same] == text[last-same-period] {
			same++
		}
		if same+period >= max(repeatTimes*period, repeatMinimum) {
			return period, same + period
		}
	}
	return 0, 0
}
