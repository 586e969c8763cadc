package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"fairlead/backend/leftover"
)

// Listed is one folder as Walk goes through it, for what follows the folder by itself.
type Listed struct {
	// Rules apply to its entries, and to what lies below.
	Rules *Rules
	// Count is how many entries it has.
	Count int
	// Entries are those that a walk visits, in the order of names.
	Entries []fs.DirEntry
	// LeftOut are the names of the folders that the rules leave out.
	LeftOut []string
}

// ListFolder lists a folder by its local name, to whose entries outer rules apply. It
// names what was read before ctx ended or an error came, and gives an error only where
// that is nothing.
func (f *Folder) ListFolder(ctx context.Context, name string, outer *Rules) (Listed, error) {
	entries, _, err := f.readEntries(ctx, name, maxVisited)
	if err != nil && len(entries) == 0 {
		return Listed{}, err
	}
	listed := Listed{Rules: outer, Count: len(entries)}
	if hasIgnoreFile(entries) {
		listed.Rules = f.rulesIn(name, outer)
	}
	for _, e := range entries {
		local := path.Join(name, e.Name())
		switch {
		case !IsListable(e.Type()) || len(local) > MaxPath || f.isTemporary(local):
		case listed.Rules.IgnoresPath(local, e.IsDir()):
			if e.IsDir() {
				listed.LeftOut = append(listed.LeftOut, e.Name())
			}
		case !IsSecret(local):
			listed.Entries = append(listed.Entries, e)
		}
	}
	return listed, nil
}

// Rules are those that apply to the entries of the folder, but for its own ignore file.
func (f *Folder) Rules() *Rules { return f.rulesAt(".") }

// Lstat returns what lies at a local name, links not followed.
func (f *Folder) Lstat(name string) (fs.FileInfo, error) {
	return f.root.Lstat(filepath.FromSlash(name))
}

// IsUnfinished reports whether a local name is that of a file that a write has not
// finished, or had not: by now it has another name.
func (f *Folder) IsUnfinished(name string) bool {
	if !leftover.IsTemporaryName(path.Base(name)) {
		return false
	}
	if f.isTemporary(name) {
		return true
	}
	// Asked first, this could be answered before the file gets its other name, and the record after.
	_, err := f.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// IsGone reports whether the folder is no longer where it was opened.
func (f *Folder) IsGone() bool {
	there, err := os.Stat(f.path)
	if err != nil {
		return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	own, err := f.root.Stat(".")
	return err == nil && !os.SameFile(there, own)
}
