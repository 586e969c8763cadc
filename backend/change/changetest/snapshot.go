package changetest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Entry is all that is compared of an entry.
type Entry struct {
	Mode       fs.FileMode
	Modified   time.Time
	Content    string
	Links      uint64
	Attributes string
}

// Snapshot is all that lies in a folder.
func Snapshot(t testing.TB, folder string) map[string]Entry {
	t.Helper()
	all := map[string]Entry{}
	if err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := Entry{Mode: info.Mode(), Modified: info.ModTime().UTC(), Links: linksOf(info), Attributes: attributesOf(path)}
		switch {
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path) //nolint:gosec // a folder of the test
			if err != nil {
				return err
			}
			e.Content = string(content)
		case info.Mode()&fs.ModeSymlink != 0:
			if e.Content, err = os.Readlink(path); err != nil {
				return err
			}
		case info.IsDir():
			e.Links = 0 // which counts the folders in it on some file systems
		}
		name, err := filepath.Rel(folder, path)
		all[name] = e
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// WithoutTimes leaves out when folders changed.
func WithoutTimes(all map[string]Entry) map[string]Entry {
	bare := maps.Clone(all)
	for name, e := range bare {
		if e.Mode.IsDir() {
			e.Modified = time.Time{}
			bare[name] = e
		}
	}
	return bare
}

// Fill puts into an empty folder what the kinds of work begin with.
func Fill(t testing.TB, folder string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	put := func(name, content string, mode fs.FileMode) {
		t.Helper()
		path := filepath.Join(folder, name)
		must(os.MkdirAll(filepath.Dir(path), 0o755)) //nolint:gosec // the usual mode of a folder
		must(os.WriteFile(path, []byte(content), mode))
		must(os.Chmod(path, mode))
	}
	put("a.txt", "one\n", 0o644)
	put("run.sh", "#!/bin/sh\nexit 0\n", 0o750)
	put("sub/b.txt", "two\n", 0o644)
	put("sub/deep/c.txt", "three\n", 0o644)
	must(os.Symlink("a.txt", filepath.Join(folder, "link")))
	put("linked.txt", "linked\n", 0o644)
	must(os.Link(filepath.Join(folder, "linked.txt"), filepath.Join(folder, "sub", "other.txt")))
	must(giveAttributes(filepath.Join(folder, "a.txt")))
	old := time.Date(2020, 1, 2, 3, 4, 5, 123456789, time.UTC)
	for _, name := range []string{"a.txt", "run.sh", "sub/b.txt", "sub/deep/c.txt", "linked.txt", "sub/deep", "sub", "."} {
		must(os.Chtimes(filepath.Join(folder, name), old, old))
	}
}
