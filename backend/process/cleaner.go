package process

import (
	"bytes"
	"unicode/utf8"
)

// cleaner makes text of what a program writes: valid UTF-8, without terminal
// control sequences (ECMA-48) and other control characters than tab, line feed
// and carriage return. What is left cannot drive a terminal.
type cleaner struct {
	// emit takes the text, whole characters only; it must not keep the slice.
	emit func(text []byte)
	// rest is the beginning of a character whose end has not come yet.
	rest  []byte
	state sequence
	text  []byte
}

// sequence says how far into a control sequence the text is.
type sequence int

const (
	// none is plain text.
	none sequence = iota
	// escape follows an ESC, and intermediate bytes after it.
	escape
	// control is inside ESC [ … up to its final byte.
	control
	// payload is inside ESC ] … and its like, up to BEL or ESC \.
	payload
)

const esc = 0x1b

func newCleaner(emit func(text []byte)) *cleaner { return &cleaner{emit: emit} }

// Write takes the next bytes of the output. It never fails.
func (c *cleaner) Write(p []byte) (int, error) {
	c.text = c.text[:0]
	data := p
	if len(c.rest) > 0 {
		data = append(c.rest, p...)
		c.rest = nil
	}
	for len(data) > 0 {
		if n := plain(data); n > 0 && c.state == none {
			c.text = append(c.text, data[:n]...)
			data = data[n:]
			continue
		}
		if !utf8.FullRune(data) {
			c.rest = bytes.Clone(data)
			break
		}
		r, size := utf8.DecodeRune(data)
		c.take(r)
		data = data[size:]
	}
	if len(c.text) > 0 {
		c.emit(c.text)
	}
	return len(p), nil
}

// end takes the end of the output: half a character is an invalid one.
func (c *cleaner) end() {
	if len(c.rest) > 0 && c.state == none {
		c.emit([]byte(string(utf8.RuneError)))
	}
	c.rest = nil
}

// take takes one character. A line feed ends any sequence, so that a broken one,
// as in a binary file, cannot swallow the rest of the output.
func (c *cleaner) take(r rune) {
	switch {
	case r == esc:
		c.state = escape
	case r == '\n':
		c.state = none
		c.text = append(c.text, '\n')
	case c.state == escape:
		c.state = afterEscape(r)
	case c.state == control:
		if r >= 0x40 && r <= 0x7e {
			c.state = none
		}
	case c.state == payload:
		if r == '\a' {
			c.state = none
		}
	case printable(r):
		c.text = utf8.AppendRune(c.text, r)
	}
}

// afterEscape returns what the character after an ESC leads to.
func afterEscape(r rune) sequence {
	switch {
	case r == '[':
		return control
	case r == ']' || r == 'P' || r == 'X' || r == '^' || r == '_':
		return payload
	case r >= 0x20 && r <= 0x2f:
		return escape
	default:
		return none
	}
}

func printable(r rune) bool {
	return r == '\t' || r == '\r' || (r >= 0x20 && r < 0x7f) || r >= 0xa0
}

// plain counts the leading bytes that are text as they stand.
func plain(data []byte) int {
	for i, b := range data {
		if (b < 0x20 || b >= 0x7f) && b != '\n' && b != '\t' && b != '\r' {
			return i
		}
	}
	return len(data)
}
