//go:build !race

// The race detector takes many times as long to pack so much.

package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"testing"

	"fairlead/backend/tool/document/exchange"
)

// zeros gives nothing but zeros.
type zeros struct{}

func (zeros) Read(buffer []byte) (int, error) {
	clear(buffer)
	return len(buffer), nil
}

// TestDOC01_AnArchiveUnpacksToSoMuch reads from an archive more than it may give, at once and little by
// little.
func TestDOC01_AnArchiveUnpacksToSoMuch(t *testing.T) {
	for name, test := range map[string]struct {
		files int
		size  int64
	}{"one file": {1, 2 * freeBytes}, "many files": {maxInflated/freeBytes + 2, freeBytes - 1}} {
		var packed bytes.Buffer
		z := zip.NewWriter(&packed)
		for i := range test.files {
			w, err := z.Create(string(rune('a' + i)))
			if err == nil {
				_, err = io.CopyN(w, zeros{}, test.size)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := openArchive(Source{bytes.NewReader(packed.Bytes()), int64(packed.Len())})
		if err != nil {
			t.Fatal(err)
		}
		taken := 0
		for i := range test.files {
			var content []byte
			content, err = a.read(string(rune('a' + i)))
			taken += len(content)
			if err != nil {
				break
			}
		}
		var failure *exchange.Failure
		if !errors.As(err, &failure) || failure.Reason != exchange.TooLarge || taken > maxInflated+(1<<20) {
			t.Errorf("%s: %d bytes, then %v", name, taken, err)
		}
	}
}
