package store

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the database of schema 1 anew")

// TestWriteSchema1 makes testdata/schema1.db. It is made once: later schemas must
// open what this one wrote.
func TestWriteSchema1(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	folder := t.TempDir()
	s := openIn(t, folder)
	talk(t, s, session("s1", "/work"), "r1", "do it")
	if err := s.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/schema1.db", text, 0o600); err != nil {
		t.Fatal(err)
	}
}
