// Package extract turns documents into text: what people write with office programs,
// read as books, and print. It is meant for a process of its own (Serve), because the files
// can be hostile: everything it reads has bounds, and what goes beyond them ends in an exchange.Failure
// or is left out, and said to be.
package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fairlead/backend/picture"
	"fairlead/backend/tool/document/exchange"
)

func broken(format string, values ...any) error {
	return &exchange.Failure{Reason: exchange.Broken, Detail: fmt.Sprintf(format, values...)}
}

// Source is a document's file.
type Source struct {
	io.ReaderAt
	Size int64
}

// all reads a file that may have so many bytes at most.
func (s Source) all(most int64) ([]byte, error) {
	if s.Size > most {
		return nil, &exchange.Failure{Reason: exchange.TooLarge, Detail: fmt.Sprintf("%d bytes, at most %d are read", s.Size, most)}
	}
	content, err := io.ReadAll(io.NewSectionReader(s, 0, s.Size))
	if err != nil {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	return content, nil
}

// reader reads one format into pages.
type reader func(ctx context.Context, source Source, into *pages) error

// Extract returns the text of a document, as much as is wanted. PDF files are read by pdfs. An
// error that is no *exchange.Failure is one of reading the file, or that of ctx.
func Extract(ctx context.Context, pdfs *PDFs, source Source, request exchange.Request) (exchange.Text, error) {
	read, known := readers[request.Format]
	switch {
	case request.Format == exchange.PDF && pdfs != nil:
		read = pdfs.read
	case !known:
		return exchange.Text{}, &exchange.Failure{Reason: exchange.OtherFormat, Detail: string(request.Format)}
	}
	if source.Size == 0 {
		return exchange.Text{}, &exchange.Failure{Reason: exchange.Empty}
	}
	p := &pages{ctx: ctx, first: max(request.First, 1), limit: request.Limit, space: request.Characters, shows: request.Pictures > 0, pictures: request.Pictures, layout: request.Layout, escape: request.Escape}
	err := read(ctx, source, p)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return p.interrupted()
	case err != nil && !errors.Is(err, errEnough):
		return exchange.Text{}, err
	}
	return p.end()
}

// readers are the formats that are read in Go.
var readers = map[exchange.Format]reader{
	exchange.DOCX: readDOCX, exchange.PPTX: readPPTX, exchange.XLSX: readXLSX, exchange.ODT: readODT, exchange.ODS: readODS, exchange.ODP: readODP, exchange.EPUB: readEPUB, exchange.RTF: readRTF,
	exchange.HTML: readHTML, exchange.Picture: readPicture,
}

// errEnough ends the reading of a document of which nothing more is wanted.
var errEnough = errors.New("nothing more is wanted")

// pages takes the parts of a document that are wanted.
type pages struct {
	ctx context.Context
	// first and limit are as in Request; space is how many characters fit yet.
	first, limit, space int
	// shows says that pictures are wanted, and pictures how many yet.
	shows    bool
	pictures int
	// layout says that pages are wanted as they look.
	layout bool
	// escape says that text in Markdown is for a renderer.
	escape bool
	text   exchange.Text
	// last is the highest number of a unit that was offered.
	last int
}

// wants reports whether the unit with a number is wanted, so that it need not be read. It
// fails with errEnough when no later one is.
func (p *pages) wants(number int) (bool, error) {
	p.last = max(p.last, number)
	switch {
	case number < p.first:
		return false, p.ctx.Err()
	case p.limit > 0 && number >= p.first+p.limit, p.space <= 0:
		p.text.Next = number
		return false, errEnough
	}
	return true, p.ctx.Err()
}

// add takes the part with a number and a text, which is wanted.
func (p *pages) add(part exchange.Part) error {
	p.last = max(p.last, part.Last)
	part.Text = strings.ToValidUTF8(part.Text, "\uFFFD")
	count := utf8.RuneCountInString(part.Text)
	if count > p.space {
		if len(p.text.Parts) > 0 {
			p.text.Next = part.First
			return errEnough
		}
		part.Text = firstCharacters(part.Text, p.space)
		p.text.Cut = true
	}
	p.space -= count
	p.text.Parts = append(p.text.Parts, part)
	return p.ctx.Err()
}

// whole takes the text of a document without parts.
func (p *pages) whole(text string) error {
	p.first, p.limit = 1, 0
	return p.add(exchange.Part{First: 1, Last: 1, Text: text})
}

// show takes a picture, of the page with a number or of none.
func (p *pages) show(unit int, shown picture.Shown) {
	p.pictures--
	p.text.Pictures = append(p.text.Pictures, exchange.Shown{Unit: unit, MediaType: shown.MediaType, Data: shown.Data})
}

// note adds a note, once.
func (p *pages) note(format string, values ...any) {
	note := fmt.Sprintf(format, values...)
	for _, n := range p.text.Notes {
		if n == note {
			return
		}
	}
	p.text.Notes = append(p.text.Notes, note)
}

// end returns what was taken.
func (p *pages) end() (exchange.Text, error) {
	if len(p.text.Parts) == 0 && p.first > 1 {
		return exchange.Text{}, &exchange.Failure{Reason: exchange.NoSuchUnit, Detail: string(p.text.Unit), Total: max(p.text.Total, p.last)}
	}
	return p.text, nil
}

// interrupted returns what was taken when the time was over.
func (p *pages) interrupted() (exchange.Text, error) {
	if len(p.text.Parts) == 0 {
		return exchange.Text{}, &exchange.Failure{Reason: exchange.TooSlow}
	}
	p.text.Next = p.text.Parts[len(p.text.Parts)-1].Last + 1
	return p.text, nil
}

func firstCharacters(text string, count int) string {
	for at := range text {
		if count--; count < 0 {
			return text[:at]
		}
	}
	return text
}
