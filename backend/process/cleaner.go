package process

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cleaner makes text of what a program writes: valid UTF-8, without terminal
// control sequences (ECMA-48) and other control characters than tab, line feed
// and carriage return. What is left cannot drive a terminal. Beside it comes the
// same text with its colours. What moves in a line, or erases in it, is told.
type cleaner struct {
	// emit takes the text, whole characters only, without and with the sequences
	// that colour it (SGR, CSI … m), which come whole; it must not keep the slices.
	emit func(text, coloured []byte)
	// move takes, after the text before it, what moves in a line: '\b', or the last
	// character of a control sequence of lineFinals with its number, 0 for none. It may be nil.
	move func(final rune, n int)
	// rest is the beginning of a character whose end has not come yet.
	rest  []byte
	state sequence
	text  []byte
	// coloured is the text with its colours, and empty while it has none.
	coloured []byte
	// control is the control sequence so far; empty for one that is left out.
	control []byte
}

// sequence says how far into a control sequence the text is.
type sequence int

const (
	// none is plain text.
	none sequence = iota
	// escape follows an ESC, and intermediate bytes after it.
	escape
	// inControl is inside ESC [ … up to its final byte.
	inControl
	// payload is inside ESC ] … and its like, up to BEL or ESC \.
	payload
)

// lineFinals end the control sequences that move in a line: right, left, to a column,
// and the one that erases in it.
const lineFinals = "CDGK"

const (
	esc = 0x1b
	// colourLimit is the most bytes of a sequence that colours; those of programs
	// that use all attributes are shorter.
	colourLimit = 64
)

func newCleaner(emit func(text, coloured []byte)) *cleaner { return &cleaner{emit: emit} }

// Write takes the next bytes of the output. It never fails.
func (c *cleaner) Write(p []byte) (int, error) {
	data := p
	if len(c.rest) > 0 {
		data = append(c.rest, p...)
		c.rest = nil
	}
	for len(data) > 0 {
		if c.state == none {
			n := countPlain(data)
			c.addText(data[:n])
			if data = data[n:]; len(data) == 0 {
				break
			}
		}
		if !utf8.FullRune(data) {
			c.rest = bytes.Clone(data)
			break
		}
		r, size := utf8.DecodeRune(data)
		c.takeRune(r)
		data = data[size:]
	}
	c.passOn()
	return len(p), nil
}

// endOutput takes the end of the output: half a character is an invalid one.
func (c *cleaner) endOutput() {
	if len(c.rest) > 0 && c.state == none {
		c.addText([]byte(string(utf8.RuneError)))
	}
	c.rest = nil
	c.passOn()
}

// addText adds to the text.
func (c *cleaner) addText(text []byte) {
	c.text = append(c.text, text...)
	if len(c.coloured) > 0 {
		c.coloured = append(c.coloured, text...)
	}
}

// passOn passes on what has gathered.
func (c *cleaner) passOn() {
	switch {
	case len(c.coloured) > 0:
		c.emit(c.text, c.coloured)
	case len(c.text) > 0:
		c.emit(c.text, c.text)
	}
	c.text, c.coloured = c.text[:0], c.coloured[:0]
}

// takeRune takes one character. A line feed ends any sequence, so that a broken one,
// as in a binary file, cannot swallow the rest of the output.
func (c *cleaner) takeRune(r rune) {
	switch {
	case r == esc:
		c.state = escape
	case r == '\n':
		c.state = none
		c.addText([]byte{'\n'})
	case c.state == escape:
		c.state = afterEscape(r)
		c.control = append(c.control[:0], esc, '[')
	case c.state == inControl:
		c.takeControl(r)
	case c.state == payload:
		if r == '\a' {
			c.state = none
		}
	case r == '\b':
		c.moveCursor('\b', nil)
	case isPrintable(r):
		var character [utf8.UTFMax]byte
		c.addText(character[:utf8.EncodeRune(character[:], r)])
	}
}

// takeControl takes a character of a control sequence. One that colours, or moves in a
// line, holds numbers alone before its final byte.
func (c *cleaner) takeControl(r rune) {
	final := r >= 0x40 && r <= 0x7e
	number := r >= '0' && r <= ';'
	if len(c.control) == colourLimit || !number && !final {
		c.control = c.control[:0]
	}
	if len(c.control) > 0 {
		c.control = utf8.AppendRune(c.control, r)
	}
	if !final {
		return
	}
	c.state = none
	switch {
	case len(c.control) == 0:
	case r == 'm':
		if len(c.coloured) == 0 {
			c.coloured = append(c.coloured, c.text...)
		}
		c.coloured = append(c.coloured, c.control...)
	case strings.ContainsRune(lineFinals, r):
		c.moveCursor(r, c.control[2:len(c.control)-1])
	}
}

// moveCursor tells what moves in a line, by a number in digits or by none.
func (c *cleaner) moveCursor(final rune, digits []byte) {
	n, err := strconv.Atoi(string(digits))
	if c.move == nil || len(digits) > 0 && err != nil {
		return
	}
	c.passOn()
	c.move(final, n)
}

// afterEscape returns what the character after an ESC leads to.
func afterEscape(r rune) sequence {
	switch {
	case r == '[':
		return inControl
	case r == ']' || r == 'P' || r == 'X' || r == '^' || r == '_':
		return payload
	case r >= 0x20 && r <= 0x2f:
		return escape
	default:
		return none
	}
}

func isPrintable(r rune) bool {
	return r == '\t' || r == '\r' || (r >= 0x20 && r < 0x7f) || r >= 0xa0
}

// countPlain counts the leading bytes that are text as they stand.
func countPlain(data []byte) int {
	for i, b := range data {
		if (b < 0x20 || b >= 0x7f) && b != '\n' && b != '\t' && b != '\r' {
			return i
		}
	}
	return len(data)
}
