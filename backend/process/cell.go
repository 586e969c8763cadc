package process

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const (
	// tabStop is how many columns lie between two stops.
	tabStop = 8
	// maxMarks is how many characters without a width go with the one before them.
	maxMarks = 16
)

// cell is one column of a row.
type cell struct {
	// text is a character with its marks; empty in the further columns of a wide one.
	text string
	// marks counts the characters without a width in text.
	marks int
	// style are the colours of the character.
	style string
}

// blank is a column in which nothing was written.
var blank = cell{text: " "}

// extent is how wide a text is that was written once.
type extent struct{ columns, marks int }

// add adds a character, unless it does not fit in the row.
func (e *extent) add(r rune) bool {
	columns := columnsOf(r, e.columns, e.marks)
	if e.columns+columns > maxColumns {
		return false
	}
	e.columns += columns
	if e.marks++; columns > 0 {
		e.marks = 0
	}
	return true
}

// columnsOf is how many columns a character takes in a column of a row, after one with so
// many marks.
func columnsOf(r rune, column, marks int) int {
	switch {
	case r == '\t':
		return tabStop - column%tabStop
	case r < utf8.RuneSelf:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) && column > 0 && marks < maxMarks:
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// putRune writes a character over what stands in its columns. It returns false where it
// does not fit: then it has passed the row on and begun another one.
func (w *row) putRune(r rune) bool {
	if r == '\t' && w.column < len(w.cells) { // it moves over what is there
		w.column = min(w.column+columnsOf(r, w.column, 0), maxColumns-1)
		return true
	}
	base := w.column - 1
	marks := maxMarks // none can join what is not there
	if base >= 0 && base < len(w.cells) {
		base = w.baseColumn(base)
		marks = w.cells[base].marks
	}
	columns := columnsOf(r, w.column, marks)
	w.dirty = true
	w.edits++
	switch {
	case columns == 0:
		w.cells[base].text += string(r)
		w.cells[base].marks++
		return true
	case w.column+columns > maxColumns:
		w.padCells()
		w.redrawRow()
		w.kept(w.cellText())
		w.beginRow(true)
		return false
	}
	w.padCells()
	w.clearColumns(w.column, w.column+columns)
	if w.style != string(w.pen) {
		w.style = string(w.pen)
	}
	for i := range columns {
		c := cell{style: w.style}
		if i == 0 {
			c.text = string(r)
		}
		if at := w.column + i; at < len(w.cells) {
			w.cells[at] = c
		} else {
			w.cells = append(w.cells, c)
		}
	}
	w.column += columns
	return true
}

// padCells fills the row up to where the next character goes.
func (w *row) padCells() {
	for len(w.cells) < w.column {
		w.cells = append(w.cells, blank)
	}
}

// baseColumn is the first column of the character in a column.
func (w *row) baseColumn(at int) int {
	for at > 0 && w.cells[at].text == "" {
		at--
	}
	return at
}

// clearColumns makes columns blank, and with them the rest of characters that stand in them in
// part.
func (w *row) clearColumns(from, to int) {
	to = min(to, len(w.cells))
	if from >= to {
		return
	}
	from = w.baseColumn(from)
	for to < len(w.cells) && w.cells[to].text == "" {
		to++
	}
	for i := from; i < to; i++ {
		w.cells[i] = blank
	}
}

// eraseCells erases from the cursor on (0), up to it (1), or all of the row (2).
func (w *row) eraseCells(what int) {
	w.dirty = true
	w.edits++
	switch what {
	case 0:
		w.clearColumns(w.column, len(w.cells))
		w.cells = w.cells[:min(w.column, len(w.cells))]
	case 1:
		w.clearColumns(0, w.column+1)
	case 2:
		w.cells = w.cells[:0]
	}
}

// cellText is the text of the cells. It is not to be kept.
func (w *row) cellText() []byte {
	w.plain = w.plain[:0]
	for _, c := range w.cells {
		w.plain = append(w.plain, c.text...)
	}
	return w.plain
}

// drawCells shows the cells, without the blank ones at the end, with their colours, and those
// of the pen after them.
func (w *row) drawCells() {
	cells := w.cells
	for len(cells) > 0 && cells[len(cells)-1] == blank {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		cells = []cell{blank} // a return alone changes nothing
	}
	style := "?" // none has it
	change := func(next string) {
		if w.colours && next != style {
			w.fresh = append(append(w.fresh, "\x1b[0m"...), next...)
		}
		style = next
	}
	for _, c := range cells {
		change(c.style)
		w.fresh = append(w.fresh, c.text...)
	}
	change(string(w.pen))
}
