package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"fairlead/backend/message"
	"fairlead/backend/workspace/autorun"
)

// dir is a folder of the workspace that is held open: what is reached from it is
// reached in the folder that was looked at, wherever its path leads by now.
type dir struct {
	root *os.Root
	// path is its place in the workspace, without links. It is how it was reached.
	path string
}

// topDir is the workspace itself. It is not to be closed.
func (f *Folder) topDir() *dir { return &dir{f.root, "."} }

func (d *dir) close() { _ = d.root.Close() }

func (d *dir) statFolder() (fs.FileInfo, error) { return d.root.Stat(".") }

// joinName returns the path of an entry.
func (d *dir) joinName(name string) string {
	if d.path == "." {
		return name
	}
	return d.path + "/" + name
}

// openSeen opens a folder in this one: the one that seen describes and no other. It
// fails with STALE_FILE if something else has its name by now.
func (d *dir) openSeen(name string, seen fs.FileInfo) (*dir, error) {
	// With the dot at the end, nothing but a folder is opened: opening a pipe waits.
	root, err := d.root.OpenRoot(name + "/.")
	if err != nil {
		return nil, d.refuseEntry(name, err)
	}
	below := &dir{root, d.joinName(name)}
	if info, err := below.statFolder(); err != nil || !os.SameFile(seen, info) {
		below.close()
		return nil, changedMeanwhile(below.path)
	}
	return below, nil
}

// openBelow opens the folder of a name, which is no link.
func (d *dir) openBelow(name string) (*dir, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, changedMeanwhile(d.joinName(name))
	}
	return d.openSeen(name, info)
}

// open opens a regular file in the folder: the one that seen describes and no
// other. It never waits for another process, as opening a pipe would.
func (d *dir) open(name string, seen fs.FileInfo) (*File, error) {
	file, err := d.root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, d.refuseEntry(name, err)
	}
	local := d.joinName(name)
	info, err := file.Stat()
	switch {
	case err != nil:
		err = toolError(message.ExecutionError, "open %s: %s", quotePath(local), systemReason(err))
	case !os.SameFile(seen, info):
		err = changedMeanwhile(local)
	default:
		err = checkRegular(local, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &File{File: file, Path: local, Size: info.Size(), info: info}, nil
}

// refuseEntry is the error of an entry that was there when it was looked at and could
// not be opened.
func (d *dir) refuseEntry(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
		return changedMeanwhile(d.joinName(name))
	}
	return toolError(message.ExecutionError, "open %s: %s", quotePath(d.joinName(name)), systemReason(err))
}

// readEntries returns the folder's entries in the order of their names, and whether
// there are more than most. With an error, that of ctx included, it returns what
// it could read.
func (d *dir) readEntries(ctx context.Context, most int) ([]fs.DirEntry, bool, error) {
	opened, err := d.root.Open(".")
	if err != nil {
		return nil, false, err
	}
	return readEntries(ctx, opened, most)
}

// isRepository reports whether the folder is one in which git keeps a repository, whatever its
// name, or would be if something of the name more were in it.
func (d *dir) isRepository(more string) bool {
	return autorun.IsRepository(func(name string) bool { return name == more || d.has(name) })
}

// has reports whether something of that name is in the folder.
func (d *dir) has(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}
