package process

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// maxColumns is the width of a row. What a program writes beyond it begins another one,
// to which a return goes back, as it does in a terminal.
const maxColumns = 4096

// narrow is the most bytes of text that are sure to fit in a row, whatever they are.
const narrow = maxColumns / tabStop

// row makes of a program's text what a terminal would show of it, line by line: what is
// written after a return takes the place of what stands there, as that of progress bars
// does. Most lines are only written once and are passed on as they are. It takes bounded
// memory, and what it makes does not depend on the pieces in which the text comes.
type row struct {
	// kept takes text that cannot change any more.
	kept func(text []byte)
	// shown takes the text for those who watch, without and with its colours. A row of
	// which something was written over comes as a whole, after a return.
	shown func(text, coloured []byte)

	// raw is the row with its colours, as long as nothing in it was written over, and
	// measured is how much of it is counted in extent.
	raw      []byte
	measured int
	extent   extent
	// lead is how much of the beginning of raw is known to be colours.
	lead int
	// returned means that the last character was a return: a line feed may follow.
	returned bool

	// editing means that something was written over. Then cells are the row, column is
	// where the next character goes, and dirty means that not all was shown.
	editing bool
	cells   []cell
	column  int
	dirty   bool
	// edits counts the characters that were written and erased so, in all rows.
	edits int
	// wrapped means that the row does not stand at the beginning of a line.
	wrapped bool

	// pen are the colours of what is written next, and colours means that there were any.
	pen     []byte
	colours bool
	// style is the pen that the last character was written with.
	style string
	// fresh is what was not shown yet, and plain is where text without colours is made.
	fresh, plain []byte
}

// add takes text with its colours: whole characters and whole sequences.
func (w *row) add(text []byte) {
	for len(text) > 0 {
		if w.editing || w.returned {
			text = text[w.takeSequence(text):]
			continue
		}
		stop := bytes.IndexByte(text, '\r')
		if stop < 0 {
			stop = len(text)
		}
		if end := bytes.LastIndexByte(text[:stop], '\n') + 1; end > 0 {
			w.append(text[:end])
			w.endRaw()
			text = text[end:]
			continue
		}
		w.append(text[:stop])
		w.wrapRow()
		if stop < len(text) {
			w.returned = true
			stop++
		}
		text = text[stop:]
	}
}

// takeSequence takes one character, or one sequence, of a row that is edited or that a return
// has gone back in, and returns its length.
func (w *row) takeSequence(text []byte) int {
	switch text[0] {
	case '\r':
		w.returned = true
		return 1
	case '\n':
		w.endLine()
		return 1
	case esc:
		size := colourSize(text)
		if w.editing {
			w.applyColour(text[:size])
		} else {
			w.append(text[:size])
		}
		return size
	}
	w.editRow()
	r, size := utf8.DecodeRune(text)
	if !w.putRune(r) { // it goes to the next row
		w.append(text[:size])
	}
	return size
}

// append adds to a row that is not edited.
func (w *row) append(text []byte) {
	w.raw = append(w.raw, text...)
	w.fresh = append(w.fresh, text...)
}

// endRaw passes on a row that was only written once.
func (w *row) endRaw() {
	w.kept(w.withoutColours(w.raw))
	w.followColours(w.raw)
	w.beginRow(false)
}

// beginRow begins the next row.
func (w *row) beginRow(wrapped bool) {
	w.raw, w.measured, w.extent, w.lead = w.raw[:0], 0, extent{}, 0
	w.editing, w.returned, w.cells, w.column, w.dirty = false, false, w.cells[:0], 0, false
	w.wrapped = wrapped
}

// wrapRow passes on what a row that is not edited has too much.
func (w *row) wrapRow() {
	if len(w.raw) <= narrow {
		return
	}
	for w.measured < len(w.raw) {
		if w.raw[w.measured] == esc {
			w.measured += colourSize(w.raw[w.measured:])
			continue
		}
		r, size := utf8.DecodeRune(w.raw[w.measured:])
		if !w.extent.add(r) {
			w.kept(w.withoutColours(w.raw[:w.measured]))
			w.followColours(w.raw[:w.measured])
			rest := w.raw[w.measured:]
			w.beginRow(true)
			w.raw = append(w.raw, rest...) // the same memory, further to the front
			continue
		}
		w.measured += size
	}
}

