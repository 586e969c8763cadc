package extract

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/klippa-app/go-pdfium/requests"

	"fairlead/backend/picture"
	"fairlead/backend/tool/document/exchange"
)

// wholePage is the width and the height of a page in the unit in which places are told.
const wholePage = 10_000

// sizes are the sizes of the pages, up to the first that has none, and no more once ctx has ended.
func (d *pdfDocument) sizes(ctx context.Context) (sizes []exchange.Size) {
	for index := range min(d.total, exchange.MaxSizes) {
		if ctx.Err() != nil {
			break
		}
		size, err := d.pdf.FPDF_GetPageSizeByIndex(&requests.FPDF_GetPageSizeByIndex{Document: d.document, Index: index})
		if err != nil || size.Width <= 0 || size.Height <= 0 {
			break
		}
		sizes = append(sizes, exchange.Size{Width: size.Width, Height: size.Height})
	}
	return sizes
}

// layout is a page as it looks. One that cannot be drawn has none.
func (d *pdfDocument) layout(number int) exchange.Part {
	part := exchange.Part{First: number, Last: number, Label: fmt.Sprintf("page %d of %d", number, d.total)}
	loaded, err := d.pdf.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.document, Index: number - 1})
	if err != nil {
		return part
	}
	page := requests.Page{ByReference: &loaded.Page}
	defer func() { _, _ = d.pdf.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) }()
	if d.hasForm {
		filled, _, done := d.flatten(number, page)
		defer done()
		page = filled
	}
	shown, err := d.draw(page)
	if err != nil {
		return part
	}
	part.Layout = &exchange.Layout{MediaType: shown.MediaType, Data: shown.Data}
	at, ok := d.placing(page)
	if !ok {
		return part
	}
	// Words that cannot be found leave the picture.
	_ = d.withText(page, func(order *pageOrder, _ string) {
		if order != nil {
			part.Layout.Lines = order.words(at)
		}
	})
	return part
}

// draw draws a page.
func (d *pdfDocument) draw(page requests.Page) (picture.Shown, error) {
	drawn, err := d.pdf.RenderPageInPixels(&requests.RenderPageInPixels{
		Page: page, Width: picture.MaxEdge, Height: picture.MaxEdge, // at most, in the proportion of the page
	})
	if err != nil {
		return picture.Shown{}, err
	}
	defer drawn.Cleanup()
	return picture.Show(drawn.Result.RenderedImage, true)
}

// placing is how places in points become those that are told: an affine map, which turns a page that
// lies on its side too.
type placing struct{ x, y [3]float64 }

// placing finds the map of a page by three points.
func (d *pdfDocument) placing(page requests.Page) (placing, bool) {
	const (
		far  = 1000  // points
		fine = 1_000 // so much finer are the points that PDFium tells
	)
	var p placing
	for i, from := range [3][2]float64{{0, 0}, {far, 0}, {0, far}} {
		to, err := d.pdf.FPDF_PageToDevice(&requests.FPDF_PageToDevice{
			Page: page, SizeX: wholePage * fine, SizeY: wholePage * fine, PageX: from[0], PageY: from[1],
		})
		if err != nil {
			return p, false
		}
		p.x[i], p.y[i] = float64(to.DeviceX)/fine, float64(to.DeviceY)/fine
	}
	for _, one := range []*[3]float64{&p.x, &p.y} {
		one[1], one[2] = (one[1]-one[0])/far, (one[2]-one[0])/far
	}
	return p, true
}

// word is a word in a box.
func (p placing) word(text string, b box) exchange.Word {
	at := func(m [3]float64, x, y float64) float64 {
		return min(max(m[0]+m[1]*x+m[2]*y, -wholePage), 2*wholePage)
	}
	left, right := at(p.x, b.left, b.bottom), at(p.x, b.right, b.top)
	top, bottom := at(p.y, b.left, b.bottom), at(p.y, b.right, b.top)
	left, right, top, bottom = min(left, right), max(left, right), min(top, bottom), max(top, bottom)
	return exchange.Word{
		Text: text, Left: int(math.Round(left)), Top: int(math.Round(top)), Width: int(math.Round(right - left)), Height: int(math.Round(bottom - top)),
	}
}

// words are the words of the page by lines, each where it stands. A word takes the space behind
// it along, but for a wide one, which stands by itself.
func (o *pageOrder) words(at placing) (lines [][]exchange.Word) {
	o.order()
	count := 0
	for _, line := range o.lines {
		var words []exchange.Word
		for _, piece := range line.pieces {
			words = append(words, o.wordsOf(piece[0], piece[1], at)...)
		}
		if count += len(words); count > exchange.MaxWords {
			return lines
		}
		lines = append(lines, words)
	}
	return lines
}

// wordsOf are the words among some characters.
func (o *pageOrder) wordsOf(start, end int, at placing) (words []exchange.Word) {
	for from := start; from < end; {
		to := from
		for to < end && !isBlank(o.text[to]) {
			to++
		}
		next := to
		for next < end && isBlank(o.text[next]) {
			next++
		}
		first, ok := o.looseBox(from)
		last, alsoOK := o.looseBox(to - 1)
		if to > from && ok && alsoOK {
			text := lineEnds.Replace(string(o.text[from:to]))
			around := box{min(first.left, last.left), max(first.right, last.right), min(first.bottom, last.bottom), max(first.top, last.top)}
			follows, ok := o.looseBox(next)
			gap := box{around.right, follows.left, around.bottom, around.top}
			isWide := gap.right-gap.left > gap.top-gap.bottom
			if ok && next < end && !isWide {
				text += " "
				around.right = max(around.right, follows.left)
			}
			words = append(words, at.word(text, around))
			if ok && next < end && isWide {
				words = append(words, at.word(" ", gap))
			}
		}
		from = next
	}
	return words
}

// lineEnds are what PDFium writes for a hyphen at the end of a line.
var lineEnds = strings.NewReplacer("\ufffe", "-", "\u0002", "-", "\u0000", "")

// looseBox is where a character stands, from the top of its font to the bottom.
func (o *pageOrder) looseBox(index int) (box, bool) {
	if index < 0 || index >= len(o.text) {
		return box{}, false
	}
	found, err := o.document.pdf.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: o.page, Index: index})
	if err != nil {
		return box{}, false
	}
	r := found.Rect
	return box{float64(r.Left), float64(r.Right), float64(r.Bottom), float64(r.Top)}, true
}
