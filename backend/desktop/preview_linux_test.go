//go:build !race

package desktop_test

import (
	"bytes"
	"image"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/tool/document/exchange"
)

// looked is what is shown of a file, from a unit on, once its reader is ready.
func (s *stage) looked(name string, first int) (shown desktop.FilePreview) {
	s.t.Helper()
	address := "/fairlead/file?" + url.Values{"path": {name}, "first": {strconv.Itoa(first)}}.Encode()
	for {
		s.read(address, &shown)
		if shown.Document == nil || !shown.Document.Preparing {
			return shown
		}
		if shown.Document.Text != nil || shown.Document.Failure != nil {
			s.t.Fatalf("while its reader is made ready, %s is %+v", name, shown.Document)
		}
		shown = desktop.FilePreview{}
	}
}

func TestDOC04_DocumentsAreShown(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	for _, name := range []string{"report-en.pdf", "contract-en.docx", "long-en.xlsx", "protected.pdf", "saved-en.html", "slides-en.pptx"} {
		content, err := os.ReadFile(filepath.Join("..", "tool", "document", "extract", "testdata", "files", name))
		if err != nil {
			t.Fatal(err)
		}
		s.put(name, string(content))
	}
	s.put("garden.jpg", string(photograph(t, 3000)))
	s.put("phone.heic", "\x00\x00\x00\x18ftypheic")
	s.put("notes.md", "# Notes\n")

	if shown := s.looked("notes.md", 1); shown.Document != nil || shown.Text != "# Notes\n" {
		t.Errorf("a text is %+v", shown)
	}
	if d := s.looked("phone.heic", 1).Document; d == nil || !slices.Equal(d.Instead, []string{"JPEG", "PNG"}) || d.Format != "" {
		t.Errorf("a picture of a format that is not read is %+v", d)
	}
	if d := s.looked("protected.pdf", 1).Document; d == nil || d.Failure == nil || d.Failure.Reason != exchange.Password {
		t.Errorf("what a password protects is %+v", d)
	}
	if d := s.looked("garden.jpg", 1).Document; d == nil || d.Text == nil || len(d.Text.Pictures) != 1 {
		t.Errorf("a picture is %+v", d)
	} else if config, _, err := image.DecodeConfig(bytes.NewReader(d.Text.Pictures[0].Data)); err != nil || config.Width != 1568 {
		t.Errorf("it is %d pixels wide, %v", config.Width, err)
	}
	if d := s.looked("contract-en.docx", 1).Document; d == nil || d.Text == nil || !strings.Contains(d.Text.Parts[0].Text, "# Service Agreement\n") {
		t.Errorf("a document is %+v", d)
	}
	page := s.looked("saved-en.html", 1)
	if !strings.Contains(page.Text, "<h1") || page.Document == nil || !strings.Contains(page.Document.Text.Parts[0].Text, "# Soup for Forty") {
		t.Errorf("a page is %+v", page)
	}
	second := s.looked("report-en.pdf", 2).Document.Text
	if len(second.Parts) != 1 || second.Parts[0].First != 2 || second.Parts[0].Layout == nil || len(second.Parts[0].Layout.Lines) < 5 || len(second.Sizes) != 0 {
		t.Errorf("the second page is %+v", second)
	}
	rows := s.looked("long-en.xlsx", 1).Document.Text
	if rows.Next != 201 || rows.Parts[0].Sheet == "" {
		t.Errorf("of %q rows from %d on come later", rows.Parts[0].Sheet, rows.Next)
	} else if more := s.looked("long-en.xlsx", rows.Next).Document.Text; more.Parts[0].First != 201 {
		t.Errorf("then come those from %d on", more.Parts[0].First)
	}
	if d := s.looked("slides-en.pptx", 1).Document; len(d.Text.Parts) != 6 {
		t.Errorf("slides are %+v", d)
	}
	if answer := s.get("/fairlead/file?path=notes.md&first=x"); answer.Code != 422 {
		t.Errorf("no number of a page is answered with %d", answer.Code)
	}
}
