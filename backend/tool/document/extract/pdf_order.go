package extract

import (
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// A PDF file has its text in the order in which it was drawn. That is the order of reading, but for
// what was drawn later into a gap of a row, as spreadsheets draw cells of several lines, and what is
// filled in to a form. pageOrder puts such lines where they stand.

// box is where something stands on a page, in points from the lower left corner.
type box struct{ left, right, bottom, top float64 }

// near is how far from each other edges are that touch, in points.
const near = 1.5

// isBeside reports whether two boxes stand in one row.
func (b box) isBeside(other box) bool {
	common := min(b.top, other.top) - max(b.bottom, other.bottom)
	return common > min(b.top-b.bottom, other.top-other.bottom)/2
}

// pdfLine is a line of text: pieces of the page's text, by their first and their last character.
type pdfLine struct {
	box
	pieces [][2]int
}

// pageOrder puts the lines of a page into the order of reading.
type pageOrder struct {
	document *pdfDocument
	page     references.FPDF_TEXTPAGE
	text     []rune
	// isForm says that the page is one of a form, where what is filled in stands beside its label.
	isForm bool
	lines  []pdfLine
}

// boxAt is where a character stands.
func (o *pageOrder) boxAt(index int) (box, bool) {
	at, err := o.document.pdf.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: o.page, Index: index})
	if err != nil {
		return box{}, false
	}
	return box{at.Left, at.Right, at.Bottom, at.Top}, true
}

// order finds the lines of the page.
func (o *pageOrder) order() {
	var run []pdfLine
	for start := 0; start < len(o.text); {
		end := start
		for end < len(o.text) && o.text[end] != '\n' && o.text[end] != '\r' && !o.jumps(start, end) {
			end++
		}
		if line, ok := o.measure(start, end); ok {
			if len(run) > 0 && (o.isForm || line.bottom > run[len(run)-1].top-near) {
				o.place(run)
				run = nil
			}
			run = append(run, line)
		}
		start = end + 1
	}
	o.place(run)
}

// join returns the text of the page.
func (o *pageOrder) join() string {
	o.order()
	lines := make([][]pdfCell, len(o.lines))
	for i, line := range o.lines {
		lines[i] = o.cells(line)
	}
	var text strings.Builder
	for i := 0; i < len(o.lines); i++ {
		if columns, count := tableAt(lines[i:]); count > 0 {
			writeTable(&text, lines[i:i+count], columns)
			i += count - 1
			continue
		}
		line := o.lines[i]
		for i, piece := range line.pieces {
			if i > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(strings.TrimSpace(string(o.text[piece[0]:piece[1]])))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// jumps reports whether the line that began at a character of a form goes on in another row after a space:
// PDFium takes what is filled in for one line.
func (o *pageOrder) jumps(start, at int) bool {
	if !o.isForm || !isBlank(o.text[at]) || at == start || at+1 == len(o.text) || isBlank(o.text[at-1]) || isBlank(o.text[at+1]) {
		return false
	}
	before, known := o.boxAt(at - 1)
	after, alsoKnown := o.boxAt(at + 1)
	return known && alsoKnown && (before.bottom > after.top || before.top < after.bottom)
}

// measure finds out where the line of some characters stands. One without any that is seen is none.
func (o *pageOrder) measure(start, end int) (pdfLine, bool) {
	for start < end && isBlank(o.text[start]) {
		start++
	}
	for end > start && isBlank(o.text[end-1]) {
		end--
	}
	first, ok := o.boxAt(start)
	if start == end || !ok {
		return pdfLine{}, false
	}
	last, ok := o.boxAt(end - 1)
	if !ok {
		return pdfLine{}, false
	}
	whole := box{min(first.left, last.left), max(first.right, last.right), min(first.bottom, last.bottom), max(first.top, last.top)}
	return pdfLine{whole, [][2]int{{start, end}}}, true
}

func isBlank(r rune) bool { return r == ' ' || r == '\u00a0' || r == '\t' }

// place adds lines that go down the page: after those so far, or where they stand among these.
func (o *pageOrder) place(run []pdfLine) {
	if len(run) == 0 {
		return
	}
	merged, ok := o.insert(run)
	if !ok {
		merged = append(o.lines, run...)
	}
	o.lines = merged
}

// insert puts lines among those so far, if one of them stands in a gap of a row, or the page is a form.
func (o *pageOrder) insert(run []pdfLine) (lines []pdfLine, ok bool) {
	lines = slices.Clone(o.lines)
	inGap := o.isForm
	for _, line := range run {
		row := slices.IndexFunc(lines, func(l pdfLine) bool { return l.isBeside(line.box) })
		if row < 0 {
			below := slices.IndexFunc(lines, func(l pdfLine) bool { return l.top < line.top })
			if below <= 0 && !o.isForm {
				return nil, false // it stands above or below all
			}
			if below < 0 {
				below = len(lines)
			}
			lines = slices.Insert(lines, below, line)
			continue
		}
		pieces, gap := o.intoRow(lines[row], line)
		if pieces == nil {
			return nil, false
		}
		inGap = inGap || gap
		lines[row].pieces = pieces
		lines[row].left, lines[row].right = min(lines[row].left, line.left), max(lines[row].right, line.right)
	}
	return lines, inGap
}

// intoRow returns the pieces of a row with a line among them, and reports whether that stands in a gap; nil
// where it does not fit. In a form it may stand at an end too.
func (o *pageOrder) intoRow(row, line pdfLine) (pieces [][2]int, gap bool) {
	piece := line.pieces[0]
	switch {
	case line.left > row.right-near:
		if o.isForm {
			return append(slices.Clone(row.pieces), piece), false
		}
		return nil, false
	case line.right < row.left+near:
		if o.isForm {
			return slices.Insert(slices.Clone(row.pieces), 0, piece), false
		}
		return nil, false
	}
	for i, part := range row.pieces {
		if i > 0 && o.fits(row.pieces[i-1][1]-1, part[0], line.box) {
			return slices.Insert(slices.Clone(row.pieces), i, piece), true
		}
		for at := part[0] + 1; at < part[1]-1; at++ {
			if isBlank(o.text[at]) && o.fits(at-1, at+1, line.box) {
				split := slices.Clone(row.pieces)
				split[i] = [2]int{part[0], at}
				return slices.Insert(split, i+1, piece, [2]int{at + 1, part[1]}), true
			}
		}
	}
	return nil, false
}

// fits reports whether a box stands between two characters.
func (o *pageOrder) fits(before, after int, b box) bool {
	left, ok := o.boxAt(before)
	if !ok || left.right > b.left+near {
		return false
	}
	right, ok := o.boxAt(after)
	return ok && right.left > b.right-near
}
