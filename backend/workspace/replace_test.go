package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func TestAFailedWriteLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	full := errors.New("no space left")
	if err := replace(root, "file", 0o600, false, iotest.ErrReader(full)); !errors.Is(err, full) {
		t.Errorf("replace = %v, want %v", err, full)
	}
	if err := replace(root, "folder", 0o600, false, strings.NewReader("new")); err == nil {
		t.Error("a folder was replaced")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if content, err := os.ReadFile(filepath.Join(dir, "file")); string(content) != "old" || err != nil {
		t.Errorf("the file has %q, %v", content, err)
	}
}
