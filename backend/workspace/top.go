package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

// topEntries bounds the listing of the top of the folder.
const topEntries = 60

// Top lists what lies at the top of the folder, as Shown has it, folders with a slash, and reports
// whether there is more than it lists. It leaves out what Walk leaves out.
func (f *Folder) Top() (names []string, more bool) {
	// A folder that cannot be listed is reported by the first tool that tries.
	_, _ = f.Walk(context.Background(), ".", func(e Entry) error {
		if len(names) == topEntries {
			more = true
			return fs.SkipAll
		}
		name := Shown(path.Base(e.Path))
		if e.Type.IsDir() {
			names = append(names, name+"/")
			return fs.SkipDir
		}
		names = append(names, name)
		return nil
	})
	return names, more
}

// Empty reports whether there is nothing at all in the folder, not even what Walk
// leaves out.
func (f *Folder) Empty() (bool, error) {
	top, err := f.root.Open(".")
	if err != nil {
		return false, fmt.Errorf("look into the folder: %w", err)
	}
	defer func() { _ = top.Close() }()
	_, err = top.ReadDir(1)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}
