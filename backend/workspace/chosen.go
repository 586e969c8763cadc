package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errNoFile is returned for what is a folder, a pipe or a device.
var errNoFile = errors.New("it is no regular file")

// OpenChosen opens a file that the user chose or dropped, wherever it lies, and returns its size in
// bytes. What is no file is refused before it is opened: a pipe would be waited for.
func OpenChosen(path string) (file *os.File, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open a file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("open a file: %w", &fs.PathError{Op: "open", Path: path, Err: errNoFile})
	}
	file, err = os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open a file: %w", err)
	}
	return file, info.Size(), nil
}

// Inside returns the path in the folder of what the user chose or dropped; ok is false for what lies
// elsewhere, and for the folder itself.
func (f *Folder) Inside(absolute string) (local string, ok bool) {
	local, ok = f.relativePath(absolute)
	return local, ok && local != "."
}

// CopyIn copies a file that the user chose or dropped to the top of the folder, and returns its path there.
// Where something has its name it gets a number behind it; nothing is replaced.
func (f *Folder) CopyIn(ctx context.Context, path string) (local string, err error) {
	source, _, err := OpenChosen(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = source.Close() }()
	name := filepath.Base(path)
	if localName, ok := f.localPath(name); !ok || localName != name || f.IsUnfinished(name) {
		return "", fmt.Errorf("copy %s into the folder: no file there can have this name", quotePath(name))
	}
	target, local, err := f.createFree(name)
	if err != nil {
		return "", fmt.Errorf("copy %s into the folder: %w", quotePath(name), err)
	}
	stop := context.AfterFunc(ctx, func() { _ = source.Close() }) // which ends the copy
	defer stop()
	_, err = io.Copy(target, source)
	if err = errors.Join(ctx.Err(), err, target.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("copy %s into the folder: %w", quotePath(name), err), f.root.Remove(local))
	}
	return local, nil
}

// createFree creates a file at the top of the folder under a name that nothing has.
func (f *Folder) createFree(name string) (file *os.File, local string, err error) {
	ending := filepath.Ext(name)
	for number := 1; ; number++ {
		local = name
		if number > 1 {
			local = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ending), number, ending)
		}
		file, err = f.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) || number == maxNumber {
			return file, local, err
		}
	}
}

// IsFolder reports whether what the user chose or dropped is a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
