package workspace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"fairlead/backend/message"
)

// File is a regular file opened for reading.
type File struct {
	*os.File
	// Path is the file's place in the folder, links followed.
	Path string
	// Size is the file's length in bytes when it was opened.
	Size int64

	// info describes the file as it was opened.
	info fs.FileInfo
}

// OpenFile opens the file that a path leads to. Besides the errors of Locate it
// fails with DENIED_FILE for files that hold secrets, FILE_NOT_FOUND, which names
// similar files, and UNSUPPORTED_FILE for what is no regular file.
func (f *Folder) OpenFile(name string) (*File, error) {
	r, err := f.openRoute(name)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := checkSecret(r.Place); err != nil {
		return nil, err
	}
	if !r.Exists() {
		return nil, f.NotFound(r.Place)
	}
	return f.openAt(r)
}

// OpenFound opens a file by the path that Walk or Locate found it by, and follows no
// link: it fails with STALE_FILE if the path leads through one by now, or leads
// nowhere. Its other errors are those of OpenFile.
func (f *Folder) OpenFound(local string) (*File, error) {
	o := f.Opener()
	defer o.Close()
	return o.Open(local)
}

// openAt opens the file that a route leads to.
func (f *Folder) openAt(r *route) (*File, error) {
	file, err := r.openFile()
	if err != nil {
		return nil, err
	}
	if err := f.refuseLinked(file); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// openFile opens the regular file that a route leads to.
func (r *route) openFile() (*File, error) {
	if err := checkRegular(r.Path, r.Info); err != nil {
		return nil, err
	}
	return r.lastFolder().open(path.Base(r.Path), r.Info)
}

// open opens a local path, wherever links in the folder lead. It never waits for
// another process, as opening a FIFO would, and looks at what it got.
func (f *Folder) open(local string) (*File, error) {
	file, err := f.root.OpenFile(filepath.FromSlash(local), os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, toolError(message.ExecutionError, "open %s: %s", quotePath(local), systemReason(err))
	}
	info, err := file.Stat()
	if err == nil {
		err = checkRegular(local, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &File{File: file, Path: local, Size: info.Size(), info: info}, nil
}

// ReadAll returns the whole file. It fails with UNSUPPORTED_FILE for more than
// limit bytes, without reading them, and with the error of ctx when that ends.
func (file *File) ReadAll(ctx context.Context, limit int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", quotePath(file.Path), err)
	}
	tooLarge := toolError(message.UnsupportedFile, "%s has more than %d bytes, the most that is taken here", quotePath(file.Path), limit)
	if file.Size > limit {
		return nil, tooLarge
	}
	var read bytes.Buffer
	read.Grow(int(file.Size) + bytes.MinRead)
	if _, err := read.ReadFrom(io.LimitReader(file, limit+1)); err != nil {
		return nil, toolError(message.ExecutionError, "read %s: %s", quotePath(file.Path), systemReason(err))
	}
	content := read.Bytes()
	if int64(len(content)) > limit {
		return nil, tooLarge
	}
	return content, nil
}

func checkSecret(place Place) error {
	if IsSecret(place.given) || IsSecret(place.Path) {
		return deniedSecret(place.given)
	}
	return nil
}

func deniedSecret(name string) error {
	return toolError(message.DeniedFile, "%s is a file for keys or passwords, which tools neither read nor write: ask the user for what you need", quotePath(name))
}

func checkRegular(local string, info os.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return toolError(message.UnsupportedFile, "%s is a folder, not a file: list it with list_files", quotePath(local))
	default:
		return toolError(message.UnsupportedFile, "%s is no regular file but %s", quotePath(local), kindName(info.Mode()))
	}
}

func kindName(mode os.FileMode) string {
	switch {
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	case mode&os.ModeDevice != 0:
		return "a device"
	case mode&os.ModeSymlink != 0:
		return "a link"
	default:
		return "something else"
	}
}
