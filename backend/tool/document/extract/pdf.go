package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"fairlead/backend/tool/document/exchange"
)

const (
	// pdfMemory is how much memory the program that reads a PDF may have, in bytes.
	pdfMemory = 128 << 20
	// memoryPage is the unit in which it gets it (WebAssembly, 4.2.8).
	memoryPage = 64 << 10
	// maxPageText is how many characters of one page are read.
	maxPageText = 1 << 20
)

// PDFs reads PDF files with PDFium, which is compiled to WebAssembly and so can reach nothing but
// the memory that it is given and the file. It is for one caller at a time.
type PDFs struct{ pool pdfium.Pool }

// OpenPDFs makes PDFium ready. What it was compiled to is kept in a folder, which makes the next
// time some fifty times as fast; nothing is kept where that is empty.
func OpenPDFs(ctx context.Context, cache string) (*PDFs, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(pdfMemory / memoryPage)
	if cache != "" {
		kept, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, fmt.Errorf("open the folder for what PDFium was compiled to: %w", err)
		}
		config = config.WithCompilationCache(kept)
	}
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(allocate))
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MaxIdle: 1, MaxTotal: 1, RuntimeConfig: config, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	return &PDFs{pool}, nil
}

// Close ends PDFium.
func (p *PDFs) Close() error { return p.pool.Close() }

// read is the reader of PDF files.
func (p *PDFs) read(ctx context.Context, source Source, into *pages) (err error) {
	into.text.Unit = exchange.Pages
	const patience = 10 * time.Second
	pdf, err := p.pool.GetInstance(patience)
	if err != nil {
		return fmt.Errorf("start PDFium: %w", err)
	}
	defer func() { err = errors.Join(err, pdf.Close()) }()
	opened, err := pdf.OpenDocument(&requests.OpenDocument{FileReader: io.NewSectionReader(source, 0, source.Size), FileReaderSize: source.Size})
	if err != nil {
		return asFailure(err)
	}
	d := &pdfDocument{pdf: pdf, document: opened.Document}
	if err := d.measure(); err != nil {
		return err
	}
	into.text.Total = d.total
	if into.layout && into.first == 1 { // who goes on reading has them
		into.text.Sizes = d.sizes(ctx)
	}
	for number := 1; number <= d.total; number++ {
		if number < into.first {
			number = min(into.first, d.total+1)
			if number > d.total {
				break
			}
		}
		if _, err := into.wants(number); err != nil {
			return err
		}
		if into.layout {
			if err := into.add(d.layout(number)); err != nil {
				return err
			}
			continue
		}
		text, isPicture := d.page(number)
		shown := false
		if isPicture {
			if into.shows && into.pictures == 0 {
				into.text.Next = number
				return errEnough
			}
			into.text.Scanned++
			shown = into.shows && d.show(number, into)
		}
		label := fmt.Sprintf("page %d of %d", number, d.total)
		switch {
		case shown:
			label += ", shown as a picture"
		case isPicture:
			label += ", a picture without text"
		case text == "":
			label += ", without text"
		}
		if err := into.add(exchange.Part{First: number, Last: number, Label: label, Text: text}); err != nil {
			return err
		}
	}
	return nil
}

// asFailure says why PDFium cannot open a file.
func asFailure(err error) error {
	switch {
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return &exchange.Failure{Reason: exchange.Password}
	case errors.Is(err, pdferrors.ErrFormat), errors.Is(err, pdferrors.ErrFile), errors.Is(err, pdferrors.ErrPage):
		return broken("it cannot be opened as a PDF file")
	}
	return broken("%v", err)
}

// pdfDocument is a document that is open.
type pdfDocument struct {
	pdf      pdfium.Pdfium
	document references.FPDF_DOCUMENT
	total    int
	// hasForm says that it has fields to fill in.
	hasForm bool
}

// measure finds out how many pages the document has, and if it is a form.
func (d *pdfDocument) measure() error {
	count, err := d.pdf.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.document})
	if err != nil {
		return asFailure(err)
	}
	if d.total = count.PageCount; d.total == 0 {
		return broken("it has no pages")
	}
	form, err := d.pdf.FPDF_GetFormType(&requests.FPDF_GetFormType{Document: d.document})
	d.hasForm = err == nil && form.FormType != enums.FPDF_FORMTYPE_NONE
	return nil
}

// page returns the text of a page, and whether it has none and shows something. One that PDFium
// cannot read has a text that says so: the others can be read.
func (d *pdfDocument) page(number int) (text string, isPicture bool) {
	loaded, err := d.pdf.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.document, Index: number - 1})
	if err != nil {
		return "[this page is broken]\n", false
	}
	page := requests.Page{ByReference: &loaded.Page}
	defer func() { _, _ = d.pdf.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) }()
	text, err = d.pageText(page)
	if err != nil {
		return "[this page is broken]\n", false
	}
	if d.hasForm {
		text = d.withForm(number, page, text)
	}
	if text = tidyPage(text); text == "" {
		objects, err := d.pdf.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: page})
		isPicture = err == nil && objects.Count > 0
	}
	return text, isPicture
}

