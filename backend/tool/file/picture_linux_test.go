//go:build !race

package file_test

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

// photograph is a JPEG file.
func photograph(t *testing.T, width, height int) string {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// shown are the marks of a result's pictures, without their sizes.
func shown(result message.Result) []string {
	var marks []string
	for i := range result.Content {
		if block := &result.Content[i]; block.IsPicture() {
			config, _, err := image.DecodeConfig(bytes.NewReader(block.Data))
			if err != nil || config.Width > 1568 || config.Height > 1568 {
				marks = append(marks, "broken or large: "+block.Path)
				continue
			}
			mark, _, _ := strings.Cut(block.Mark(), ", image/")
			marks = append(marks, mark)
		}
	}
	return marks
}

func TestDOC02_ReadFileShowsPicturesToAModelThatSees(t *testing.T) {
	b := newDesk(t, "scan-en.pdf", "mixed-en.pdf", "letter-en.pdf")
	b.sees = true
	b.put("photos/garden.jpg", photograph(t, 4000, 3000))
	b.put("plan", photograph(t, 40, 30)) // by what it begins with
	for _, test := range []struct {
		path      string
		arguments []any
		text      string
		shown     []string
	}{
		{"photos/garden.jpg", nil, "JPEG picture, 4000 × 3000 pixels, shown as 1568 × 1176\n", []string{"[image: photos/garden.jpg"}},
		{"plan", nil, "JPEG picture, 40 × 30 pixels\n", []string{"[image: plan"}},
		{"scan-en.pdf", nil, "[page 1 of 2, shown as a picture]\n[page 2 of 2, shown as a picture]\n", []string{"[image: scan-en.pdf, page 1", "[image: scan-en.pdf, page 2"}},
		{"scan-en.pdf", []any{"offset", -1}, "[page 2 of 2, shown as a picture]\n", []string{"[image: scan-en.pdf, page 2"}},
		{"mixed-en.pdf", []any{"offset", 2}, "[page 2 of 2, shown as a picture]\n", []string{"[image: mixed-en.pdf, page 2"}},
	} {
		result := b.read(append(test.arguments, "path", test.path)...)
		if !result.Success() || result.Content[0].Text != test.text {
			t.Errorf("%s: %q, %v", test.path, result.Content[0].Text, result.Error)
		}
		if diff := cmp.Diff(test.shown, shown(result)); diff != "" {
			t.Errorf("%s: %s", test.path, diff)
		}
	}
}

func TestDOC02_AModelThatDoesNotSeeIsToldInWords(t *testing.T) {
	b := newDesk(t, "letter-en.pdf")
	b.put("garden.jpg", photograph(t, 4000, 3000))
	result := b.read("path", "garden.jpg")
	const want = "JPEG picture, 4000 × 3000 pixels\n[notice: the picture itself is not shown: this model does not see pictures]"
	if got := result.Content.Text(); strings.TrimSpace(got) != want || len(result.Content) != 1 {
		t.Errorf("%q", got)
	}
	b.unsure = errors.New("no answer")
	if result := b.run("read_file", "path", "garden.jpg"); result.Success() || !strings.Contains(result.Error.Message, "no answer") {
		t.Errorf("%+v", result)
	}
	// A document with text is nothing to ask about.
	if result := b.read("path", "letter-en.pdf"); !result.Success() {
		t.Errorf("%+v", result.Error)
	}
}
