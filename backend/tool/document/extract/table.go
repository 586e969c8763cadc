package extract

import "strings"

// table collects a table, and writes it in Markdown (GitHub Flavored Markdown, 4.10).
type table struct {
	rows [][]string
}

// begin begins a row.
func (t *table) begin() { t.rows = append(t.rows, nil) }

// add adds a cell to the last row, and empty ones for the further columns that it spans.
func (t *table) add(cell string, span int) {
	if len(t.rows) == 0 {
		t.begin()
	}
	row := &t.rows[len(t.rows)-1]
	*row = append(*row, cell)
	for range span - 1 {
		if len(*row) >= maxColumns {
			return
		}
		*row = append(*row, "")
	}
}

// String is the table in Markdown, with its first row as the head. A table of one cell is only
// a frame around that.
func (t *table) String() string {
	rows := trimTable(t.rows)
	switch {
	case len(rows) == 0:
		return ""
	case len(rows) == 1 && len(rows[0]) == 1:
		return strings.TrimSpace(rows[0][0]) + "\n"
	}
	var text strings.Builder
	for i, row := range rows {
		writeRow(&text, row)
		if i == 0 {
			text.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return text.String()
}

// writeRow writes one row in Markdown.
func writeRow(text *strings.Builder, row []string) {
	for _, cell := range row {
		text.WriteString("| ")
		text.WriteString(inCell(cell))
		text.WriteString(" ")
	}
	text.WriteString("|\n")
}

// inCell is a text as a cell has it: on one line.
func inCell(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, "|\n\r\t") {
		return text
	}
	return cellEscapes.Replace(text)
}

var cellEscapes = strings.NewReplacer("|", `\|`, "\r\n", "<br>", "\n", "<br>", "\r", "<br>", "\t", " ")

// trimTable drops rows without any text, and makes all others equally long, without the columns
// at the end that have none.
func trimTable(rows [][]string) [][]string {
	width := 0
	kept := rows[:0:0]
	for _, row := range rows {
		n := usedCells(row)
		if n > 0 {
			kept, width = append(kept, row), max(width, n)
		}
	}
	for i, row := range kept {
		full := make([]string, width)
		copy(full, row)
		kept[i] = full
	}
	return kept
}

// usedCells is how many cells of a row there are up to the last that has text.
func usedCells(row []string) int {
	n := len(row)
	for n > 0 && strings.TrimSpace(row[n-1]) == "" {
		n--
	}
	return n
}

// lines is the table as it stands in a cell of another one: a line for each row.
func (t *table) lines() string {
	var lines []string
	for _, row := range trimTable(t.rows) {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		lines = append(lines, strings.Join(row, "; "))
	}
	return strings.Join(lines, "\n")
}