// moveInRow moves in the row, or erases in it, as the final byte of a control sequence says
// (ECMA-48): '\b' for the backspace, C and D for right and left, G for a column, K for
// erasing.
func (w *row) moveInRow(final rune, n int) {
	switch {
	case w.editing || w.returned:
	case final == 'K' && n == 0, w.isBlank() && (final != 'C' && (final != 'G' || n <= 1)):
		return // nothing stands there
	}
	w.editRow()
	switch final {
	case '\b', 'D':
		w.column = max(w.column-max(n, 1), 0)
	case 'C':
		w.column = min(w.column+max(n, 1), maxColumns-1)
	case 'G':
		w.column = min(max(n, 1), maxColumns) - 1
	case 'K':
		w.eraseCells(n)
	}
}

// isBlank reports whether nothing but colours stands in a row that is not edited.
func (w *row) isBlank() bool {
	for w.lead < len(w.raw) && w.raw[w.lead] == esc {
		w.lead += colourSize(w.raw[w.lead:])
	}
	return w.lead == len(w.raw)
}

// editRow makes a row one that is written over, and goes where a return leads.
func (w *row) editRow() {
	if !w.editing {
		raw := w.raw
		w.editing, w.column = true, 0
		for len(raw) > 0 {
			size := colourSize(raw)
			if size > 0 {
				w.applyColour(raw[:size])
			} else {
				var r rune
				r, size = utf8.DecodeRune(raw)
				w.putRune(r)
			}
			raw = raw[size:]
		}
		w.raw, w.lead, w.dirty = w.raw[:0], 0, false
	}
	if w.returned {
		w.returned, w.column = false, 0
	}
}

// endLine ends a row that is edited or that a return has gone back in.
func (w *row) endLine() {
	end := "\n"
	if w.returned {
		end = "\r\n"
	}
	if !w.editing {
		w.append([]byte(end))
		w.endRaw()
		return
	}
	w.redrawRow()
	w.fresh = append(w.fresh, end...)
	w.kept(append(w.currentText(), end...))
	w.beginRow(false)
}

// redrawRow shows a row that was written over, if it is not shown yet.
func (w *row) redrawRow() {
	if !w.dirty {
		return
	}
	w.dirty = false
	lead := byte('\r')
	if w.wrapped {
		lead, w.wrapped = '\n', false
	}
	w.fresh = append(w.fresh, lead)
	w.drawCells()
}

// flush shows what has gathered.
func (w *row) flush() {
	w.redrawRow()
	if len(w.fresh) > 0 {
		w.shown(w.withoutColours(w.fresh), w.fresh)
		w.fresh = w.fresh[:0]
	}
}

// endText takes the end of the text.
func (w *row) endText() {
	w.kept(w.currentText())
	w.followColours(w.raw)
	w.redrawRow()
	w.flush()
	w.beginRow(true)
}

// currentText is the text of a row that has not ended. It is not to be kept.
func (w *row) currentText() []byte {
	if w.editing {
		return bytes.TrimRight(w.cellText(), " ") // nobody sees them
	}
	return w.withoutColours(w.raw)
}

// withoutColours is a text without its colours. It is not to be kept.
func (w *row) withoutColours(text []byte) []byte {
	at := bytes.IndexByte(text, esc)
	if at < 0 {
		return text
	}
	w.plain = w.plain[:0]
	for at >= 0 {
		w.plain = append(w.plain, text[:at]...)
		text = text[at+colourSize(text[at:]):]
		at = bytes.IndexByte(text, esc)
	}
	w.plain = append(w.plain, text...)
	return w.plain
}

// followColours has the pen follow the colours of a text.
func (w *row) followColours(text []byte) {
	for at := bytes.IndexByte(text, esc); at >= 0; at = bytes.IndexByte(text, esc) {
		size := colourSize(text[at:])
		w.applyColour(text[at : at+size])
		text = text[at+size:]
	}
}

// penLimit bounds what is remembered of the colours, in bytes.
const penLimit = 256

// applyColour has the pen follow a sequence.
func (w *row) applyColour(sequence []byte) {
	w.colours = true
	numbers := sequence[2 : len(sequence)-1]
	first := numbers
	if at := bytes.IndexAny(numbers, ";:"); at >= 0 {
		first = numbers[:at]
	}
	if n, err := strconv.Atoi(string(first)); len(first) == 0 || err == nil && n == 0 {
		w.pen = w.pen[:0]
		if len(first) == len(numbers) {
			return
		}
	}
	if len(w.pen)+len(sequence) > penLimit {
		w.pen = w.pen[:0]
	}
	w.pen = append(w.pen, sequence...)
}

// colourSize is the length of the sequence at the beginning of a text that colours; 0
// where there is none. All others are gone by then.
func colourSize(text []byte) int {
	if text[0] != esc {
		return 0
	}
	return bytes.IndexByte(text, 'm') + 1
}
