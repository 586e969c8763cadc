package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"fairlead/backend/message"
)

// ErrLink is the error of what is a link where none is followed.
var ErrLink = errors.New("is a link, which is not followed here")

// Subtree is a folder that is read as it lies on the disk: nothing in it is left out, whatever
// ignore rules say, and no link is followed. It is held open, so that what is read from it is read
// in the folder that was looked at. It is safe for concurrent use.
type Subtree struct {
	dir *dir
	// folder is the workspace that it is a part of; nil for one that lies elsewhere.
	folder *Folder
}

// OpenSubtree opens a folder that belongs to no workspace, such as one of the user's settings;
// links on the way to it are followed. Where there is none, the error is fs.ErrNotExist.
func OpenSubtree(path string) (*Subtree, error) {
	// With the separator at the end, nothing but a folder is opened: opening a pipe waits.
	root, err := os.OpenRoot(path + string(os.PathSeparator))
	if err != nil {
		return nil, fmt.Errorf("open the folder %s: %w", quotePath(path), err)
	}
	return &Subtree{dir: &dir{root, "."}}, nil
}

// Subtree opens a folder below the top of the workspace by its local path. Where there is none, the
// error is fs.ErrNotExist; where a part of the path is a link, it is ErrLink.
func (f *Folder) Subtree(local string) (*Subtree, error) {
	at := &Subtree{dir: f.topDir(), folder: f}
	for i, name := range strings.Split(local, "/") {
		below, err := at.Open(name)
		if i > 0 { // the top is not to be closed
			at.Close()
		}
		if err != nil {
			return nil, err
		}
		at = below
	}
	return at, nil
}

// Close releases the folder.
func (s *Subtree) Close() { s.dir.close() }

// Entries returns what is in the folder, in the order of names, and whether there may be more than
// most. It returns soon after ctx ended.
func (s *Subtree) Entries(ctx context.Context, most int) (entries []fs.DirEntry, more bool, err error) {
	entries, more, err = s.dir.readEntries(ctx, most)
	if err != nil {
		return nil, false, fmt.Errorf("list the folder %s: %w", quotePath(s.dir.path), err)
	}
	return entries, more, nil
}

// Open opens a folder in this one by its name. Its errors are those of Folder.Subtree.
func (s *Subtree) Open(name string) (*Subtree, error) {
	info, err := s.lookAt(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, toolError(message.UnsupportedFile, "%s is a file, not a folder", quotePath(s.dir.joinName(name)))
	}
	below, err := s.dir.openSeen(name, info)
	if err != nil {
		return nil, err
	}
	return &Subtree{dir: below, folder: s.folder}, nil
}

// Target returns where a link leads, as it is written in it.
func (s *Subtree) Target(name string) (string, error) {
	target, err := s.dir.root.Readlink(name)
	if err != nil {
		return "", fmt.Errorf("read the link %s: %w", quotePath(s.dir.joinName(name)), err)
	}
	return target, nil
}

// OpenFile opens a regular file of the folder by its name. Besides the errors of Folder.Subtree it
// fails as Folder.OpenFile does: with DENIED_FILE for files that hold secrets, and UNSUPPORTED_FILE
// for what is no regular file.
func (s *Subtree) OpenFile(name string) (*File, error) {
	if local := s.dir.joinName(name); IsSecret(local) {
		return nil, deniedSecret(local)
	}
	file, err := s.open(name)
	if err != nil || s.folder == nil {
		return file, err
	}
	if err := s.folder.refuseLinked(file); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// open is OpenFile for a file that nobody is shown.
func (s *Subtree) open(name string) (*File, error) {
	info, err := s.lookAt(name)
	if err != nil {
		return nil, err
	}
	if err := checkRegular(s.dir.joinName(name), info); err != nil {
		return nil, err
	}
	return s.dir.open(name, info)
}

// lookAt returns what lies under a name, which is no link.
func (s *Subtree) lookAt(name string) (fs.FileInfo, error) {
	info, err := s.dir.root.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", quotePath(s.dir.joinName(name)), err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s %w", quotePath(s.dir.joinName(name)), ErrLink)
	}
	return info, nil
}

// Digest tells a file from others without showing what is in it.
type Digest struct {
	// Bytes is its length.
	Bytes int64
	// Executable reports whether anybody may run it; never on Windows.
	Executable bool
	// SHA256 is that of its content.
	SHA256 [sha256.Size]byte
}

// Digest reads a regular file by its name, also one that holds secrets. Of one with more than limit
// bytes it returns only how many these are. Besides the errors of Folder.Subtree, it fails with
// UNSUPPORTED_FILE for what is no regular file, STALE_FILE for one that changes meanwhile, and the
// error of ctx when that ends.
func (s *Subtree) Digest(ctx context.Context, name string, limit int64) (Digest, error) {
	file, err := s.open(name)
	if err != nil {
		return Digest{}, err
	}
	defer func() { _ = file.Close() }()
	if file.Size > limit {
		return Digest{Bytes: file.Size}, nil
	}
	sum := sha256.New()
	for left := file.Size + 1; left > 0; { // one more byte tells that it grew
		if err := ctx.Err(); err != nil {
			return Digest{}, err
		}
		n, err := io.CopyN(sum, file, min(left, blockSize))
		left -= n
		switch {
		case errors.Is(err, io.EOF) && left == 1:
			return file.digest([sha256.Size]byte(sum.Sum(nil))), nil
		case err != nil && !errors.Is(err, io.EOF):
			return Digest{}, fmt.Errorf("read %s: %w", quotePath(file.Path), err)
		case err != nil:
			return Digest{}, changedMeanwhile(file.Path)
		}
	}
	return Digest{}, changedMeanwhile(file.Path)
}

// DigestOf is the digest of the file, whose content was read.
func (file *File) DigestOf(content []byte) Digest {
	digest := file.digest(sha256.Sum256(content))
	digest.Bytes = int64(len(content))
	return digest
}

func (file *File) digest(sum [sha256.Size]byte) Digest {
	return Digest{Bytes: file.Size, Executable: file.info.Mode()&0o111 != 0, SHA256: sum}
}
