package process

import (
	"errors"
	"io"
	"slices"
	"unicode/utf8"
)

const (
	// HeadLimit is how many characters of the beginning of a long output Text
	// holds.
	HeadLimit = 15_750
	// TailLimit is the same of the end. With a notice between them both stay
	// under 32,000.
	TailLimit = 16_000
	// SpillLimit is the most bytes of one output that are spilled.
	SpillLimit = 64 << 20
)

// ErrSpillFull says that an output is longer than SpillLimit.
var ErrSpillFull = errors.New("output is longer than 64 MiB")

// Text is what a command wrote, as valid UTF-8 without terminal control
// sequences: its beginning and its end where it is long.
type Text struct {
	// Head is the beginning; the whole text where Omitted is 0.
	Head string
	// Tail is the end where Omitted is not 0.
	Tail string
	// Omitted counts the characters left out between Head and Tail.
	Omitted int64
	// Bytes counts what the command wrote, before it was made text.
	Bytes int64
	// Spilled counts the bytes of text that Command.Spill has taken, from the
	// beginning.
	Spilled int64
	// SpillErr is why that is not the whole text, ErrSpillFull for one. A text
	// with nothing omitted is not spilled and has none.
	SpillErr error
}

// record keeps the beginning and the end of a text in bounded memory and spills
// the whole of a long one.
type record struct {
	raw  int64
	head []byte
	// tail holds at least the last TailLimit characters of what head does not.
	tail []byte
	// headRunes and runes count characters: of head, and of all.
	headRunes int
	runes     int64
	spill     spill
}

func newRecord(open func() (io.WriteCloser, error)) *record {
	return &record{spill: spill{open: open}}
}

// add takes the next piece of text, whole characters only.
func (r *record) add(text []byte) {
	r.runes += int64(utf8.RuneCount(text))
	if r.isLong() {
		if !r.spill.begun {
			r.spill.openSpill(r.head, r.tail)
		}
		r.spill.write(text)
	}
	first := prefixBytes(text, HeadLimit-r.headRunes)
	r.headRunes += utf8.RuneCount(text[:first])
	r.head = append(r.head, text[:first]...)
	r.tail = append(r.tail, text[first:]...)
	// Trimming only now and then keeps the cost of a byte constant. Before the
	// text is long, the tail cannot be this large: it is complete until then.
	if len(r.tail) > 2*utf8.UTFMax*TailLimit {
		r.tail = append(r.tail[:0], suffixRunes(r.tail, TailLimit)...)
	}
}

// isLong says that the text does not fit.
func (r *record) isLong() bool { return r.runes > HeadLimit+TailLimit }

// close ends the spilling.
func (r *record) close() { r.spill.close() }

// textSoFar returns what was recorded.
func (r *record) textSoFar() Text {
	if !r.isLong() {
		return Text{Head: string(r.head) + string(r.tail), Bytes: r.raw}
	}
	return Text{
		Head:     string(r.head),
		Tail:     string(suffixRunes(r.tail, TailLimit)),
		Omitted:  r.runes - HeadLimit - TailLimit,
		Bytes:    r.raw,
		Spilled:  r.spill.written,
		SpillErr: r.spill.err,
	}
}

// textWith returns what text would if this were added at the end, where it need not stay.
func (r *record) textWith(more []byte) Text {
	if len(more) == 0 {
		return r.textSoFar()
	}
	c := *r
	c.head, c.tail, c.spill = slices.Clip(r.head), slices.Clip(r.tail), spill{begun: true, err: errNoSpill}
	c.add(more)
	if c.isLong() && !r.spill.begun {
		r.spill.openSpill(r.head, r.tail)
	}
	c.spill = r.spill
	return c.textSoFar()
}

// prefixBytes returns the length in bytes of the first n characters of text.
func prefixBytes(text []byte, n int) int {
	if n >= len(text) {
		return len(text)
	}
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return end
}

// suffixRunes returns the last n characters of text.
func suffixRunes(text []byte, n int) []byte {
	start := len(text)
	for ; n > 0 && start > 0; n-- {
		_, size := utf8.DecodeLastRune(text[:start])
		start -= size
	}
	return text[start:]
}
