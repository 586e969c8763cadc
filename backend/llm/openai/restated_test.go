package openai

import (
	"strings"
	"testing"
)

func TestMOD07_PiecesThatRestateTheText(t *testing.T) {
	for want, pieces := range map[string][]string{
		"The folder holds one.": {"The", "The folder", "The folder holds", "The folder holds one.", "The folder holds one."},
		"haha hahaha":           {"ha", "ha hahaha"},
		"The folderThe folder.": {"The folder", "The folder."},
		"11 2":                  {"1", "1", " 2"},
		"#######":               {"#", "##", "####"},
		"ab cd":                 {"a", "ab", "ab c", "d"},
	} {
		var r restated
		var got strings.Builder
		for _, piece := range pieces {
			got.WriteString(r.add(piece))
		}
		if got.WriteString(r.release()); got.String() != want {
			t.Errorf("%q: %q, want %q", pieces, got.String(), want)
		}
	}
}
