package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTOOL03_ACommandStartsInAFolderWithALongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a", 150), strings.Repeat("b", 150))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	short, err := startFolder(dir)
	if err != nil {
		t.Skip(err) // not every disk has short names
	}
	long, longErr := os.Stat(dir)
	same, err := os.Stat(short)
	if longErr != nil || err != nil || !os.SameFile(long, same) || len(short) > maxFolder {
		t.Errorf("the folder is %q: %v, %v", short, longErr, err)
	}
	if got, err := startFolder(t.TempDir()); err != nil || len(got) > maxFolder {
		t.Errorf("a short path becomes %q, %v", got, err)
	}
}
