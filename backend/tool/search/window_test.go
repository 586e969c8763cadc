package search

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/workspace"
)

// planted returns the search of a folder with one file.
func planted(t *testing.T, name string, content []byte) (folder *workspace.Folder, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "work", name)
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	folder, err := workspace.Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	return folder, path
}

func TestSEC10_APrivateKeyIsHiddenInEveryWindow(t *testing.T) {
	const begin, end = "-----BEGIN RSA " + "PRIVATE KEY-----\n", "-----END RSA " + "PRIVATE KEY-----\n"
	body := strings.Repeat(strings.Repeat("needle+M", 8)+"\n", 5*windowSize/2/65)
	folder, _ := planted(t, "f", []byte("a needle\n"+begin+body+end+"a needle\n"))
	p, err := compilePattern("needle")
	if err != nil {
		t.Fatal(err)
	}
	file, err := folder.OpenFile("f")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	blocks, err := (&scan{pattern: p, context: 1}).searchLarge(t.Context(), file)
	if err != nil || len(blocks) != 2 {
		t.Errorf("%d blocks, %v", len(blocks), err)
	}
	for _, b := range blocks {
		for _, l := range b.lines {
			if bytes.Contains(l.text, []byte("needle+M")) {
				t.Fatalf("shown: %q", l.text)
			}
		}
	}
}
