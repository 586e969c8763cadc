package change

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"fairlead/backend/leftover"
)

// Kind is what lies at a path.
type Kind string

// The kinds.
const (
	None   Kind = ""
	File   Kind = "file"
	Folder Kind = "folder"
	Link   Kind = "link"
	// Other is a pipe, a socket or a device.
	Other Kind = "other"
)

// State is what lies at a path at one moment.
type State struct {
	Kind Kind `json:"kind,omitempty"`
	// Mode has the permission bits, and those for set-uid, set-gid and sticky, as
	// package fs has them.
	Mode fs.FileMode `json:"mode,omitempty"`
	// Modified is when the content changed, in nanoseconds since 1970.
	Modified int64 `json:"modified,omitempty"`
	// Size is that of a file, in bytes.
	Size int64 `json:"size,omitempty"`
	// Sum is the SHA-256 of a file's content, in hex; empty where it is not known.
	Sum string `json:"sum,omitempty"`
	// Target is where a link leads.
	Target leftover.Path `json:"target,omitempty"`
	// Owner and Group are their numbers.
	Owner uint32 `json:"owner,omitempty"`
	Group uint32 `json:"group,omitempty"`
	// Attributes are the extended ones, in which lists of rights are kept too.
	Attributes map[string][]byte `json:"attributes,omitempty"`
	// Inode is the file system's number, Changed when anything of it changed, in
	// nanoseconds since 1970: where both are the same, nothing has. Links counts its names.
	Inode   uint64 `json:"inode,omitempty"`
	Changed int64  `json:"changed,omitempty"`
	Links   uint64 `json:"links,omitempty"`
}

const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// lookAt returns what lies at a name in a folder, without the sum of its content.
func lookAt(dir *os.Root, name string) (State, error) {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	s := stateOf(info)
	if s.Kind == Link {
		target, err := dir.Readlink(name)
		if err != nil {
			return State{}, err
		}
		s.Target = leftover.Path(target)
	}
	s.identifyAt(filepath.Join(dir.Name(), name))
	return s, nil
}

// stateOf is the state that a description tells of.
func stateOf(info fs.FileInfo) State {
	s := State{Mode: info.Mode() & modeBits, Modified: info.ModTime().UnixNano()}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		s.Kind, s.Size = File, info.Size()
	case mode.IsDir():
		s.Kind = Folder
	case mode&fs.ModeSymlink != 0:
		s.Kind = Link
	default:
		s.Kind = Other
	}
	s.addIdentity(info)
	return s
}

// IdentityOf returns the file system's number of what info describes, how many names it has, and
// when anything of it changed, in nanoseconds since 1970; zero where the system does not tell.
func IdentityOf(info fs.FileInfo) (inode, links uint64, changed int64) {
	s := stateOf(info)
	return s.Inode, s.Links, s.Changed
}

// isUntouched reports whether nothing has changed since an earlier state was looked at: it is
// quick.
func (s State) isUntouched(since State) bool {
	if s.Inode == 0 { // where the system does not tell
		return s.Kind == since.Kind && s.Size == since.Size && s.Modified == since.Modified && s.Mode == since.Mode && s.Target == since.Target
	}
	return s.Kind == since.Kind && s.Inode == since.Inode && s.Changed == since.Changed && s.Size == since.Size
}

// isSameFile reports whether both states are of one file that was not written to between
// them; it may have been moved.
func (s State) isSameFile(other State) bool {
	return s.Kind == other.Kind && s.Inode == other.Inode && s.Size == other.Size && s.Modified == other.Modified
}

// sameContent reports whether both states are known to have one content, by their sums or
// because it is one file.
func (s State) sameContent(other State) bool {
	switch {
	case s.Kind != other.Kind:
		return false
	case s.Kind == Link:
		return s.Target == other.Target
	case s.Kind != File:
		return true
	case s.Size != other.Size:
		return false
	case s.Sum != "" && other.Sum != "":
		return s.Sum == other.Sum
	}
	return s.Inode != 0 && s.isSameFile(other)
}

// sameRest reports whether what belongs to both beside the content is the same.
func (s State) sameRest(other State) bool {
	return s.Mode == other.Mode && s.Modified == other.Modified && s.Owner == other.Owner && s.Group == other.Group &&
		maps.EqualFunc(s.Attributes, other.Attributes, slices.Equal)
}

// runs reports whether the owner may run a file, which is all that many tools keep of its
// mode.
func (s State) runs() bool { return s.Kind == File && s.Mode&0o100 != 0 }

// maxSummed is how large a file is at most whose sum is taken for the record, in bytes
// (SPEC CHG-01).
const maxSummed = 64 << 20

// sumAt returns the SHA-256 of the file at a name in a folder, which is the one that seen
// describes.
func sumAt(dir *os.Root, name string, seen State) (string, error) {
	file, err := openSeen(dir, name, seen)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	return sumFile(file)
}

// sumFile returns the SHA-256 of a file's content.
func sumFile(file *os.File) (string, error) {
	sum := sha256.New()
	buffer := buffers.Get().(*[bufferSize]byte)
	defer buffers.Put(buffer)
	if _, err := io.CopyBuffer(sum, io.NewSectionReader(file, 0, math.MaxInt64), buffer[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// bufferSize is how much of a file is read at once.
const bufferSize = 64 << 10

// buffers are what files are read through.
var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// SumOf is the SHA-256 of a content, as states have it.
func SumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// openSeen opens a file to be read: the one that seen describes and no other.
func openSeen(dir *os.Root, name string, seen State) (*os.File, error) {
	file, err := dir.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	now, err := stateOfOpened(file)
	if err == nil && (now.Kind != File || now.Inode != seen.Inode) {
		err = ErrChanged
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// stateOfOpened is the state of what is opened.
func stateOfOpened(opened *os.File) (State, error) {
	info, err := opened.Stat()
	if err != nil {
		return State{}, err
	}
	s := stateOf(info)
	s.identifyOpened(opened)
	return s, nil
}
