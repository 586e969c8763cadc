// Package document reads documents for the tools: it starts the program that does so, apart from
// Fairlead and shut off from everything else, hands it the file piece by piece, and keeps it
// to its bounds of time.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"fairlead/backend/tool/document/exchange"
)

// formats are the formats by the endings of names.
var formats = map[string]exchange.Format{
	".pdf":  exchange.PDF,
	".docx": exchange.DOCX, ".docm": exchange.DOCX, ".dotx": exchange.DOCX, ".dotm": exchange.DOCX,
	".pptx": exchange.PPTX, ".pptm": exchange.PPTX, ".ppsx": exchange.PPTX, ".potx": exchange.PPTX,
	".xlsx": exchange.XLSX, ".xlsm": exchange.XLSX, ".xltx": exchange.XLSX,
	".odt": exchange.ODT, ".ott": exchange.ODT, ".ods": exchange.ODS, ".ots": exchange.ODS, ".odp": exchange.ODP, ".otp": exchange.ODP,
	".epub": exchange.EPUB, ".rtf": exchange.RTF, ".html": exchange.HTML, ".htm": exchange.HTML, ".xhtml": exchange.HTML,
	".png": exchange.Picture, ".jpg": exchange.Picture, ".jpeg": exchange.Picture, ".gif": exchange.Picture, ".webp": exchange.Picture,
}

// unread are the endings of formats that are not read, by what a copy is to be saved as.
var unread = map[string][]string{
	".doc": {"DOCX", "PDF"}, ".xls": {"XLSX"}, ".ppt": {"PPTX", "PDF"}, ".pages": {"DOCX", "PDF"}, ".numbers": {"XLSX"}, ".key": {"PPTX", "PDF"},
	".heic": asPicture, ".heif": asPicture, ".avif": asPicture, ".tif": asPicture, ".tiff": asPicture, ".bmp": asPicture, ".psd": asPicture,
}

var asPicture = []string{"JPEG", "PNG"}

// FormatOf returns the format of a file by its name and how it begins; "" for what is no document.
func FormatOf(name string, head []byte) exchange.Format {
	format := formats[strings.ToLower(path.Ext(name))]
	switch {
	case format != "":
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return exchange.PDF
	case isPicture(head):
		return exchange.Picture
	}
	return format
}

// FormatAt is FormatOf for a file with a name.
func FormatAt(name string, file io.ReaderAt) exchange.Format {
	head := make([]byte, headBytes)
	n, _ := file.ReadAt(head, 0) // what cannot be read has the format that its name says
	return FormatOf(name, head[:n])
}

// headBytes is how much of a file says what it is.
const headBytes = 16

// isPicture reports whether a file begins as a picture does. (Package picture knows that as well, but brings
// all decoders along.)
func isPicture(head []byte) bool {
	for _, begin := range []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a"} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte("RIFF")) && bytes.Contains(head, []byte("WEBP"))
}

// IsSource reports whether a file of a format is a text, which people also write themselves.
func IsSource(format exchange.Format) bool { return format == exchange.HTML || format == exchange.RTF }

// InsteadOf returns what a copy of a document is to be saved as, one of these formats, where its own
// is not read; none for what is no such document.
func InsteadOf(name string) []string { return unread[strings.ToLower(path.Ext(name))] }

const (
	// compileTime is how long a reader may take to start, compiling at low priority included.
	compileTime = 10 * time.Minute
	// grace is how long after its time a reader may take to answer before it is ended.
	grace = 2 * time.Second
	// idleTime is after how long without a document a reader is ended, and lifeTime after how much time
	// of reading.
	idleTime = 2 * time.Minute
	lifeTime = time.Minute
)

// Reader reads documents, one PDF file, one picture and one other at a time. It is safe for concurrent use.
type Reader struct {
	// folder has the texts that are kept, and cache, in it, what makes the reader of PDF files start
	// fast.
	folder, cache string
	// redact takes keys out of what is kept.
	redact func([]byte) []byte

	pdf, pictures, rest slot
}

// NewReader returns a reader that keeps texts, without what redact takes out of them, and what it
// compiles in a folder, which need not exist. The caller closes it.
func NewReader(folder string, redact func([]byte) []byte) *Reader {
	r := &Reader{folder: folder, cache: filepath.Join(folder, "compiled"), redact: redact}
	for _, s := range r.slots() {
		s.turn = make(chan struct{}, 1)
	}
	return r
}

