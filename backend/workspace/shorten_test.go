package workspace

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
)

func TestTOOL04_ShortenKeepsHeadTailAndAll(t *testing.T) {
	outputs, err := OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outputs.Remove() })
	if content, shortened := outputs.Shorten("c", "é目🙂", 2, 1); content != "é目🙂" || shortened {
		t.Errorf("a text that fits became %q", content)
	}
	long := "é目" + strings.Repeat("x", 5) + "🙂"
	content, shortened := outputs.Shorten("c", long, 2, 1)
	if want := "é目\n[… 5 characters left out: read the whole text with read_file path \"output:c\" …]\n🙂"; content != want || !shortened {
		t.Errorf("got %q, want %q", content, want)
	}
	file, err := outputs.OpenFile("output:c")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if whole, err := io.ReadAll(file); string(whole) != long || err != nil {
		t.Errorf("kept %q, %v", whole, err)
	}
}
