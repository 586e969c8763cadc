//go:build !race

package extract

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/picture"
	"fairlead/backend/tool/document/exchange"
)

func TestDOC02_PagesOfAScanAreShown(t *testing.T) {
	pdfs := openPDFs(t)
	for _, test := range []struct {
		name        string
		first, most int
		labels      []string
		shown       []int
	}{
		{"scan-en.pdf", 1, 9, []string{"page 1 of 2, shown as a picture", "page 2 of 2, shown as a picture"}, []int{1, 2}},
		{"scan-en.pdf", 2, 9, []string{"page 2 of 2, shown as a picture"}, []int{2}},
		{"scan-zh.pdf", 1, 1, []string{"page 1 of 2, shown as a picture"}, []int{1}},
		{"mixed-en.pdf", 1, 9, []string{"page 1 of 2", "page 2 of 2, shown as a picture"}, []int{2}},
		{"letter-en.pdf", 1, 9, []string{"page 1 of 2", "page 2 of 2"}, nil},
	} {
		file, err := os.ReadFile(filepath.Join("testdata", "files", test.name))
		if err != nil {
			t.Fatal(err)
		}
		text, err := Extract(t.Context(), pdfs, Source{bytes.NewReader(file), int64(len(file))}, exchange.Request{
			Format: exchange.PDF, First: test.first, Characters: 10_000, Pictures: test.most,
		})
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, part := range text.Parts {
			labels = append(labels, part.Label)
		}
		var shown []int
		for _, p := range text.Pictures {
			shown = append(shown, p.Unit)
			checkPage(t, test.name, p)
		}
		if diff := cmp.Diff(test.labels, labels) + cmp.Diff(test.shown, shown); diff != "" {
			t.Errorf("%s from %d: %s", test.name, test.first, diff)
		}
	}
}

// checkPage expects the picture of an upright page with something written on it, on paper.
func checkPage(t *testing.T, name string, of exchange.Shown) {
	t.Helper()
	decoded, err := jpeg.Decode(bytes.NewReader(of.Data))
	if err != nil || of.MediaType != "image/jpeg" {
		t.Fatalf("%s: %s, %v", name, of.MediaType, err)
	}
	size := decoded.Bounds().Size()
	if size.Y != picture.MaxEdge || size.X < 1000 || size.X > 1250 {
		t.Errorf("%s: page %d is %v", name, of.Unit, size)
	}
	dark := 0
	for y := range size.Y {
		for x := range size.X {
			if color.GrayModel.Convert(decoded.At(x, y)).(color.Gray).Y < 160 { //nolint:forcetypeassert // what it converts to
				dark++
			}
		}
	}
	if share := 1000 * dark / (size.X * size.Y); share < 2 || share > 300 {
		t.Errorf("%s: %d of 1,000 pixels of page %d are dark", name, share, of.Unit)
	}
}

func TestDOC02_APictureIsToldInWordsAndShownWhereItIsWanted(t *testing.T) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 3136, 100)), nil); err != nil {
		t.Fatal(err)
	}
	for wanted, want := range map[int]string{
		0: "JPEG picture, 3136 × 100 pixels\n",
		1: "JPEG picture, 3136 × 100 pixels, shown as 1568 × 50\n",
	} {
		text, err := Extract(t.Context(), nil, Source{bytes.NewReader(file.Bytes()), int64(file.Len())}, exchange.Request{
			Format: exchange.Picture, First: 1, Characters: 1000, Pictures: wanted,
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(text.Parts) != 1 || text.Parts[0].Text != want || len(text.Pictures) != wanted {
			t.Errorf("%d wanted: %+v", wanted, text.Parts)
		}
	}
}
