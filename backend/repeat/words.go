package repeat

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A reply chants when its end is one text of at most unit bytes, with a letter in
// it, at least times times and over at least length bytes (SPEC DOOM-04).
// Tables, rules and rows of zeros have no letters; a poem's refrain is not as long.
const (
	unit   = 400
	times  = 12
	length = 2000
)

// Most is how many bytes of a repetition are heard out where it is not the first.
const Most = 4000

// interval is how many bytes are taken before they are looked at.
const interval = length / 4

// Words looks for repetition at the end of a text that grows. The zero Words has heard
// nothing.
type Words struct {
	end    []byte
	unseen int
	// chant is how long the repetition was when it was last looked for, in bytes.
	chant int
}

// Hear takes the next piece and says whether the text chants by now.
func (g *Words) Hear(text string) bool {
	g.end = append(g.end, text...)
	if g.unseen += len(text); len(g.end) < length || g.unseen < interval {
		return false
	}
	return g.look() > 0
}

// HearOut takes the next piece and returns how much of it, in bytes, comes before a
// repetition is longer than Most: all of it, unless the text is to be cut there.
func (g *Words) HearOut(text string) int {
	for taken := 0; taken < len(text); {
		step := min(len(text)-taken, interval-g.unseen)
		if g.chant > 0 {
			step = min(step, max(Most-g.chant-g.unseen, 1))
		}
		g.end = append(g.end, text[taken:taken+step]...)
		g.unseen += step
		taken += step
		if g.unseen < interval && g.chant+g.unseen < Most {
			continue
		}
		if over := g.look() - Most; over > 0 {
			keep := max(taken-over, 0)
			for keep > 0 && !utf8.RuneStart(text[keep]) {
				keep--
			}
			return keep
		}
	}
	return len(text)
}

// look returns how long the repetition at the end is, in bytes; 0 for none.
func (g *Words) look() int {
	const kept = 2 * unit * times
	g.unseen, g.chant = 0, 0
	if len(g.end) > kept {
		g.end = append(g.end[:0], g.end[len(g.end)-kept:]...)
	}
	period, repeats := endPeriod(g.end, unit)
	if period > 0 && bytes.ContainsFunc(g.end[len(g.end)-period:], unicode.IsLetter) {
		g.chant = repeats
	}
	return g.chant
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
		if same+period >= max(times*period, length) {
			return period, same + period
		}
	}
	return 0, 0
}
