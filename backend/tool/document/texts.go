package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fairlead/backend/tool/document/exchange"
)

const (
	// textsVersion names how texts are found: with another one they are found anew.
	textsVersion = "2"
	// wholeCharacters is how much of a document is kept to be searched, and wholeTime how long finding
	// that may take.
	wholeCharacters = 4 << 20
	wholeTime       = 20 * time.Second
	// keptTexts is how many bytes of texts are kept, and keptTime for how long.
	keptTexts = 64 << 20
	keptTime  = 30 * 24 * time.Hour
)

// Whole returns all text of a document, which is found once and then kept by the document's sum. A
// document that cannot be read gives an *exchange.Failure.
func (r *Reader) Whole(ctx context.Context, file io.ReaderAt, size int64, format exchange.Format) (*exchange.Text, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, untilDone{ctx, io.NewSectionReader(file, 0, size)}); err != nil {
		return nil, err
	}
	name := textsVersion + "-" + string(format) + "-" + hex.EncodeToString(sum.Sum(nil)) + ".json"
	if text, err := r.keptText(name); text != nil || err != nil {
		return text, err
	}
	text, err := r.Read(ctx, file, exchange.Request{
		Format: format, Size: size, First: 1, Characters: wholeCharacters, Milliseconds: int(wholeTime.Milliseconds()),
	}, nil)
	var failure *exchange.Failure
	switch {
	case err == nil:
		r.keepText(name, exchange.Answer{Text: text})
	case errors.As(err, &failure) && failure.Reason != exchange.TooSlow:
		r.keepText(name, exchange.Answer{Failure: failure})
	}
	return text, err
}

// untilDone reads until a context ends.
type untilDone struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (u untilDone) Read(buffer []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(buffer)
}

// textsFolder is where texts are kept.
func (r *Reader) textsFolder() string { return filepath.Join(r.folder, "texts") }

// keptText returns a text that is kept; nil for none.
func (r *Reader) keptText(name string) (*exchange.Text, error) {
	content, err := os.ReadFile(filepath.Join(r.textsFolder(), name))
	if err != nil {
		return nil, nil // it is found anew
	}
	text, _, err := parseAnswer(content)
	var failure *exchange.Failure
	if err != nil && !errors.As(err, &failure) {
		return nil, nil // it is damaged
	}
	return text, err
}

// keepText keeps a text. Where that fails, it is found anew the next time.
func (r *Reader) keepText(name string, answer exchange.Answer) {
	content, err := json.Marshal(answer)
	if err != nil || os.MkdirAll(r.textsFolder(), 0o700) != nil {
		return
	}
	r.makeSpace(int64(len(content)))
	file, err := os.CreateTemp(r.textsFolder(), "new-*")
	if err != nil {
		return
	}
	_, err = file.Write(r.redact(content))
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(r.textsFolder(), name))
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
}

// makeSpace removes the texts that are too old, and the oldest of too many.
func (r *Reader) makeSpace(more int64) {
	entries, _ := os.ReadDir(r.textsFolder())
	kept := make([]os.FileInfo, 0, len(entries))
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			kept = append(kept, info)
		}
	}
	slices.SortFunc(kept, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range kept {
		more += info.Size()
		if more > keptTexts || time.Since(info.ModTime()) > keptTime {
			_ = os.Remove(filepath.Join(r.textsFolder(), info.Name()))
		}
	}
}
