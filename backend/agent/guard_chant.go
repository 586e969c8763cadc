package agent

import (
	"bytes"
	"errors"
	"unicode"
)

// A reply chants when its end is one text of at most chantUnit bytes, with a letter in
// it, at least chantTimes times and over at least chantLength bytes (SPEC DOOM-04).
// Tables, rules and rows of zeros have no letters; a poem's refrain is not as long.
const (
	chantUnit   = 400
	chantTimes  = 12
	chantLength = 2000
)

// errChanting ends an attempt whose reply repeats itself without end.
var errChanting = errors.New("the model repeats the same words over and over")

// chantGuard looks for repetition at the end of a text that grows.
type chantGuard struct {
	end    []byte
	unseen int
}

// hear takes the next piece and says whether the text chants by now.
func (g *chantGuard) hear(text string) bool {
	const kept = 2 * chantUnit * chantTimes
	g.end = append(g.end, text...)
	if g.unseen += len(text); len(g.end) < chantLength || g.unseen < chantLength/4 {
		return false
	}
	g.unseen = 0
	if len(g.end) > kept {
		g.end = append(g.end[:0], g.end[len(g.end)-kept:]...)
	}
	period := endPeriod(g.end, chantUnit)
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
		if same+period >= max(chantTimes*period, chantLength) {
			return period
		}
	}
	return 0
}
