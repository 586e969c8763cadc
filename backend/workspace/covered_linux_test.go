package workspace_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fairlead/backend/change/changetest"
	"fairlead/backend/workspace"
)

// TestPRE10_SecretsAreListedAnewWhereAFolderChanged changes a folder at random, with the times of
// folders given back, and compares what is listed with what a new look lists.
func TestPRE10_SecretsAreListedAnewWhereAFolderChanged(t *testing.T) {
	dir := t.TempDir()
	kept := openListed(t, dir)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	names := []string{".env", "a.txt", "key.pem", "sub", "sub/.env.local", "sub/b.txt", "sub/deep", "sub/deep/id_rsa", "other", "other/server.key", ".ssh", ".ssh/known", "plain"}
	draw := func() string { return filepath.Join(dir, names[random.IntN(len(names))]) }
	for n := range 600 {
		one, two := draw(), draw()
		var times os.FileInfo
		if random.IntN(2) == 0 {
			times, _ = os.Stat(filepath.Dir(one))
		}
		switch random.IntN(7) {
		case 0:
			_ = os.MkdirAll(one, 0o700)
		case 1, 2:
			_ = os.WriteFile(one, []byte("x"), 0o600)
		case 3:
			_ = os.RemoveAll(one)
		case 4:
			_ = os.Rename(one, two)
		case 5:
			_ = os.Link(one, two)
		case 6:
			_ = os.Symlink("a.txt", one)
		}
		if times != nil {
			_ = os.Chtimes(filepath.Dir(one), times.ModTime(), times.ModTime())
		}
		if n%20 == 0 { // what was read is kept once it is old enough
			<-time.After(2 * workspace.ReadAfter)
		}
		if n%3 != 0 {
			continue
		}
		got, err := kept.Secrets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fresh := openListed(t, dir)
		want, err := fresh.Secrets(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, after %d changes: %q, want %q", seed, n, got, want)
		}
		if looked, err := fresh.LookForSecrets(t.Context()); err != nil || !slices.Equal(looked, want) {
			t.Fatalf("seed %d, after %d changes: a look at all lists %q, want %q, %v", seed, n, looked, want, err)
		}
	}
}

// TestPRE10_WhatIsLinkedIntoAFolderWithKeysIsCovered gives a file another name in a folder that is
// covered as a whole, where nothing else in the workspace changes.
func TestPRE10_WhatIsLinkedIntoAFolderWithKeysIsCovered(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".ssh/deep/known", "sub/a.txt"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := openListed(t, dir)
	for _, want := range [][]string{{".ssh"}, {".ssh"}, {".ssh", "sub/a.txt"}, {".ssh", "sub/a.txt"}} {
		if len(want) == 2 {
			_ = os.Link(filepath.Join(dir, "sub/a.txt"), filepath.Join(dir, ".ssh/deep/linked")) // the second time it is there
		}
		if got, err := folder.Secrets(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is covered, want %q, %v", got, want, err)
		}
		<-time.After(2 * workspace.ReadAfter)
	}
}

// BenchmarkSecrets lists the secrets of many files again.
func BenchmarkSecrets(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		for j := range 1000 {
			name := filepath.Join(dir, fmt.Sprint("d", i), fmt.Sprint("f", j))
			if j == 0 {
				_ = os.MkdirAll(filepath.Dir(name), 0o700)
			}
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	<-time.After(2 * workspace.ReadAfter)
	f := openListed(b, dir)
	for b.Loop() {
		if _, err := f.Secrets(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// openListed opens a folder whose secrets are listed.
func openListed(t testing.TB, dir string) *workspace.Folder {
	t.Helper()
	f, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	changetest.Use(t, f)
	return f
}
