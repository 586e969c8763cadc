package file

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/document"
	"fairlead/backend/tool/document/exchange"
	"fairlead/backend/workspace"
)

const (
	// documentTime is how long a document may take to be read.
	documentTime = 10 * time.Second
	// firstTime is how long the first PDF file may wait until its reader is made ready.
	firstTime = time.Minute
	// marksSize is how many characters of a page are left for the marks of its parts.
	marksSize = 2000
	// maxFlow is how many characters are read of a document without parts, which is shown in pages of
	// lines as a text is.
	maxFlow = 4 << 20
	// maxPages is how many pages of a scan one call shows.
	maxPages = 5
	// headBytes is how much of a file says that it is no text.
	headBytes = 16
)

// formatOf is the format of a file that is to be read as a document; "" for any other file.
func (t *readFile) formatOf(file *workspace.File, a readArguments) exchange.Format {
	if t.documents == nil || strings.HasPrefix(a.Path, workspace.OutputPrefix) {
		return ""
	}
	format := document.FormatAt(file.Path, file)
	if a.Source && document.IsSource(format) {
		return ""
	}
	return format
}

// refuseOld refuses a document of a format that is not read.
func refuseOld(file *workspace.File, name string) error {
	instead := document.InsteadOf(file.Path)
	if instead == nil {
		return nil
	}
	head := make([]byte, headBytes)
	n, _ := file.ReadAt(head, 0)
	if !slices.Contains(head[:n], 0) {
		return nil // a text with such a name
	}
	return &message.ToolError{
		Code: message.UnsupportedFile, Message: fmt.Sprintf("%s is in a format that cannot be read: ask the user for a copy as %s", name, strings.Join(instead, " or ")),
	}
}

// waitFor is how long a call may wait beyond its time because the reader of PDF files is not ready.
func (s *session) waitFor(path string) time.Duration {
	if s.documents == nil || s.documents.IsReady(document.FormatOf(path, nil)) {
		return 0
	}
	return firstTime
}

// readDocument reads a document as text.
func (t *readFile) readDocument(
	ctx context.Context, file *workspace.File, format exchange.Format, a readArguments, progress func(string),
) (message.Result, error) {
	name := workspace.Shown(file.Path)
	request := exchange.Request{
		Format: format, Size: file.Size, First: max(a.Offset, 1), Limit: a.Limit, Characters: maxCharacters - marksSize,
		Milliseconds: int(documentTime.Milliseconds()),
	}
	if isFlow(format) {
		request.First, request.Limit, request.Characters = 1, 0, maxFlow
	} else if a.Offset < 0 {
		total, err := t.countUnits(ctx, file, request, progress)
		if err != nil {
			return message.Result{}, documentError(name, format, err)
		}
		request.First = max(1, total+a.Offset+1)
	}
	text, err := t.readText(ctx, file, request, progress)
	if err != nil {
		return message.Result{}, documentError(name, format, err)
	}
	if len(text.Parts) > 0 && text.Scanned == len(text.Parts) && len(text.Pictures) == 0 {
		return message.Result{}, &message.ToolError{
			Code:    message.UnsupportedFile,
			Message: fmt.Sprintf("%s has no text: its pages are pictures, as those of a scan are, and this model does not see pictures", name),
		}
	}
	var result message.Result
	switch {
	case format == exchange.Picture:
		result = showPicture(text)
	case text.Unit == exchange.Whole:
		result, err = t.showFlow(ctx, name, format, text, a)
	default:
		result, err = showParts(ctx, text, request)
	}
	for _, shown := range text.Pictures {
		block := message.Block{Type: message.ImageBlock, Path: name, MediaType: shown.MediaType, Data: shown.Data}
		if shown.Unit > 0 {
			block.Name = fmt.Sprintf("%s, %s %d", name, text.Unit, shown.Unit)
		}
		result.Content = append(result.Content, block)
	}
	return result, err
}

// readText reads a document, with the pictures that the model needs of it. Whether it sees them is
// asked only then.
func (t *readFile) readText(ctx context.Context, file *workspace.File, request exchange.Request, progress func(string)) (*exchange.Text, error) {
	text, err := t.documents.Read(ctx, file, request, progress)
	if err != nil || text.Scanned == 0 && request.Format != exchange.Picture {
		return text, err
	}
	sees, err := t.sees(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("ask the model if it sees pictures: %w", err)
	case !sees:
		return text, nil
	}
	request.Pictures = maxPages
	return t.documents.Read(ctx, file, request, progress)
}

// showPicture says of a picture what can be said in words.
func showPicture(text *exchange.Text) message.Result {
	var notices []string
	if len(text.Pictures) == 0 {
		notices = []string{"the picture itself is not shown: this model does not see pictures"}
	}
	return message.Result{
		Content: message.Text(tool.WithNotices(text.Parts[0].Text, notices...)), Data: &message.ResultData{Lines: 1},
	}
}

// isFlow reports whether documents of a format have no parts.
func isFlow(format exchange.Format) bool {
	switch format {
	case exchange.DOCX, exchange.ODT, exchange.RTF, exchange.HTML, exchange.Picture:
		return true
	}
	return false
}

