package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readAtOnce is how many entries are read between two looks at the context.
const readAtOnce = 512

// readEntries returns a folder's entries in the order of their names, and whether
// there are more than most. With an error, that of ctx included, it returns what
// it could read.
func (f *Folder) readEntries(ctx context.Context, name string, most int) (entries []fs.DirEntry, more bool, err error) {
	dir, err := f.root.OpenFile(filepath.FromSlash(name), noWait, 0)
	if err != nil {
		return nil, false, err
	}
	return readEntries(ctx, dir, most)
}

// readEntries reads the entries of a folder that an os.Root opened, and closes it.
func readEntries(ctx context.Context, opened *os.File, most int) (entries []fs.DirEntry, more bool, err error) {
	dir, err := reopenUnrooted(opened)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = dir.Close() }()
	for err == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		if len(entries) >= most {
			more = true
			break
		}
		var some []fs.DirEntry
		some, err = dir.ReadDir(readAtOnce)
		entries = append(entries, some...)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, more, err
}

// hasIgnoreFile reports whether there is an ignore file among the entries.
func hasIgnoreFile(entries []fs.DirEntry) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == IgnoreFile })
}

// IsListable reports whether an entry is of a type that the project knows: a file, a
// folder or a link.
func IsListable(kind fs.FileMode) bool {
	return kind&fs.ModeType&^(fs.ModeDir|fs.ModeSymlink) == 0
}
