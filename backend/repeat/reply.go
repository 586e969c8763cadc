package repeat

// Reply listens to one reply while it comes (SPEC DOOM-04).
type Reply struct {
	// Again says that a reply to the same question was given up for its repetition. This
	// one's text is heard out then, up to Most bytes of one: rows may be meant to be equal.
	Again bool

	text, reasoning Words
	told            int
	over, cut       bool
}

// Hear takes a piece of the text, or of the reasoning, and returns what of it counts, and
// whether the reply is to end with it.
func (r *Reply) Hear(piece string, reasoning bool) (counts string, over bool) {
	if r.over {
		return "", true
	}
	counts = piece
	switch {
	case reasoning:
		r.over = r.reasoning.Hear(piece)
		return counts, r.over
	case r.Again:
		counts = piece[:r.text.HearOut(piece)]
		r.cut = len(counts) < len(piece)
		r.over = r.cut
	default:
		r.over = r.text.Hear(piece)
	}
	r.told += len(counts)
	return counts, r.over
}

// Told is how much of the text counts, in bytes.
func (r *Reply) Told() int { return r.told }

// Over reports whether the reply was to end before it did so by itself.
func (r *Reply) Over() bool { return r.over }

// Cut reports whether it was its text that was cut, which is to be delivered.
func (r *Reply) Cut() bool { return r.cut }
