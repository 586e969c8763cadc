package process

import (
	"bytes"
	"unicode/utf8"
)

// ringLimit is how many bytes of the newest output of a job are kept for those who
// look at it.
const ringLimit = 256 << 10

// ring keeps the newest text of an output with its colours. Places in the text are
// bytes since its beginning.
type ring struct {
	// buffer holds the byte of a place at the place modulo ringLimit. It is only as
	// long as the text as long as that is shorter.
	buffer []byte
	// end is the place after the last byte.
	end int64
}

// add takes the next text.
func (r *ring) add(text []byte) {
	for len(text) > 0 {
		at := int(r.end % ringLimit)
		n := min(len(text), ringLimit-at)
		if at == len(r.buffer) {
			r.buffer = append(r.buffer, text[:n]...)
		} else {
			copy(r.buffer[at:], text[:n])
		}
		r.end += int64(n)
		text = text[n:]
	}
}

// textSince returns a copy of the text from a place on. Where what was there is gone, it
// begins later.
func (r *ring) textSince(place int64) (text []byte, begin int64) {
	oldest := r.end - int64(len(r.buffer))
	begin = min(max(place, oldest), r.end)
	text = make([]byte, 0, r.end-begin)
	if at := int(begin % ringLimit); begin < r.end {
		first := r.buffer[at:min(len(r.buffer), at+cap(text))]
		text = append(append(text, first...), r.buffer[:cap(text)-len(first)]...)
	}
	cut := halfCharacter(text)
	if begin > place {
		cut += halfColour(text[cut:])
	}
	return text[cut:], begin + int64(cut)
}

// halfCharacter counts the bytes at the beginning of a text that are left of a
// character whose beginning is gone.
func halfCharacter(text []byte) int {
	n := 0
	for n < len(text) && !utf8.RuneStart(text[n]) {
		n++
	}
	return n
}

// halfColour counts the bytes at the beginning of a text that look like what is left
// of a sequence that colours. A few characters of text may look the same.
func halfColour(text []byte) int {
	rest := bytes.TrimPrefix(text, []byte("["))
	for i, b := range rest[:min(len(rest), colourLimit)] {
		if b == 'm' {
			return len(text) - len(rest) + i + 1
		}
		if b < '0' || b > ';' {
			break
		}
	}
	return 0
}
