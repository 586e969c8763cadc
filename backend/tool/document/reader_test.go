//go:build !race

package document_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fairlead/backend/tool/document"
	"fairlead/backend/tool/document/exchange"
)

// newReader returns a reader with a folder of its own.
func newReader(t *testing.T) *document.Reader {
	t.Helper()
	r := document.NewReader(t.TempDir(), bytes.Clone)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// read reads what a tool would show first of a document.
func read(t *testing.T, r *document.Reader, name string, file []byte) (*exchange.Text, error) {
	t.Helper()
	return r.Read(t.Context(), bytes.NewReader(file), exchange.Request{
		Format: document.FormatOf(name, file), Size: int64(len(file)), First: 1, Characters: 30_000, Pictures: 2, Milliseconds: 3000,
	}, nil)
}

// look reads the first page of a PDF file as it looks.
func look(t *testing.T, r *document.Reader, file []byte) (*exchange.Text, error) {
	t.Helper()
	return r.Read(t.Context(), bytes.NewReader(file), exchange.Request{
		Format: exchange.PDF, Size: int64(len(file)), First: 1, Limit: 1, Layout: true, Characters: 10_000, Milliseconds: 3000,
	}, nil)
}

// slowly is a file of which no piece comes before it is let.
type slowly struct {
	io.ReaderAt
	asked chan struct{}
	let   chan struct{}
}

func (s slowly) ReadAt(buffer []byte, offset int64) (int, error) {
	select {
	case s.asked <- struct{}{}:
	default:
	}
	<-s.let
	return s.ReaderAt.ReadAt(buffer, offset)
}

func TestDOC01_AReaderEndsWithItsOwner(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := document.NewReader(t.TempDir(), bytes.Clone)
	file := word(t, "<w:p><w:r><w:t>text</w:t></w:r></w:p>")
	if _, err := read(t, r, "a.docx", file); err != nil {
		t.Fatal(err)
	}
	ids := r.Processes()
	if len(ids) != 1 || !isThere(ids[0]) {
		t.Fatalf("it was read by the processes %v", ids)
	}
	if err := r.Close(); err != nil || isThere(ids[0]) {
		t.Errorf("%v: processes %v", err, ids)
	}
}

func TestCAN01_ReadingADocumentIsCancelled(t *testing.T) {
	r := newReader(t)
	file := word(t, "<w:p><w:r><w:t>text</w:t></w:r></w:p>")
	slow := slowly{bytes.NewReader(file), make(chan struct{}, 1), make(chan struct{})}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	go func() {
		<-slow.asked
		cancel(stop)
		close(slow.let)
	}()
	_, err := r.Read(ctx, slow, exchange.Request{Format: exchange.DOCX, Size: int64(len(file)), First: 1, Characters: 100, Milliseconds: 5000}, nil)
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if text, err := read(t, r, "a.docx", file); err != nil || text.Parts[0].Text != "text\n" {
		t.Errorf("the next one: %+v, %v", text, err)
	}
}

// TestDOC01_TheReaderOfPDFFilesIsMadeReadyForTheNextOne gives up waiting for the first PDF file, as who is shown it
// does, while its reader is compiled.
func TestDOC01_TheReaderOfPDFFilesIsMadeReadyForTheNextOne(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := document.NewReader(t.TempDir(), bytes.Clone)
	file := onePage(stream("", "BT /F 12 Tf 20 100 Td (text) Tj ET"), "")
	request := exchange.Request{Format: exchange.PDF, Size: int64(len(file)), First: 1, Characters: 100, Milliseconds: 5000}
	giveUp := func() {
		t.Helper()
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stop")
		_, err := r.Read(ctx, bytes.NewReader(file), request, func(string) { cancel(stop) })
		if !errors.Is(err, stop) || r.IsReady(exchange.PDF) {
			t.Fatalf("got %v", err)
		}
	}
	giveUp()
	giveUp()
	id := r.AwaitStart()
	if !r.IsReady(exchange.PDF) || !slices.Equal(r.Processes(), []int{id}) {
		t.Errorf("it is not ready: processes %v", r.Processes())
	}
	if text, err := read(t, r, "a.pdf", file); err != nil || text.Parts[0].Text != "text\n" || !slices.Equal(r.Processes(), []int{id}) {
		t.Errorf("the next one: %+v, %v, processes %v instead of %d", text, err, r.Processes(), id)
	}
	if err := r.Close(); err != nil || isThere(id) {
		t.Errorf("after the end: %v", err)
	}
	r = document.NewReader(t.TempDir(), bytes.Clone)
	giveUp()
	if err := r.Close(); err != nil || r.AwaitStart() != 0 || r.IsReady(exchange.PDF) {
		t.Errorf("closed while it is made ready: %v", err)
	}
}

func TestDOC01_AReaderThatWasKilledIsStartedAgain(t *testing.T) {
	r := newReader(t)
	file := word(t, "<w:p><w:r><w:t>text</w:t></w:r></w:p>")
	if _, err := read(t, r, "a.docx", file); err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(r.Processes()[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	var failure *exchange.Failure
	if _, err := read(t, r, "a.docx", file); err != nil && !errors.As(err, &failure) {
		t.Error(err)
	}
	if text, err := read(t, r, "a.docx", file); err != nil || text.Parts[0].Text != "text\n" {
		t.Errorf("the next one: %+v, %v", text, err)
	}
}

func TestDOC01_DocumentsAreReadSideBySide(t *testing.T) {
	r := newReader(t)
	files := map[string][]byte{
		"a.docx": word(t, "<w:p><w:r><w:t>text</w:t></w:r></w:p>"), "a.pdf": onePage(stream("", "BT /F 12 Tf 20 100 Td (text) Tj ET"), ""),
		"a.rtf": []byte(`{\rtf1 text\par}`),
	}
	var all sync.WaitGroup
	for range 10 {
		for name, file := range files {
			all.Go(func() {
				if text, err := read(t, r, name, file); err != nil || text.Parts[0].Text != "text\n" {
					t.Errorf("%s: %+v, %v", name, text, err)
				}
			})
		}
	}
	all.Wait()
}

// TestDOC01_AFileThatShrinksWhileItIsRead is cut while its reader has it.
func TestDOC01_AFileThatShrinksWhileItIsRead(t *testing.T) {
	r := newReader(t)
	file := word(t, "<w:p><w:r><w:t>text</w:t></w:r></w:p>")
	_, err := r.Read(t.Context(), bytes.NewReader(file[:len(file)/2]), exchange.Request{
		Format: exchange.DOCX, Size: int64(len(file)), First: 1, Characters: 100, Milliseconds: 5000,
	}, nil)
	if err == nil {
		t.Error("it was read")
	}
}

// TestDOC01_AnotherVersionIsCompiledAnew has something in the place of what PDFium was compiled to that
// another version left there.
func TestDOC01_AnotherVersionIsCompiledAnew(t *testing.T) {
	folder := t.TempDir()
	other := filepath.Join(folder, "compiled", "other version")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "code"), []byte("code"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := document.NewReader(folder, bytes.Clone)
	defer r.Close()
	if !r.IsReady(exchange.PDF) {
		t.Error("it counts as compiled")
	}
	file := onePage(stream("", "BT /F 12 Tf 20 100 Td (text) Tj ET"), "")
	if text, err := read(t, r, "a.pdf", file); err != nil || text.Parts[0].Text != "text\n" {
		t.Errorf("%+v, %v", text, err)
	}
	if left, err := os.ReadDir(other); err != nil || len(left) > 0 {
		t.Errorf("of the other version %v is left, %v", left, err)
	}
}

func TestDOC01_TheTextOfADocumentIsKept(t *testing.T) {
	folder := t.TempDir()
	r := document.NewReader(folder, func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("key-123"), []byte("[hidden]")) })
	defer r.Close()
	file := word(t, "<w:p><w:r><w:t>the key-123 of it</w:t></w:r></w:p>")
	whole := func() (*exchange.Text, error) {
		return r.Whole(t.Context(), bytes.NewReader(file), int64(len(file)), exchange.DOCX)
	}
	if _, err := whole(); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(folder, "texts", "*.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %v, %v", kept, err)
	}
	if content, err := os.ReadFile(kept[0]); err != nil || bytes.Contains(content, []byte("key-123")) {
		t.Errorf("%v: a key is kept: %s", err, content)
	}
	if err := r.Close(); err != nil { // nothing reads now
		t.Fatal(err)
	}
	if text, err := whole(); err != nil || text.Parts[0].Text != "the [hidden] of it\n" {
		t.Errorf("%+v, %v", text, err)
	}
	old := time.Now().Add(-40 * 24 * time.Hour)
	if err := os.Chtimes(kept[0], old, old); err != nil {
		t.Fatal(err)
	}
	other := word(t, "<w:p><w:r><w:t>other</w:t></w:r></w:p>")
	again := document.NewReader(folder, bytes.Clone)
	defer again.Close()
	if _, err := again.Whole(t.Context(), bytes.NewReader(other), int64(len(other)), exchange.DOCX); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(kept[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a text of 40 days ago is kept: %v", err)
	}
}
