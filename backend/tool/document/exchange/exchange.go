// Package exchange has what Fairlead and the program that reads documents say to each other: what
// is wanted of a document, what was found in it, and the frames in which both travel.
package exchange

import "fmt"

// Verb is the first argument that makes Fairlead the program that reads documents, where it has none
// of its own.
const Verb = "fairlead-documents"

// The kinds of reader, the argument after the verb. The one for PDF files takes longer to start,
// and a further argument is the folder that it keeps what makes its next start short.
const (
	ReadsPDF      = "pdf"
	ReadsPictures = "pictures"
	ReadsRest     = "rest"
)

// Format is what a document is written in.
type Format string

// The formats that are read.
const (
	PDF  Format = "pdf"
	DOCX Format = "docx"
	PPTX Format = "pptx"
	XLSX Format = "xlsx"
	ODT  Format = "odt"
	ODS  Format = "ods"
	ODP  Format = "odp"
	EPUB Format = "epub"
	RTF  Format = "rtf"
	HTML Format = "html"
	// Picture is a picture in any of the formats that are read.
	Picture Format = "picture"
)

// Unit is what the parts of a document are counted in.
type Unit string

// The units. A document without parts is one text, whose lines its reader counts.
const (
	Pages    Unit = "page"
	Slides   Unit = "slide"
	Chapters Unit = "chapter"
	Rows     Unit = "row"
	Whole    Unit = ""
)

// Request says what of a document is wanted.
type Request struct {
	Format Format `json:"format"`
	// Size is how many bytes the file has.
	Size int64 `json:"size"`
	// First is the number of the first unit, from 1; Limit is how many are wanted, 0 for as
	// many as fit.
	First int `json:"first"`
	Limit int `json:"limit,omitempty"`
	// Characters is how long the text of all parts together may be: the part that goes beyond
	// is left out, or cut if it is the first one. A document without parts is cut there.
	Characters int `json:"characters"`
	// Pictures is how many pictures are wanted: of a picture, or of pages that have no text.
	Pictures int `json:"pictures,omitempty"`
	// Layout wants the pages of a PDF file as they look, instead of their text.
	Layout bool `json:"layout,omitempty"`
	// Escape wants pages of HTML and books in Markdown for a renderer: signs of their text that mean
	// something in Markdown are written as character references.
	Escape bool `json:"escape,omitempty"`
	// Milliseconds is how long it may take. What was found by then is returned.
	Milliseconds int `json:"milliseconds"`
}

// Part is one page, slide or chapter, or the rows of a sheet.
type Part struct {
	// First and Last are the numbers of the units in it, the same but for rows.
	First int `json:"first"`
	Last  int `json:"last"`
	// Label says what it is, as in "page 3 of 12"; empty for the text of a document without
	// parts.
	Label string `json:"label,omitempty"`
	Text  string `json:"text"`
	// Sheet is what the sheet is called that has the rows.
	Sheet string `json:"sheet,omitempty"`
	// Hidden says that the document does not show the slide or the sheet.
	Hidden bool `json:"hidden,omitempty"`
	// Layout is how a page looks, where that was wanted and can be drawn.
	Layout *Layout `json:"layout,omitempty"`
}

// The bounds of what is told of pages.
const (
	// MaxSizes is of how many pages the sizes are told, and MaxWords how many words of a page have a
	// place.
	MaxSizes = 5000
	MaxWords = 20_000
)

// Layout is how a page looks, and where its words stand.
type Layout struct {
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"`
	// Lines are in the order of reading.
	Lines [][]Word `json:"lines,omitempty"`
}

// Word is a word of a page. Its place is given in ten thousandths of the page's width and height,
// from the upper left corner.
type Word struct {
	Text   string `json:"text"`
	Left   int    `json:"left"`
	Top    int    `json:"top"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Size is that of a page, in points.
type Size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Text is what was found.
type Text struct {
	Unit  Unit   `json:"unit,omitempty"`
	Parts []Part `json:"parts,omitempty"`
	// Total is how many units the document has, 0 where that is not known.
	Total int `json:"total,omitempty"`
	// Next is the first unit that was left out though it was not beyond the limit, because there
	// was no space or no time for more; 0 for none.
	Next int `json:"next,omitempty"`
	// Cut says that a text was shortened.
	Cut bool `json:"cut,omitempty"`
	// Scanned counts the parts that show something and have no text, as the pages of a scan.
	Scanned int `json:"scanned,omitempty"`
	// Pictures are those that were wanted, in the order of the parts.
	Pictures []Shown `json:"pictures,omitempty"`
	// Sizes are those of the first pages of a PDF file, beside the layout of the first.
	Sizes []Size `json:"sizes,omitempty"`
	// Notes say what else a reader has to know, without a full stop.
	Notes []string `json:"notes,omitempty"`
}

// Shown is a picture as a model is shown it.
type Shown struct {
	// Unit is the number of the page that it shows; 0 for a picture itself.
	Unit      int    `json:"unit,omitempty"`
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"`
}

// Reason is why a document cannot be read.
type Reason string

// The reasons.
const (
	Password    Reason = "password"
	Broken      Reason = "broken"
	Empty       Reason = "empty"
	TooLarge    Reason = "too large"
	TooSlow     Reason = "too slow"
	OtherFormat Reason = "other format"
	NoSuchUnit  Reason = "no such unit"
)

// Failure says why a document cannot be read.
type Failure struct {
	Reason Reason `json:"reason"`
	// Detail says more, for those that want to know it; Total is how many units there are
	// where the one that was asked for does not exist.
	Detail string `json:"detail,omitempty"`
	Total  int    `json:"total,omitempty"`
}

func (f *Failure) Error() string {
	if f.Detail == "" {
		return string(f.Reason)
	}
	return fmt.Sprintf("%s: %s", f.Reason, f.Detail)
}

// Hello is what the program says first.
type Hello struct {
	// Unsealed says why the process has not given up everything else; empty where it has.
	Unsealed string `json:"unsealed,omitempty"`
	// Failed says why it cannot read anything.
	Failed string `json:"failed,omitempty"`
	// Compiled says that it had to compile what reads PDF files. It has taken more memory for that than
	// it may have to read: the next process reads.
	Compiled bool `json:"compiled,omitempty"`
}

// Answer is what it says about a request: one of the three.
type Answer struct {
	Text    *Text    `json:"text,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
	// Error is a fault that is not the document's.
	Error string `json:"error,omitempty"`
	// Ends says that the program ends then, because it is not what it was.
	Ends bool `json:"ends,omitempty"`
}
