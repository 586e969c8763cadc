package leftover

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Kind is what a thing is.
type Kind string

// The kinds.
const (
	// File is a regular file.
	File Kind = "file"
	// Link is a symbolic link.
	Link Kind = "link"
	// Folder is a folder, which is taken away only while it is empty.
	Folder Kind = "folder"
	// Scene is a folder with all that is in it, whose name nobody could know before.
	Scene Kind = "scene"
)

// Thing is a file or folder outside Fairlead's own folders, and what tells it from others
// at the same place.
type Thing struct {
	Kind Kind
	// Root is a folder, as an absolute path without links, and Name the thing's path below
	// that, which leads nowhere else.
	Root, Name Path
	// Inode is the file system's number of it; 0 where that is not known.
	Inode uint64 `json:",omitempty"`
	// Size is how large a file is, in bytes, or how large it becomes while it is written.
	Size int64 `json:",omitempty"`
	// Content is what a file holds, or begins to; empty where only its size is known.
	Content string `json:",omitempty"`
	// Modified is when a file was last written to; zero for one that still is.
	Modified time.Time `json:",omitzero"`
	// Since is when it was put on record: what is older is something else.
	Since time.Time
}

// Path is a path that need not be UTF-8.
type Path string

// MarshalText implements encoding.TextMarshaler.
func (p Path) MarshalText() ([]byte, error) { return []byte(strconv.Quote(string(p))), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Path) UnmarshalText(text []byte) error {
	path, err := strconv.Unquote(string(text))
	*p = Path(path)
	return err
}

// absolutePath is the thing's absolute path.
func (t Thing) absolutePath() string { return filepath.Join(string(t.Root), string(t.Name)) }

// withName is the thing below another root.
func (t Thing) withName(name string) Thing {
	t.Name = Path(name)
	return t
}

// slack is how much older a file may be than its record, because file systems and clocks
// round.
const slack = 3 * time.Second

// matchesFile reports whether what lies at the thing's place in root, which info describes, is the
// thing.
func (t Thing) matchesFile(root *os.Root, info fs.FileInfo) bool {
	isFolder, isLink := t.Kind == Folder || t.Kind == Scene, t.Kind == Link
	if t.Inode != 0 && inodeOf(info) != t.Inode || info.IsDir() != isFolder || (info.Mode()&fs.ModeSymlink != 0) != isLink {
		return false
	}
	if isFolder || isLink {
		return t.Inode != 0 || t.Kind == Scene || !info.ModTime().Before(t.Since.Add(-slack))
	}
	switch {
	case !info.Mode().IsRegular() || info.Size() > t.Size:
		return false
	case !t.Modified.IsZero():
		return info.Size() == t.Size && info.ModTime().Equal(t.Modified)
	case t.Inode == 0 && info.ModTime().Before(t.Since.Add(-slack)):
		return false
	}
	return t.Content == "" || t.holdsBeginning(root)
}

// holdsBeginning reports whether the file holds a beginning of the thing's content.
func (t Thing) holdsBeginning(root *os.Root) bool {
	file, err := root.Open(string(t.Name))
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	held, err := io.ReadAll(io.LimitReader(file, t.Size+1))
	return err == nil && strings.HasPrefix(t.Content, string(held))
}

// remove takes the thing away, if it is still there.
func (t Thing) remove() error {
	root, err := os.OpenRoot(string(t.Root))
	if err != nil {
		return unlessMissing(err)
	}
	defer func() { _ = root.Close() }()
	return t.removeIn(root)
}

func (t Thing) removeIn(root *os.Root) error {
	name := string(t.Name)
	info, err := root.Lstat(name)
	if err != nil {
		return unlessMissing(err)
	}
	if !t.matchesFile(root, info) {
		return nil
	}
	if t.Kind == Scene {
		return root.RemoveAll(name)
	}
	err = root.Remove(name)
	if t.Kind == Folder && err != nil && notEmpty(root, name) {
		return nil // it holds something of others
	}
	return unlessMissing(err)
}

// notEmpty reports whether there is something in a folder.
func notEmpty(root *os.Root, name string) bool {
	dir, err := root.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()
	_, err = dir.ReadDir(1)
	return err == nil
}

// unlessMissing is the error, unless it says that there is nothing.
func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
