package repeat

import (
	"bytes"
	"unicode"
)

// A reply chants when its end is one text of at most unit bytes, with a letter in
// it, at least times times and over at least length bytes (SPEC DOOM-04).
// Tables, rules and rows of zeros have no letters; a poem's refrain is not as long.
const (
	unit   = 400
	times  = 12
	length = 2000
)

// Words looks for repetition at the end of a text that grows. The zero Words has heard
// nothing.
type Words struct {
	end    []byte
	unseen int
}

// Hear takes the next piece and says whether the text chants by now.
func (g *Words) Hear(text string) bool {
	const kept = 2 * unit * times
	g.end = append(g.end, text...)
	if g.unseen += len(text); len(g.end) < length || g.unseen < length/4 {
		return false
	}
	g.unseen = 0
	if len(g.end) > kept {
		g.end = append(g.end[:0], g.end[len(g.end)-kept:]...)
	}
	period := endPeriod(g.end, unit)
	return period > 0 && bytes.ContainsFunc(g.end[len(g.end)-period:], unicode.IsLetter)
}

// endPeriod is the shortest period, up to longest, with which the end of the text
// repeats often and long enough; 0 where there is none.
func endPeriod(text []byte, longest int) int {
	last := len(text) - 1
	for period := 1; period <= longest; period++ {
		same := 0
		for same+period <= last && text[last-same] == text[last-same-period] {
			same++
		}
		if same+period >= max(times*period, length) {
			return period
		}
	}
	return 0
}
