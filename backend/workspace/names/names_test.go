package names_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fairlead/backend/workspace"
	"fairlead/backend/workspace/names"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// in returns the names of a folder with these files.
func in(t *testing.T, files ...string) (*names.Names, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	for _, file := range files {
		put(t, dir, file)
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := names.New(folder)
	t.Cleanup(func() {
		n.Close()
		_ = folder.Close()
	})
	return n, dir
}

func put(t *testing.T, dir, file string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// find asks until there is a list.
func find(t *testing.T, n *names.Names, typed string, most int) string {
	t.Helper()
	for {
		found, whole := n.Find(t.Context(), typed, most)
		if !whole {
			continue
		}
		var paths []string
		for _, name := range found {
			if name.Folder {
				name.Path += "/"
			}
			paths = append(paths, name.Path)
		}
		return strings.Join(paths, " ")
	}
}

func TestDOC03_FilesAreFoundByPartsOfTheirPaths(t *testing.T) {
	n, _ := in(t,
		"README.md", "src/parser.go", "src/parser_test.go", "docs/parser.md", "合同/租赁合同 2026.docx", "Rechnungen/März.pdf",
		".git/config", "node_modules/parser/index.js", ".env", "out.log", ".gitignore",
	)
	for typed, want := range map[string]string{
		"":          "docs/ Rechnungen/ src/ 合同/ .gitignore README.md out.log",
		"readme":    "README.md",
		"parsgo":    "src/parser.go src/parser_test.go",
		"src parse": "src/parser.go src/parser_test.go",
		"README":    "README.md",
		"ReadMe":    "",
		"租赁":        "合同/租赁合同 2026.docx",
		"合同 26":     "合同/租赁合同 2026.docx",
		"marz":      "Rechnungen/März.pdf",
		"parser":    "src/parser.go docs/parser.md src/parser_test.go",
		"config":    "",
		"env":       "",
		"no such":   "",
	} {
		got := find(t, n, typed, 7)
		if typed == "" { // in whichever order of their lengths
			sorted := func(s string) []string { return slices.Sorted(slices.Values(strings.Split(s, " "))) }
			if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
				t.Errorf("nothing typed: %s", diff)
			}
			continue
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
	if got := find(t, n, "parser", 1); got != "src/parser.go" {
		t.Errorf("one of them: %q", got)
	}
}

func TestDOC03_WhatComesIsFoundAfterAChange(t *testing.T) {
	n, dir := in(t, "one.txt")
	if got := find(t, n, "two", 5); got != "" {
		t.Fatalf("found %q", got)
	}
	put(t, dir, "two.txt")
	deadline := time.Now().Add(10 * time.Second)
	for n.Changed(); find(t, n, "two", 5) != "two.txt"; {
		if time.Now().After(deadline) {
			t.Fatal("it is not found")
		}
		<-time.After(50 * time.Millisecond)
	}
}

// TestDOC03_SoakNamesAreFoundAtOnce finds names among 20,000 files, in its soak size among 100,000, where an
// answer takes at most 50 ms on an idle machine.
func TestDOC03_SoakNamesAreFoundAtOnce(t *testing.T) {
	folders, limit := 200, 200*time.Millisecond // beside other tests
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		folders, limit = 1000, 50*time.Millisecond
	}
	dir := filepath.Join(t.TempDir(), "work")
	for i := range folders {
		sub := filepath.Join(dir, fmt.Sprintf("package%d", i/40), fmt.Sprintf("module%d", i))
		if err := os.MkdirAll(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		for j := range 100 {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("invoice_%d_%d.pdf", i, j)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	many := names.New(folder)
	defer func() {
		many.Close()
		_ = folder.Close()
	}()
	find(t, many, "", 1)
	for _, typed := range []string{"", "i", "invoice", "invo99", "module50 pdf", "zzzz"} {
		began := time.Now()
		find(t, many, typed, 20)
		if took := time.Since(began); took > limit {
			t.Errorf("%q takes %v", typed, took)
		} else {
			t.Logf("%q takes %v", typed, took)
		}
	}
}