func (r *Reader) slots() []*slot { return []*slot{&r.pdf, &r.pictures, &r.rest} }

// Close ends what runs, once it has read what it reads, and what is being started.
func (r *Reader) Close() error {
	for _, s := range r.slots() {
		s.cancelStart()
		s.turn <- struct{}{}
		s.end()
		<-s.turn
	}
	return nil
}

// errReader says that the program failed, whatever the document is.
var errReader = errors.New("the program that reads documents")

// Read returns what is wanted of a document. A document that cannot be read gives an
// *exchange.Failure. tell is told when the first PDF file has to wait: its reader is made ready even if
// the context ends meanwhile, for the next one.
func (r *Reader) Read(ctx context.Context, file io.ReaderAt, request exchange.Request, tell func(string)) (*exchange.Text, error) {
	s := &r.rest
	arguments := []string{exchange.ReadsRest}
	switch request.Format {
	case exchange.PDF:
		s, arguments = &r.pdf, []string{exchange.ReadsPDF, r.cache}
	case exchange.Picture:
		s, arguments = &r.pictures, []string{exchange.ReadsPictures}
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-s.turn }()
	for {
		if request.Format == exchange.PDF && !r.IsReady(exchange.PDF) && tell != nil {
			tell("The reader of PDF files is made ready, once.\n")
		}
		isUsed, err := s.ready(ctx, arguments)
		if err != nil {
			return nil, err
		}
		began := time.Now()
		text, err := s.ask(ctx, file, request)
		isLost, took := s.child.lost.Load(), time.Since(began)
		s.rest(took, err)
		request.Milliseconds -= int(took.Milliseconds())
		if isUsed && isLost && request.Milliseconds > 0 && ctx.Err() == nil {
			continue // what earlier documents left in its memory is not this one's fault
		}
		return text, err
	}
}

// IsReady reports whether a document of a format can be read at once.
func (r *Reader) IsReady(format exchange.Format) bool {
	if format != exchange.PDF {
		return true
	}
	r.pdf.mu.Lock()
	defer r.pdf.mu.Unlock()
	return r.pdf.child != nil || isCompiled(r.cache)
}

// Prepare makes the reader of PDF files ready for the first of them, at low priority, where it is
// not yet, nor waited for.
func (r *Reader) Prepare(ctx context.Context) error {
	if isCompiled(r.cache) || r.pdf.isStarting() {
		return nil
	}
	compiling, err := startChild(exchange.ReadsPDF, r.cache)
	if errors.Is(err, errNoProgram) {
		return nil
	}
	if err != nil {
		return err
	}
	defer compiling.kill()
	compiling.lower()
	ctx, cancel := context.WithTimeout(ctx, compileTime)
	defer cancel()
	_, err = compiling.await(ctx)
	return err
}

// read has the process read a document, whose pieces it asks for.
func (c *child) read(file io.ReaderAt, request exchange.Request) (*exchange.Text, error) {
	if err := c.conn.Write(exchange.RequestFrame, request); err != nil {
		return nil, c.fault(err)
	}
	buffer := make([]byte, exchange.MaxPiece)
	for {
		kind, content, err := c.conn.Read()
		if err != nil {
			return nil, c.fault(err)
		}
		switch kind {
		case exchange.WantFrame:
			offset, size, err := exchange.ParseWant(content)
			if err != nil {
				return nil, err
			}
			n, err := file.ReadAt(buffer[:size], offset)
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("read the file: %w", err)
			}
			if err := c.conn.WriteBytes(buffer[:n]); err != nil {
				return nil, c.fault(err)
			}
		case exchange.AnswerFrame:
			text, ends, err := parseAnswer(content)
			if ends {
				c.kill()
			}
			return text, err
		default:
			return nil, fmt.Errorf("%w sent %q", errReader, kind)
		}
	}
}

// parseAnswer reads an answer, and reports whether its program ends.
func parseAnswer(content []byte) (text *exchange.Text, ends bool, err error) {
	var answer exchange.Answer
	err = exchange.Parse(content, &answer)
	switch {
	case err != nil:
	case answer.Failure != nil:
		err = answer.Failure
	case answer.Error != "":
		err = fmt.Errorf("%w failed: %s", errReader, answer.Error)
	case answer.Text == nil:
		err = fmt.Errorf("%w answered nothing", errReader)
	}
	return answer.Text, answer.Ends, err
}
