package document_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"testing"
)

// repeated is a text so many times.
type repeated struct {
	text  string
	times int
}

// content is the parts of a file, one after the other.
type content []any

func (c content) writeTo(w io.Writer) error {
	for _, part := range c {
		var err error
		switch part := part.(type) {
		case string:
			_, err = io.WriteString(w, part)
		case repeated:
			block := strings.Repeat(part.text, max(1, 1<<16/max(1, len(part.text))))
			whole := len(block) / len(part.text)
			for left := part.times; left > 0 && err == nil; left -= whole {
				_, err = io.WriteString(w, block[:min(left, whole)*len(part.text)])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// archive is a ZIP file of parts.
func archive(t *testing.T, parts map[string]content) []byte {
	t.Helper()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for name, c := range parts {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.writeTo(w); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

const (
	wordHead = `<w:document xmlns:w="w"><w:body>`
	wordTail = `</w:body></w:document>`
)

// word is a document of Word with a body.
func word(t *testing.T, body ...any) []byte {
	return archive(t, map[string]content{"word/document.xml": append(append(content{wordHead}, body...), wordTail)})
}

// pdf is a PDF file of objects, of which the first is the catalogue. Its table of them is missing, which readers
// make up for.
func pdf(objects ...string) []byte {
	var file bytes.Buffer
	file.WriteString("%PDF-1.7\n")
	for i, object := range objects {
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	fmt.Fprintf(&file, "trailer << /Root 1 0 R /Size %d >>\n%%%%EOF\n", len(objects)+1)
	return file.Bytes()
}

// onePage is a PDF file of one page with a content, and what that uses.
func onePage(contents string, uses string, more ...string) []byte {
	return pdf(append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << " + uses + " /Font << /F 5 0 R >> >> >>",
		contents, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}, more...)...)
}

func stream(dictionary, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(data), data)
}
