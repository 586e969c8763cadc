//go:build !race

package document_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"fairlead/backend/tool/document/exchange"
)

// longPDF is a PDF file of pages with fifty lines each.
func longPDF(pages int) []byte {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"}
	var kids strings.Builder
	for page := 1; page <= pages; page++ {
		fmt.Fprintf(&kids, "%d 0 R ", len(objects)+1)
		var text strings.Builder
		text.WriteString("BT /F 10 Tf 14 TL 50 780 Td ")
		for line := 1; line <= 50; line++ {
			fmt.Fprintf(&text, "(Page %d, line %d of what was agreed between the two parties to this contract.) Tj T* ", page, line)
		}
		text.WriteString("ET")
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F 3 0 R >> >> >>", len(objects)+2),
			stream("", text.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), pages)
	return pdf(objects...)
}

// TestDOC01_ALongDocumentIsReadInParts goes through 500 pages as the notices say, and to the last ones at
// once.
func TestDOC01_ALongDocumentIsReadInParts(t *testing.T) {
	const pages, mostTime, space = 500, 3 * time.Second, 30_000
	r := newReader(t)
	file := longPDF(pages)
	ask := func(first, characters int) *exchange.Text {
		t.Helper()
		began := time.Now()
		text, err := r.Read(t.Context(), bytes.NewReader(file), exchange.Request{
			Format: exchange.PDF, Size: int64(len(file)), First: first, Characters: characters, Milliseconds: 10_000,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > mostTime && first > 1 { // the first one makes PDFium ready
			t.Errorf("pages from %d take %v", first, took)
		}
		return text
	}
	seen := 0
	for next := 1; next > 0; {
		text := ask(next, space)
		for _, part := range text.Parts {
			seen++
			if want := fmt.Sprintf("Page %d, line 1 of what", part.First); part.First != seen || !strings.HasPrefix(part.Text, want) {
				t.Fatalf("page %d after %d: %.60q", part.First, seen-1, part.Text)
			}
		}
		next = text.Next
	}
	if seen != pages {
		t.Errorf("%d pages were read", seen)
	}
	if text := ask(499, space); len(text.Parts) != 2 || text.Next != 0 || text.Total != pages {
		t.Errorf("the last pages: %d, next %d, of %d", len(text.Parts), text.Next, text.Total)
	}
	began := time.Now()
	if text := ask(1, 4<<20); len(text.Parts) != pages {
		t.Errorf("all at once: %d pages", len(text.Parts))
	}
	t.Logf("500 pages at once: %v, %d bytes", time.Since(began), len(file))
	began = time.Now()
	looks, err := look(t, r, file)
	if took := time.Since(began); err != nil || len(looks.Sizes) != pages || looks.Parts[0].Layout == nil || took > mostTime {
		t.Errorf("its first page: %v, %v", err, took)
	}
	t.Logf("the first page as it looks: %v", time.Since(began))
}
