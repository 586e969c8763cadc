package workspace_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

// TestEndingCountsWholeCharacters has characters one half of which is that of a line
// break, such as U+0A0A and U+0A00, at places that are even and odd.
func TestEndingCountsWholeCharacters(t *testing.T) {
	folder, dir, _ := open(t)
	const text = "first\n\u0a0a\u000a\u0a00ਊ\u010a\n\u0a0a\u0a00\u0a0a last\u0a0a\n"
	for name, order := range map[string]unicode.Endianness{"big": unicode.BigEndian, "little": unicode.LittleEndian} {
		content, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), content)
		file, err := folder.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		for count := 1; count <= len(lines)+1; count++ {
			ending, err := file.Ending(t.Context(), name, count, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(ending.Text)
			want := strings.Join(lines[max(0, len(lines)-count):], "") + "\n"
			if err != nil || string(got) != want || ending.Lines != min(count, len(lines)) || ending.Whole != (count >= len(lines)) {
				t.Errorf("%s, the last %d: %q, %d lines, whole %v, %v; want %q", name, count, got, ending.Lines, ending.Whole, err, want)
			}
		}
		_ = file.Close()
	}
}
