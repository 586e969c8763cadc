package repeat

import "strings"

// Reply listens to one reply while it comes (SPEC DOOM-04).
type Reply struct {
	// Again says that a reply to the same question was given up for its repetition. This
	// one's text is heard out then, up to Most bytes of one: rows may be meant to be equal.
	Again bool

	text, reasoning Words
	said            strings.Builder
	over, cut       bool
}

// Hear takes a piece of the text, or of the reasoning, and returns what of it counts, and
// whether the reply is to end with it.
func (r *Reply) Hear(piece string, reasoning bool) (counts string, over bool) {
	switch {
	case r.over:
		return "", true
	case reasoning:
		r.over = r.reasoning.Hear(piece)
		return piece, r.over
	case !r.Again:
		r.over = r.text.Hear(piece)
		return piece, r.over
	}
	counts = piece[:r.text.HearOut(piece)]
	r.said.WriteString(counts)
	r.cut = len(counts) < len(piece)
	r.over = r.cut
	return counts, r.over
}

// Over reports whether the reply was to end before it did so by itself.
func (r *Reply) Over() bool { return r.over }

// Cut returns the text up to where it was cut, and whether it was.
func (r *Reply) Cut() (text string, cut bool) { return r.said.String(), r.cut }
