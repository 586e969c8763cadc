//go:build !race

// The race detector would take a minute to compile PDFium.

package file_test

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/document"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/search"
	"fairlead/backend/workspace"
)

// kept is a folder for what PDFium is compiled to, for all tests but those about that.
var kept = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "fairlead-documents-")
	if err != nil {
		panic(err)
	}
	atEnd = append(atEnd, func() { _ = os.RemoveAll(dir) })
	return dir
})

// desk is a bench whose tools read documents.
type desk struct {
	*bench
	// sees is set where the model sees pictures, and unsure where it cannot be asked.
	sees   bool
	unsure error
}

// newDesk is a desk with some documents in its folder.
func newDesk(t *testing.T, names ...string) *desk {
	t.Helper()
	return newDeskIn(t, kept(), names...)
}

func newDeskIn(t *testing.T, dir string, names ...string) *desk {
	t.Helper()
	b := &desk{bench: newBench(t)}
	folder, err := workspace.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	reader := document.NewReader(dir, bytes.Clone)
	t.Cleanup(func() { _ = reader.Close(); _ = folder.Close() })
	sees := func(context.Context) (bool, error) { return b.sees, b.unsure }
	for _, one := range append(file.New(folder, b.outputs, reader, sees), search.New(folder, reader)...) {
		b.tools[one.Definition().Name] = one
	}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join("..", "document", "extract", "testdata", "files", name))
		if err != nil {
			t.Fatal(err)
		}
		b.put(name, string(content))
	}
	return b
}

func TestDOC01_ReadFileShowsADocumentInParts(t *testing.T) {
	b := newDesk(t, "slides-en.pptx", "accounts-en.xlsx", "mixed-en.pdf", "contract-en.docx", "book-en.epub")
	for _, test := range []struct {
		path      string
		arguments []any
		has, not  []string
		truncated bool
	}{
		{
			"slides-en.pptx",
			[]any{"limit", 1},
			[]string{"[slide 1 of 6]\n", "[notice: slides 1 to 1 of 6; more follow: go on with offset 2]"},
			[]string{"slide 2"},
			true,
		},
		{"slides-en.pptx", []any{"offset", 2, "limit", 2}, []string{"[slide 2 of 6]", "[slide 3 of 6"}, []string{"[slide 1", "[slide 4"}, true},
		{"slides-en.pptx", []any{"offset", -1}, []string{"[slide 6 of 6"}, []string{"[slide 5", "notice"}, false},
		{"slides-en.pptx", []any{"offset", -100, "limit", 1}, []string{"[slide 1 of 6]"}, nil, true},
		{"mixed-en.pdf", nil, []string{"[page 1 of 2]\n", "[page 2 of 2, a picture without text]\n"}, nil, false},
		{"book-en.epub", []any{"offset", 2, "limit", 1}, []string{"[chapter 2 of "}, []string{"[chapter 1", "[chapter 3"}, true},
		{"accounts-en.xlsx", []any{"limit", 3}, []string{`[sheet 1 of 5 "`, ", rows 1 to 3]\n|  | A | B |", "\n| 1 | ", "rows 1 to 3; more follow: go on with offset 4"}, []string{"| 4 |"}, true},
		{"accounts-en.xlsx", nil, []string{`[sheet 2 of 5 "`, "(offset "}, []string{"more follow"}, false},
		{"contract-en.docx", []any{"limit", 2}, []string{"[notice: lines 1 to 2; more follow: go on with offset 3]"}, nil, true},
		{"contract-en.docx", []any{"offset", 2, "limit", 1, "numbers", true}, []string{"2\t"}, []string{"1\t"}, true},
		{"contract-en.docx", []any{"offset", -1}, nil, []string{"notice"}, false},
	} {
		result := b.read(append(test.arguments, "path", test.path)...)
		text := result.Content.Text()
		for _, has := range test.has {
			if !strings.Contains(text, has) {
				t.Errorf("%s %v: %q is missing in %q", test.path, test.arguments, has, text)
			}
		}
		for _, not := range test.not {
			if strings.Contains(text, not) {
				t.Errorf("%s %v: %q is in %q", test.path, test.arguments, not, text)
			}
		}
		if result.Truncated != test.truncated {
			t.Errorf("%s %v: truncated %v", test.path, test.arguments, result.Truncated)
		}
	}
	wantCode(t, b.run("read_file", "path", "slides-en.pptx", "offset", 7), message.InvalidArguments, "offset is after the last slide: slides-en.pptx has 6")
	wantCode(t, b.run("read_file", "path", "accounts-en.xlsx", "offset", 5000), message.InvalidArguments, "offset is after the last row")
	wantCode(t, b.run("read_file", "path", "contract-en.docx", "offset", 5000), message.InvalidArguments, "after the last line")
}

