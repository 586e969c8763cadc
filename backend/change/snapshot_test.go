package change_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// entry is all that is compared of an entry.
type entry struct {
	Mode       fs.FileMode
	Modified   time.Time
	Content    string
	Links      uint64
	Attributes string
}

// snapshot is all that lies in a folder.
func snapshot(t *testing.T, folder string) map[string]entry {
	t.Helper()
	all := map[string]entry{}
	must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := entry{Mode: info.Mode(), Modified: info.ModTime().UTC(), Links: linksOf(info), Attributes: attributesOf(path)}
		switch {
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
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
	}))
	return all
}

// withoutTimes leaves out when folders changed.
func withoutTimes(all map[string]entry) map[string]entry {
	bare := maps.Clone(all)
	for name, e := range bare {
		if e.Mode.IsDir() {
			e.Modified = time.Time{}
			bare[name] = e
		}
	}
	return bare
}
