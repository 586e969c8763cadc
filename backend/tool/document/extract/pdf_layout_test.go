//go:build !race

package extract

import (
	"bytes"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/tool/document/exchange"
)

// isInked reports whether a part of a picture has something dark in it, or shows more than one colour.
func isInked(of image.Image, part image.Rectangle) bool {
	part = part.Intersect(of.Bounds())
	if part.Empty() {
		return false
	}
	first := of.At(part.Min.X, part.Min.Y)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if of.At(x, y) != first {
				return true
			}
		}
	}
	return false
}

// TestDOC04_WordsOfAPageStandWhereTheyAreSeen compares the words of each page with its text, and looks for ink
// where they stand.
func TestDOC04_WordsOfAPageStandWhereTheyAreSeen(t *testing.T) {
	pdfs := openPDFs(t)
	names, err := filepath.Glob(filepath.Join("testdata", "files", "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range names {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			text, err := readAll(t, pdfs, name)
			if _, isFailure := errors.AsType[*exchange.Failure](err); isFailure {
				t.Skip("it cannot be read")
			}
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var sizes []exchange.Size
			for i, part := range text.Parts {
				if i == 6 {
					break // the others are like these
				}
				looks, err := Extract(t.Context(), pdfs, Source{bytes.NewReader(content), int64(len(content))}, exchange.Request{
					Format: exchange.PDF, First: part.First, Limit: 1, Characters: 1000, Layout: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					sizes = looks.Sizes
				}
				checkLayout(t, looks, sizes, part)
			}
		})
	}
}

func checkLayout(t *testing.T, looks exchange.Text, sizes []exchange.Size, part exchange.Part) {
	t.Helper()
	if len(looks.Parts) != 1 || looks.Parts[0].Layout == nil || looks.Total != len(sizes) {
		t.Fatalf("page %d: %d parts, %d of %d sizes", part.First, len(looks.Parts), len(sizes), looks.Total)
	}
	layout, size := looks.Parts[0].Layout, sizes[part.First-1]
	shown, _, err := image.Decode(bytes.NewReader(layout.Data))
	if err != nil {
		t.Fatal(err)
	}
	width, height := float64(shown.Bounds().Dx()), float64(shown.Bounds().Dy())
	if ratio := (width / height) / (size.Width / size.Height); ratio < 0.99 || ratio > 1.01 {
		t.Errorf("page %d is drawn as %.0f × %.0f, and is %.0f × %.0f", part.First, width, height, size.Width, size.Height)
	}
	var all strings.Builder
	bare, count := 0, 0
	for _, line := range layout.Lines {
		for _, word := range line {
			all.WriteString(word.Text)
			at := image.Rect(
				int(float64(word.Left)*width/wholePage), int(float64(word.Top)*height/wholePage),
				int(float64(word.Left+word.Width)*width/wholePage)+1, int(float64(word.Top+word.Height)*height/wholePage)+1,
			)
			if strings.TrimSpace(word.Text) == "" {
				continue
			}
			if count++; !isInked(shown, at) {
				bare++
				t.Logf("page %d: nothing is seen at %+v", part.First, word)
			}
		}
		all.WriteByte('\n')
	}
	if bare*100 > count {
		t.Errorf("page %d: of %d words %d stand where nothing is seen", part.First, count, bare)
	}
	drawn, _, _ := strings.Cut(part.Text, "[form]") // what is told beside the page
	want, got := words(strings.ReplaceAll(drawn, "-\n", "")), words(strings.ReplaceAll(all.String(), "-\n", ""))
	if lost := missing(want, got); len(lost)*50 > len(want) {
		t.Errorf("page %d: of %d words these have no place: %q", part.First, len(want), lost)
	}
}