func TestDOC01_WhatCannotBeReadIsSaidInASentence(t *testing.T) {
	b := newDesk(t, "scan-en.pdf", "protected.pdf", "protected.docx", "protected.xlsx", "protected.odt", "cut.docx", "random.pdf", "html.pdf", "empty.pdf", "letter-en.doc")
	b.put("phone.heic", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00")
	b.put("half.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	for path, want := range map[string]string{
		"scan-en.pdf":    "scan-en.pdf has no text: its pages are pictures, as those of a scan are, and this model does not see pictures",
		"protected.pdf":  "protected.pdf is protected by a password: ask the user for a copy without one",
		"protected.docx": "protected.docx is protected by a password",
		"protected.xlsx": "protected.xlsx is protected by a password",
		"protected.odt":  "protected.odt is protected by a password",
		"cut.docx":       "cut.docx is broken, or no DOCX file at all",
		"random.pdf":     "random.pdf is broken, or no PDF file at all",
		"html.pdf":       "html.pdf is broken, or no PDF file at all",
		"empty.pdf":      "empty.pdf is empty",
		"phone.heic":     "phone.heic is in a format that cannot be read: ask the user for a copy as JPEG or PNG",
		"half.png":       "half.png is broken, or no picture at all: ",
		"letter-en.doc":  "letter-en.doc is in a format that cannot be read: ask the user for a copy as DOCX or PDF",
	} {
		wantCode(t, b.run("read_file", "path", path), message.UnsupportedFile, want)
	}
}

// documentOf is a document of Word with a paragraph.
func documentOf(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("word/document.xml")
	if err == nil {
		_, err = w.Write([]byte(`<d><body><p><r><t>` + text + `</t></r></p></body></d>`))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

func TestSEC10_KeysInDocumentsAreHidden(t *testing.T) {
	const key = "sk-ant-api03-" + "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOp"
	b := newDesk(t)
	b.put("notes.docx", documentOf(t, "the key is "+key+" today"))
	b.put(".env.docx", documentOf(t, "text"))
	for name, result := range map[string]message.Result{
		"read":   b.run("read_file", "path", "notes.docx"),
		"search": b.run("search_files", "pattern", "key"),
	} {
		text := result.Content.Text()
		if !strings.Contains(text, "the key is ") || strings.Contains(text, "AbCdEf") {
			t.Errorf("%s: %q", name, text)
		}
	}
	if text := b.run("search_files", "pattern", "AbCdEf").Content.Text(); !strings.Contains(text, "no match") {
		t.Errorf("a part of the key is found: %q", text)
	}
}

func TestDOC01_DocumentsAreSearched(t *testing.T) {
	b := newDesk(t, "slides-en.pptx", "accounts-en.xlsx", "contract-zh.pdf", "letter-en.rtf", "protected.pdf", "scan-en.pdf")
	b.put("plain.txt", "Electricity\n")
	text := b.run("search_files", "pattern", "Electricity|甲方|compressor").Content.Text()
	for _, want := range []string{
		`accounts-en.xlsx (sheet 1 of 5 "`, "slides-en.pptx (slide ", "contract-zh.pdf (page 1 of ", "plain.txt:1: Electricity", "2 files could not be read",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
	// Nothing is read again.
	if again := b.run("search_files", "pattern", "Electricity|甲方|compressor").Content.Text(); again != text {
		t.Errorf("the second time: %q", again)
	}
}

// TestDOC01_ACallWaitsForThePDFReaderBeyondItsTime has a first PDF file, for which the reader is made ready.
func TestDOC01_ACallWaitsForThePDFReaderBeyondItsTime(t *testing.T) {
	b := newDeskIn(t, t.TempDir(), "letter-en.pdf", "contract-en.docx")
	extra := func(path string) bool {
		t.Helper()
		plan, err := b.plan("read_file", "path", path)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Extra > 0
	}
	if !extra("letter-en.pdf") || extra("contract-en.docx") {
		t.Error("only a PDF file waits for its reader")
	}
	told := ""
	plan, err := b.tools["read_file"].Prepare(t.Context(), tool.Input{Arguments: object("path", "letter-en.pdf")})
	if err != nil {
		t.Fatal(err)
	}
	if result := plan.Run(t.Context(), func(text string) { told += text }).Result; !result.Success() || told != "The reader of PDF files is made ready, once.\n" {
		t.Errorf("%v, told %q", result.Error, told)
	}
	if extra("letter-en.pdf") {
		t.Error("the second one waits too")
	}
}
