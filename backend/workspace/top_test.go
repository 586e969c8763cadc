package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/workspace"
)

func TestTopListsOneLevelAndSaysWhenThereIsMore(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.txt", "src/deep/x.go", ".env", "node_modules/m.js"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	if names, more := folder.Top(); strings.Join(names, " ") != "b.txt src/" || more {
		t.Errorf("got %v, more %v", names, more)
	}
	for i := range 70 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if names, more := folder.Top(); len(names) != 60 || !more {
		t.Errorf("got %d names, more %v", len(names), more)
	}
}

func TestSweepOutputsDeletesOldFoldersOnly(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{"old", "new", "used"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"old", "used"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspace.SweepOutputs(dir, time.Now().Add(-24*time.Hour), func(name string) bool { return name == "used" }); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 || entries[0].Name() != "new" || entries[1].Name() != "used" {
		t.Errorf("left: %v", entries)
	}
	if err := workspace.SweepOutputs(filepath.Join(dir, "none"), time.Now(), nil); err != nil {
		t.Errorf("no folder to sweep: %v", err)
	}
}