// show has a page be shown as a picture, and reports whether it can be.
func (d *pdfDocument) show(number int, into *pages) bool {
	shown, err := d.draw(requests.Page{ByIndex: &requests.PageByIndex{Document: d.document, Index: number - 1}})
	if err != nil {
		return false
	}
	into.show(number, shown)
	return true
}

// withForm is the text of a page with what is filled in to its form: drawn into the page, and what has no
// drawing below that.
func (d *pdfDocument) withForm(number int, page requests.Page, text string) string {
	filled, fields, done := d.flatten(number, page)
	defer done()
	if filledText, err := d.pageText(filled); err == nil {
		text = filledText
	}
	missing := ""
	for _, field := range fields {
		if field.value != "" && !strings.Contains(strings.Join(strings.Fields(text), " "), field.value) {
			missing += field.name + ": " + field.value + "\n"
		}
	}
	if missing != "" {
		text += "\n[form]\n" + missing
	}
	return text
}

// flatten draws what is filled in to the form of a page into it, and loads it anew, if it can; done closes that. It returns
// the fields too: PDFium makes up how they look when it is asked for them.
func (d *pdfDocument) flatten(number int, page requests.Page) (filled requests.Page, fields []pdfField, done func()) {
	fields = d.fields(page)
	flat, err := d.pdf.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: page, Usage: requests.FPDFPage_FlattenUsageNormalDisplay})
	if err != nil || flat.Result != responses.FPDFPage_FlattenResultSuccess {
		return page, fields, func() {}
	}
	loaded, err := d.pdf.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.document, Index: number - 1})
	if err != nil {
		return page, fields, func() {}
	}
	return requests.Page{ByReference: &loaded.Page}, fields, func() { _, _ = d.pdf.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) }
}

// pageText is the text of a page.
func (d *pdfDocument) pageText(page requests.Page) (text string, err error) {
	err = d.withText(page, func(o *pageOrder, plain string) {
		if text = plain; o != nil {
			text = o.join()
		}
	})
	return text, err
}

// withText has the text of a page be read: with its order, or plain where there is too much of it. Without any
// text nothing is read.
func (d *pdfDocument) withText(page requests.Page, read func(order *pageOrder, plain string)) error {
	loaded, err := d.pdf.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return err
	}
	defer func() { _, _ = d.pdf.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: loaded.TextPage}) }()
	count, err := d.pdf.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: loaded.TextPage})
	if err != nil || count.Count <= 0 {
		return err
	}
	found, err := d.pdf.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: loaded.TextPage, Count: min(count.Count, maxPageText)})
	if err != nil {
		return err
	}
	text := []rune(strings.TrimSuffix(found.Text, "\x00"))
	if count.Count > maxPageText {
		read(nil, string(text))
		return nil
	}
	if len(text) != count.Count { // characters that stand for nothing are left out of it
		text = text[:0]
		for index := range count.Count {
			one, err := d.pdf.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: loaded.TextPage, Index: index})
			if err != nil {
				return err
			}
			text = append(text, rune(one.Unicode)) //nolint:gosec // a character
		}
	}
	read(&pageOrder{document: d, page: loaded.TextPage, text: text, isForm: d.hasForm}, "")
	return nil
}

// pdfField is a field of a form.
type pdfField struct{ name, value string }

// fields are the fields of a form on a page.
func (d *pdfDocument) fields(page requests.Page) (fields []pdfField) {
	form, err := d.pdf.GetForm(&requests.GetForm{Page: page})
	if err != nil {
		return nil
	}
	for _, field := range form.Fields {
		value := ""
		switch {
		case len(field.Values) > 0:
			value = strings.Join(field.Values, ", ")
		case field.Value != nil:
			value = *field.Value
		case field.IsChecked != nil && *field.IsChecked:
			value = "yes"
		}
		fields = append(fields, pdfField{strings.Join(strings.Fields(field.Name), " "), strings.Join(strings.Fields(value), " ")})
	}
	return fields
}

// tidyPage brings the text of a page into lines. PDFium writes U+FFFE, or U+0002, for the hyphen at
// the end of a line that goes on in the next one: the word is put together.
func tidyPage(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u0000", "", "\u0002", "\ufffe").Replace(text)
	text = joinHyphens(text)
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.Join(kept, "\n") + "\n"
}

// joinHyphens puts words together that a mark has parted at the end of a line; what follows up
// to the next space stands on the line before then.
func joinHyphens(text string) string {
	var joined strings.Builder
	for {
		before, after, found := strings.Cut(text, "\ufffe")
		joined.WriteString(before)
		if !found {
			return joined.String()
		}
		after = strings.TrimLeft(after, "\n ")
		end := strings.IndexAny(after, " \n")
		if end < 0 {
			end = len(after)
		}
		if rest := after[:end]; !strings.Contains(rest, "\ufffe") && end < len(after) {
			joined.WriteString(rest)
			joined.WriteByte('\n')
			after = after[end+1:]
		}
		text = after
	}
}