// countUnits is how many units a document has: it is asked for one that it cannot have.
func (t *readFile) countUnits(ctx context.Context, file *workspace.File, request exchange.Request, progress func(string)) (int, error) {
	request.First = math.MaxInt32
	_, err := t.documents.Read(ctx, file, request, progress)
	var failure *exchange.Failure
	if errors.As(err, &failure) && failure.Reason == exchange.NoSuchUnit {
		return failure.Total, nil
	}
	return 0, err
}

// showFlow shows a document without parts, by its lines.
func (t *readFile) showFlow(ctx context.Context, name string, format exchange.Format, text *exchange.Text, a readArguments) (message.Result, error) {
	whole := ""
	if len(text.Parts) > 0 {
		whole = text.Parts[0].Text
	}
	p := &page{first: max(a.Offset, 1), limit: a.Limit, numbers: a.Numbers}
	if p.limit == 0 {
		p.limit = pageLines
	}
	if a.Offset < 0 {
		p.first = max(1, countLines(bufio.NewReader(strings.NewReader(whole)))+a.Offset+1)
	}
	if err := p.read(ctx, bufio.NewReader(strings.NewReader(whole))); err != nil {
		return message.Result{}, err
	}
	if p.taken == 0 && p.line > 0 {
		return message.Result{}, invalidArguments(fmt.Sprintf("offset %d is after the last line: the text of %s has %d", a.Offset, name, p.line))
	}
	notices := append(p.collectNotices(""), text.Notes...)
	if text.Cut {
		notices = append(notices, "the text is longer than what is read of it")
	}
	if p.taken == 0 {
		notices = append(notices, "there is no text in it")
	}
	if document.IsSource(format) {
		notices = append(notices, "shown as text; read it with source true to edit it")
	}
	return message.Result{
		Content:   message.Text(tool.WithNotices(p.text.String(), notices...)),
		Data:      &message.ResultData{Lines: p.taken},
		Truncated: p.more || p.cut || text.Cut,
	}, nil
}

// showParts shows pages, slides, chapters, or rows.
func showParts(ctx context.Context, text *exchange.Text, request exchange.Request) (message.Result, error) {
	var all strings.Builder
	for _, part := range text.Parts {
		if part.Label != "" {
			all.WriteString("[" + part.Label + "]\n")
		}
		all.WriteString(part.Text)
		if part.Text != "" && !strings.HasSuffix(part.Text, "\n") {
			all.WriteByte('\n')
		}
	}
	p := &page{first: 1, limit: math.MaxInt}
	if err := p.read(ctx, bufio.NewReader(strings.NewReader(all.String()))); err != nil {
		return message.Result{}, err
	}
	notices := append(p.collectNotices(""), text.Notes...)
	p.more = false
	if len(text.Parts) == 0 {
		notices = append(notices, "there is nothing in it")
	}
	if text.Cut {
		notices = append(notices, fmt.Sprintf("%s %d is cut after %d characters", text.Unit, request.First, request.Characters))
	}
	if text.Next > 0 {
		of := ""
		if text.Total > 0 {
			of = fmt.Sprintf(" of %d", text.Total)
		}
		notices = append(notices, fmt.Sprintf("%ss %d to %d%s; more follow: go on with offset %d", text.Unit, request.First, text.Next-1, of, text.Next))
	}
	return message.Result{
		Content:   message.Text(tool.WithNotices(p.text.String(), notices...)),
		Data:      &message.ResultData{Lines: p.taken},
		Truncated: text.Next > 0 || p.cut || text.Cut,
	}, nil
}

// documentError says why a document cannot be read.
func documentError(name string, format exchange.Format, err error) error {
	var failure *exchange.Failure
	if !errors.As(err, &failure) {
		return err
	}
	kind := strings.ToUpper(string(format)) + " file"
	if format == exchange.Picture {
		kind = "picture"
	}
	text := ""
	switch failure.Reason {
	case exchange.Password:
		text = fmt.Sprintf("%s is protected by a password: ask the user for a copy without one", name)
	case exchange.Empty:
		text = fmt.Sprintf("%s is empty: it has no bytes", name)
	case exchange.OtherFormat:
		text = fmt.Sprintf("%s is in another format than its name says, or in one from before 2007: ask the user for a copy as %s", name, strings.TrimSuffix(kind, " file"))
	case exchange.TooLarge:
		text = fmt.Sprintf("%s is too large to be read: %s", name, failure.Detail)
	case exchange.TooSlow:
		text = fmt.Sprintf("%s takes more than %.0f s to be read", name, documentTime.Seconds())
	case exchange.NoSuchUnit:
		return invalidArguments(fmt.Sprintf("offset is after the last %s: %s has %d", failure.Detail, name, failure.Total))
	default:
		text = fmt.Sprintf("%s is broken, or no %s at all: %s", name, kind, failure.Detail)
	}
	return &message.ToolError{Code: message.UnsupportedFile, Message: text}
}
