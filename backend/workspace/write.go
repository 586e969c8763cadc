package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"fairlead/backend/message"
)

const (
	newFile   fs.FileMode = 0o644
	newFolder fs.FileMode = 0o755
	// writable is the owner's right to write; on Windows it is the opposite of
	// the read-only attribute.
	writable fs.FileMode = 0o200
)

// Writable returns the place that a file would be written to, or why it would
// not be: the errors of Locate, DENIED_FILE for files that hold secrets and for
// git's own folder, UNSUPPORTED_FILE for what is no regular file, EXECUTION_ERROR
// for a read-only file.
func (f *Folder) Writable(name string) (Place, error) {
	place, err := f.Locate(name)
	if err != nil {
		return Place{}, err
	}
	if err := allowed(place); err != nil {
		return Place{}, err
	}
	if inGit(place.given) || inGit(place.Path) {
		return Place{}, fail(message.DeniedFile, "%s belongs to git: use git commands to change it", quote(place.given))
	}
	if !place.Exists() {
		return place, nil
	}
	if err := regular(place.Path, place.Info); err != nil {
		return Place{}, err
	}
	if place.Info.Mode()&writable == 0 {
		return Place{}, fail(message.ExecutionError, "%s is read-only: ask the user to allow writing it", quote(place.Path))
	}
	return place, nil
}

// Write makes content the whole content of the file that name leads to, at once
// or not at all: readers and a crash see the old or the new content. The file is
// replaced, so that its other hard links keep the old content; its mode stays.
// Missing folders are made.
func (f *Folder) Write(name string, content []byte) error {
	place, err := f.Writable(name)
	if err != nil {
		return err
	}
	mode := newFile
	if place.Exists() {
		mode = place.Info.Mode().Perm()
	}
	folder, base := path.Split(place.Path)
	folder = path.Clean(folder)
	if err := f.root.MkdirAll(filepath.FromSlash(folder), newFolder); err != nil {
		return fail(message.ExecutionError, "make the folder %s: %s", quote(folder), reason(err))
	}
	// All further calls go through the open folder, so that they meet in one
	// place even if a path to it changes meanwhile.
	dir, err := f.root.OpenRoot(filepath.FromSlash(folder))
	if err != nil {
		return fail(message.ExecutionError, "open the folder %s: %s", quote(folder), reason(err))
	}
	defer func() { _ = dir.Close() }()
	if err := replace(dir, base, mode, !place.Exists(), bytes.NewReader(content)); err != nil {
		return fail(message.ExecutionError, "write %s: %s", quote(place.Path), reason(err))
	}
	return nil
}

// replace writes content to a temporary file in dir and gives that the name base.
// No temporary file is left when it fails.
func replace(dir *os.Root, base string, mode fs.FileMode, created bool, content io.Reader) (err error) {
	temporary := temporaryName()
	file, err := dir.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = dir.Remove(temporary)
		}
	}()
	_, err = io.Copy(file, content)
	if err == nil && !created {
		// A file that was there keeps its mode whatever the umask.
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err = dir.Rename(temporary, base); err != nil {
		return err
	}
	syncFolder(dir)
	return nil
}

// syncFolder makes a rename survive a power cut. Where folders cannot be synced
// the file system does it in its own time.
func syncFolder(dir *os.Root) {
	if handle, err := dir.Open("."); err == nil {
		_ = handle.Sync()
		_ = handle.Close()
	}
}
