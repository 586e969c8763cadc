package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool/document"
	"fairlead/backend/tool/document/exchange"
	"fairlead/backend/workspace"
)

const (
	// previewTime is how long a document may take to be read, in milliseconds, and previewPatience how long
	// it may be until then: the reader can have others to read first, or not be ready. The window does not
	// wait much longer.
	previewTime     = 10_000
	previewPatience = 25 * time.Second
	// preparingPatience is how long it may be where the reader is not ready. The window asks again.
	preparingPatience = 2 * time.Second
	// previewCharacters is how much of a document is read at once, previewRows how many rows of a sheet, and
	// previewUnits how many slides or chapters.
	previewCharacters = 64 << 10
	previewRows       = 200
	previewUnits      = 50
	// flowCharacters is how much is shown of a document without parts.
	flowCharacters = 256 << 10
)

// FilePreview is a file for the user to look at.
type FilePreview struct {
	workspace.FilePreview
	// Document is what a document shows; nil for all other files.
	Document *DocumentPreview `json:"document,omitempty"`
}

// DocumentPreview is some of a document for the user to look at.
type DocumentPreview struct {
	Format exchange.Format `json:"format"`
	// Instead is what a copy is to be saved as, one of these, of a document that cannot be read because of
	// its format.
	Instead []string `json:"instead,omitempty"`
	// Preparing says that its reader is made ready, once: until then the file can be asked for again.
	Preparing bool `json:"preparing,omitempty"`
	// Failure is why it cannot be read.
	Failure *exchange.Failure `json:"failure,omitempty"`
	// Text is what was read: of a PDF file one page as it looks, of a picture the picture.
	Text *exchange.Text `json:"text,omitempty"`
}

// Preview returns the file that a path in a folder leads to, to look at it. Of a document it reads
// what comes at once, from the unit with a number on, which counts from 1. The error is one of
// workspace.Folder.Preview, or a fault of the reader.
func (b *Backend) Preview(ctx context.Context, folder *workspace.Folder, name string, first int) (FilePreview, error) {
	shown, err := folder.Preview(ctx, name)
	if err != nil {
		return FilePreview{}, err
	}
	preview := FilePreview{FilePreview: shown}
	file, err := folder.OpenFile(name)
	if err != nil {
		return FilePreview{}, err
	}
	defer func() { _ = file.Close() }()
	format := document.FormatAt(file.Path, file)
	instead := document.InsteadOf(file.Path)
	if format == "" && (instead == nil || !shown.Binary) {
		return preview, nil
	}
	preview.Document = &DocumentPreview{Format: format, Instead: instead}
	if format == "" {
		return preview, nil
	}
	patience := previewPatience
	isReady := b.documents.IsReady(format)
	if !isReady {
		patience = preparingPatience
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	text, err := b.documents.Read(waiting, file, previewRequest(format, file.Size, first), nil)
	switch isLate := errors.Is(err, context.DeadlineExceeded) && waiting.Err() != nil && ctx.Err() == nil; {
	case isLate && !isReady:
		preview.Document.Preparing = true
		return preview, nil
	case isLate:
		err = &exchange.Failure{Reason: exchange.TooSlow}
	}
	if failure, ok := errors.AsType[*exchange.Failure](err); ok {
		preview.Document.Failure = &exchange.Failure{Reason: failure.Reason} // the window has words of its own
		return preview, nil
	}
	if err != nil {
		return FilePreview{}, fmt.Errorf("read %s: %w", message.Inline(shown.Path), err)
	}
	bound(text)
	preview.Document.Text = text
	return preview, nil
}

const (
	// mostText is how many bytes of text the window is given of a document at once, mostParts how many
	// parts, mostNotes how many notes, and mostNote is how many bytes one of these has.
	mostText  = 4 * flowCharacters
	mostParts = 1000
	mostNotes = 10
	mostNote  = 200
)

// bound leaves out what a document could have its reader send that the window would not stand: the reader keeps
// to less, unless the document rules it.
func bound(text *exchange.Text) {
	size, words := 0, 0
	text.Parts = text.Parts[:min(len(text.Parts), mostParts)]
	for i := range text.Parts {
		part := &text.Parts[i]
		if size += len(part.Text) + len(part.Label) + len(part.Sheet); size > mostText {
			text.Parts = text.Parts[:i]
			break
		}
		if part.Layout == nil {
			continue
		}
		if !isShown(part.Layout.MediaType) {
			part.Layout = nil
			continue
		}
		part.Layout.Lines = slices.DeleteFunc(part.Layout.Lines, func(line []exchange.Word) bool { return len(line) == 0 })
		for _, line := range part.Layout.Lines {
			words += len(line)
			for _, word := range line {
				size += len(word.Text)
			}
		}
		if words > exchange.MaxWords || size > mostText {
			part.Layout.Lines = nil
		}
	}
	isNone := func(s exchange.Size) bool { return !(s.Width > 0 && s.Height > 0) }
	text.Sizes = text.Sizes[:min(len(text.Sizes), exchange.MaxSizes)]
	if at := slices.IndexFunc(text.Sizes, isNone); at >= 0 {
		text.Sizes = text.Sizes[:at] // the rest have the size of the last one
	}
	text.Pictures = slices.DeleteFunc(text.Pictures, func(p exchange.Shown) bool { return !isShown(p.MediaType) })
	text.Pictures = text.Pictures[:min(len(text.Pictures), 1)]
	text.Notes = slices.DeleteFunc(text.Notes[:min(len(text.Notes), mostNotes)], func(n string) bool { return len(n) > mostNote })
}

// isShown reports whether the window shows pictures of a type.
func isShown(mediaType string) bool { return mediaType == "image/png" || mediaType == "image/jpeg" }

// previewRequest is what is read of a document to look at it.
func previewRequest(format exchange.Format, size int64, first int) exchange.Request {
	request := exchange.Request{Format: format, Size: size, First: first, Characters: previewCharacters, Milliseconds: previewTime}
	switch format {
	case exchange.PDF:
		request.Limit, request.Layout = 1, true
	case exchange.Picture:
		request.Pictures = 1
	case exchange.XLSX, exchange.ODS:
		request.Limit = previewRows
	case exchange.PPTX, exchange.ODP, exchange.EPUB:
		request.Limit = previewUnits
	case exchange.DOCX, exchange.ODT, exchange.RTF, exchange.HTML:
		request.Characters = flowCharacters
	}
	request.Escape = format == exchange.HTML || format == exchange.EPUB
	return request
}
