package watch

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// source is where changes come from: the system, which watches single folders,
// not what is below them. The zero source watches nothing.
type source struct {
	events <-chan fsnotify.Event
	errors <-chan error
	// add and remove take absolute paths in the system's spelling.
	add, remove func(dir string) error
	close       func() error
}

func openSource() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return source{}, err
	}
	return source{events: w.Events, errors: w.Errors, add: w.Add, remove: w.Remove, close: w.Close}, nil
}

// closeSource gives back what the system holds for the source.
func (s source) closeSource() {
	if s.close != nil {
		_ = s.close() // Nobody could do anything about it.
	}
}

// isFolderFault reports whether adding a folder failed because of that folder alone: it
// went away, is something else by now, or cannot be read.
func isFolderFault(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

// isForgotten reports whether removing a folder failed because the system had done so
// already.
func isForgotten(err error) bool {
	return errors.Is(err, fsnotify.ErrNonExistentWatch) || errors.Is(err, syscall.EINVAL)
}

// isExhausted reports whether the system's limits for watching are reached.
func isExhausted(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// What Change.Limited says.
const (
	limitedFolders   = "The folder holds more folders than are watched at once. Changes in the others show when the list is refreshed."
	limitedFiles     = "The folder holds more files than are watched at once. Changes in the fullest folders show when the list is refreshed."
	limitedExhausted = "The system's limit for watching folders is reached. Changes in some folders show when the list is refreshed."
	limitedNone      = "The system cannot watch this folder. Changes show when the list is refreshed."
)
