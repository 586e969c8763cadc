package extract

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fairlead/backend/tool/document/exchange"
)

const (
	// maxColumns and maxRows are how large a sheet can be in any program.
	maxColumns = 16_384
	maxRows    = 1 << 20
	// maxCell is how many characters of a cell are shown.
	maxCell = 2000
)

// sheets takes the rows of a workbook, counted through all its sheets.
type sheets struct {
	into *pages
	// name is that of the sheet, label says which of them it is too, and before is how many rows those
	// before it have.
	name, label string
	hidden      bool
	before      int
	// last is the last row of the sheet so far; rows are those taken, of which first is the number of
	// the first and latest that of the last.
	last, first, latest int
	rows                []string
	// width is how many columns they have, and size how many characters.
	width, size int
}

// begin begins a sheet.
func (s *sheets) begin(name string, number, total int, hidden bool) {
	s.name, s.hidden, s.label = name, hidden, fmt.Sprintf("sheet %d of %d %q", number, total, name)
	if hidden {
		s.label += ", hidden"
	}
	s.last, s.rows, s.width, s.size = 0, nil, 0, 0
}

// row takes a row, by its number in the sheet. It fails with errEnough when no more are wanted.
func (s *sheets) row(number int, cells []string) error {
	s.last = number
	wanted, err := s.into.wants(s.before + number)
	if err == nil && wanted {
		err = s.take(number, cells)
	}
	if err != nil {
		return s.flush(err)
	}
	return nil
}

// take takes a row that is wanted, if there is space for it.
func (s *sheets) take(number int, cells []string) error {
	cells = cells[:usedCells(cells)]
	if len(cells) == 0 {
		return nil
	}
	for i, cell := range cells {
		if utf8.RuneCountInString(cell) > maxCell {
			cells[i] = firstCharacters(cell, maxCell) + "…"
			s.into.note("cells over %d characters are cut", maxCell)
		}
	}
	var line strings.Builder
	fmt.Fprintf(&line, "| %d ", number)
	writeRow(&line, cells)
	width := max(s.width, len(cells))
	size := s.size + utf8.RuneCountInString(line.String())
	if len(s.rows) > 0 && size+headSize*width > s.into.space {
		s.into.text.Next = s.before + number
		return errEnough
	}
	if len(s.rows) == 0 {
		s.first = number
	}
	s.rows, s.latest, s.width, s.size = append(s.rows, line.String()), number, width, size
	return nil
}

// headSize is how many characters the head of a table has for a column, with its letters.
const headSize = 10

// end ends a sheet.
func (s *sheets) end() error {
	err := s.flush(nil)
	s.before += s.last
	return err
}

// flush makes a part of the rows that were taken. It returns the error that ended the sheet.
func (s *sheets) flush(ended error) error {
	if len(s.rows) == 0 {
		if s.last == 0 && ended == nil && s.into.first == 1 {
			return s.into.add(exchange.Part{First: s.before + 1, Last: s.before, Sheet: s.name, Hidden: s.hidden, Label: s.label + ", empty"})
		}
		return ended
	}
	var text strings.Builder
	head := []string{""}
	for i := range s.width {
		head = append(head, columnName(i))
	}
	writeRow(&text, head)
	text.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range s.rows {
		text.WriteString(row)
	}
	label := fmt.Sprintf("%s, rows %d to %d", s.label, s.first, s.latest)
	if s.before > 0 {
		label += fmt.Sprintf(" (offset %d to %d)", s.before+s.first, s.before+s.latest)
	}
	s.rows = nil
	if err := s.into.add(exchange.Part{First: s.before + s.first, Last: s.before + s.latest, Sheet: s.name, Hidden: s.hidden, Label: label, Text: text.String()}); err != nil {
		return err
	}
	return ended
}

// columnName is what a column is called, by its number from 0: A, B, … Z, AA, …
func columnName(n int) string {
	name := ""
	for n++; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// columnNumber is the number from 0 of the column of a cell such as BC12, -1 where that is none.
func columnNumber(cell string) int {
	n := 0
	for i := range len(cell) {
		c := cell[i]
		if c < 'A' || c > 'Z' {
			break
		}
		if n = n*26 + int(c-'A') + 1; n > maxColumns {
			return maxColumns
		}
	}
	return n - 1
}
