package extract

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A PDF file has no tables, only texts that stand below each other. Lines that follow each other and have
// gaps in the same places are told as one: its words stay in their order, a row for each line.

const (
	// apart is how wide a gap between two cells is at least, to the height of the letters.
	apart = 1.0
	// leastRows is how many lines with gaps make a table, and longestCells how many characters its cells
	// have on average at most: longer ones are columns of a text.
	leastRows    = 3
	longestCells = 30
	// mostBetween is how many lines without a gap may follow each other in a table, as where the text of a
	// cell goes on.
	mostBetween = 2
)

// pdfCell is a part of a line that stands apart from the rest.
type pdfCell struct {
	left, right float64
	text        string
}

// cells are the parts of a line.
func (o *pageOrder) cells(line pdfLine) (cells []pdfCell) {
	for _, piece := range line.pieces {
		for from := piece[0]; from < piece[1]; {
			to := from
			for to < piece[1] && !isBlank(o.text[to]) {
				to++
			}
			if to > from {
				cells = o.addWord(cells, from, to)
			}
			from = to + 1
		}
	}
	if len(cells) == 2 && listLabel().MatchString(cells[0].text) { // an item of a list
		cells = []pdfCell{{cells[0].left, cells[1].right, cells[0].text + " " + cells[1].text}}
	}
	return cells
}

// listLabel is what stands before the items of lists: 1., 1.1, (a), b), •.
var listLabel = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\(?[\pL\d]{1,4}[.)]|\d+(\.\d+)+\.?|[•▪◦‣–—·*-])$`)
})

// addWord adds a word, to the last part or as one of its own.
func (o *pageOrder) addWord(cells []pdfCell, from, to int) []pdfCell {
	first, ok := o.looseBox(from)
	last, alsoOK := o.looseBox(to - 1)
	word := string(o.text[from:to])
	if n := len(cells); n > 0 && (!ok || !alsoOK || first.left-cells[n-1].right < apart*(first.top-first.bottom)) {
		cells[n-1].text += " " + word
		if alsoOK {
			cells[n-1].right = max(cells[n-1].right, last.right)
		}
		return cells
	}
	return append(cells, pdfCell{first.left, last.right, word})
}

// columnsOf are the places of the columns that some lines have in common, from left to right; nil where two
// cells of a line would stand in one.
func columnsOf(rows [][]pdfCell) (columns []pdfCell) {
	for _, row := range rows {
		for _, cell := range row {
			if len(row) > 1 {
				columns = append(columns, pdfCell{left: cell.left, right: cell.right})
			}
		}
	}
	slices.SortFunc(columns, func(a, b pdfCell) int {
		if a.left < b.left {
			return -1
		}
		return 1
	})
	merged := columns[:0]
	for _, column := range columns {
		if n := len(merged); n > 0 && column.left <= merged[n-1].right {
			merged[n-1].right = max(merged[n-1].right, column.right)
			continue
		}
		merged = append(merged, column)
	}
	for _, row := range rows {
		last := -1
		for _, cell := range row {
			at := columnAt(merged, cell)
			if at <= last {
				return nil
			}
			last = at
		}
	}
	return merged
}

// columnAt is the column that a cell stands in; -1 for none, or for several.
func columnAt(columns []pdfCell, cell pdfCell) int {
	found := -1
	for i, column := range columns {
		if cell.left < column.right && column.left < cell.right {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// tableAt is the table that begins with a line: its columns, and how many lines it has; 0 for none.
func tableAt(lines [][]pdfCell) (columns []pdfCell, count int) {
	between := 0
	for i, line := range lines {
		if len(line) > 1 {
			between = 0
		} else if between++; i == 0 || between > mostBetween {
			break
		}
		found := columnsOf(lines[:i+1])
		if found == nil {
			break
		}
		if between == 0 {
			columns, count = found, i+1
		}
	}
	rows, cells, characters := 0, 0, 0
	for _, line := range lines[:count] {
		if len(line) > 1 {
			rows++
		}
		for _, cell := range line {
			cells++
			characters += utf8.RuneCountInString(cell.text)
		}
	}
	columns = withHeads(columns, lines[:count])
	if rows < leastRows || len(columns) < 2 || characters > cells*longestCells {
		return nil, 0
	}
	return columns, count
}

// withHeads joins columns that have nothing but their head with that beside them which has none: heads stand
// to the left above numbers that stand to the right.
func withHeads(columns []pdfCell, lines [][]pdfCell) []pdfCell {
	filled := make([]int, len(columns))
	headed := make([]bool, len(columns))
	for i, line := range lines {
		for _, cell := range line {
			at := columnAt(columns, cell)
			filled[at]++
			headed[at] = headed[at] || i == 0
		}
	}
	isHead := func(at int) bool { return headed[at] && filled[at] == 1 }
	var joined []pdfCell
	for i := 0; i < len(columns); i++ {
		column := columns[i]
		if i+1 < len(columns) && (isHead(i) && !headed[i+1] || !headed[i] && isHead(i+1)) {
			column.right = columns[i+1].right
			i++
		}
		joined = append(joined, column)
	}
	return joined
}

// writeTable writes lines as the rows of a table.
func writeTable(text *strings.Builder, lines [][]pdfCell, columns []pdfCell) {
	for i, line := range lines {
		row := make([]string, len(columns))
		for _, cell := range line {
			row[columnAt(columns, cell)] = cell.text
		}
		writeRow(text, row)
		if i == 0 {
			text.WriteString(strings.Repeat("|---", len(columns)) + "|\n")
		}
	}
}
