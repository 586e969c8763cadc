package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/leftover"
)

// TestREL04_AFileIsOnRecordBeforeItHasAName looks at a folder while files are replaced in
// it: whatever is seen there under a name of ours is on record.
func TestREL04_AFileIsOnRecordBeforeItHasAName(t *testing.T) {
	for name, put := range map[string]func(write) error{"without a name": write.putFile, "with a name": write.putNamed} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			must(t, err)
			f, err := Open(dir)
			must(t, err)
			defer func() { _ = f.Close() }()
			record := leftover.New(t.TempDir())
			f.UseRecord(record)
			must(t, os.WriteFile(filepath.Join(dir, "file"), []byte("old"), 0o600))
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range 300 {
					if err := put(write{folder: f, in: f.topDir(), base: "file", mode: 0o600, content: []byte(strings.Repeat("new", 10_000))}); err != nil {
						t.Error(err)
					}
				}
			}()
			seen := 0
			for over := false; !over; {
				select {
				case <-done:
					over = true
				default:
				}
				entries, err := os.ReadDir(dir)
				must(t, err)
				for _, e := range entries {
					if e.Name() == "file" {
						continue
					}
					seen++
					if _, err := f.root.Lstat(e.Name()); !f.isTemporary(e.Name()) && err == nil {
						if _, err := f.root.Lstat(e.Name()); !errors.Is(err, fs.ErrNotExist) {
							t.Errorf("%s is not on record", e.Name())
						}
					}
				}
			}
			if name == "with a name" && seen == 0 {
				t.Error("no file was seen on its way")
			}
			must(t, record.Close())
			if content, err := os.ReadFile(filepath.Join(dir, "file")); err != nil || len(content) != 30_000 {
				t.Errorf("the file has %d bytes, %v", len(content), err)
			}
		})
	}
}

func TestREL04_FoldersOfAWriteThatWasKilledGo(t *testing.T) {
	for _, killed := range []bool{false, true} {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		must(t, err)
		f, err := Open(dir)
		must(t, err)
		defer func() { _ = f.Close() }()
		records := t.TempDir()
		record := leftover.New(records)
		f.UseRecord(record)
		place, err := f.Writable("a/b/c.txt")
		must(t, err)
		if killed {
			r, err := f.walkDirect(place.Path)
			must(t, err)
			defer r.close()
			_, err = f.makeFolders(r, place)
			must(t, err)
		} else {
			must(t, f.Replace(place, []byte("text")))
			must(t, os.Remove(filepath.Join(dir, "a/b/c.txt"))) // the user takes it away, and not the folders
		}
		must(t, record.Close()) // what is on it stays there, as when the process is killed
		must(t, leftover.Sweep(records, f.Path()))
		if _, err := os.Stat(filepath.Join(dir, "a/b")); errors.Is(err, fs.ErrNotExist) != killed {
			t.Errorf("killed %v: %v", killed, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "a")); errors.Is(err, fs.ErrNotExist) != killed {
			t.Errorf("killed %v: %v", killed, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkWrite writes a file anew and again.
func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	f, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	record := leftover.New(b.TempDir())
	defer func() { _ = record.Close() }()
	f.UseRecord(record)
	content := []byte(strings.Repeat("line\n", 800))
	for name, before := range map[string]func(){
		"new": func() { _ = os.Remove(filepath.Join(dir, "file")) }, "again": func() {},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				before()
				if err := f.Write("file", content); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
