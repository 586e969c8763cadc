// Package changetest gives tests recorders of changes.
package changetest

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
)

// NewRecorder returns a recorder for a folder that is held open as root, and at path. It
// keeps sets in memory and what was there before in a temporary folder.
func NewRecorder(t testing.TB, root *os.Root, path string) *change.Recorder {
	t.Helper()
	return newRecorder(t, root, path, nil)
}

func newRecorder(t testing.TB, root *os.Root, path string, left *leftover.Record) *change.Recorder {
	t.Helper()
	r, closeAll := open(root, path, filepath.Join(t.TempDir(), "objects"), left)
	t.Cleanup(closeAll)
	return r
}

// Open is NewRecorder, for a caller who closes it, and keeps what was there before in a folder.
func Open(root *os.Root, path, kept string) (r *change.Recorder, closeAll func()) {
	return open(root, path, kept, nil)
}

func open(root *os.Root, path, kept string, left *leftover.Record) (r *change.Recorder, closeAll func()) {
	var ids atomic.Int64
	objects := change.OpenObjects(kept)
	r = change.NewRecorder(change.Options{
		Root: root, Path: path, SessionID: "session", Journal: &change.Memory{}, Objects: objects, Leftover: left,
		NewID: func() string { return fmt.Sprintf("set%06d", ids.Add(1)) }, Log: slog.New(slog.DiscardHandler),
	})
	return r, func() {
		if err := errors.Join(r.Close(), objects.Close()); err != nil {
			panic(err)
		}
	}
}

// Folder is one that has what is changed in it recorded.
type Folder interface {
	UseChanges(*change.Recorder)
	Root() *os.Root
	Path() string
}

// Use gives a folder a recorder, which it returns.
func Use(t testing.TB, folder Folder) *change.Recorder {
	t.Helper()
	return UseOnRecord(t, folder, nil)
}

// UseOnRecord is Use, with what lies in the folder for a moment on record.
func UseOnRecord(t testing.TB, folder Folder, left *leftover.Record) *change.Recorder {
	t.Helper()
	r := newRecorder(t, folder.Root(), folder.Path(), left)
	folder.UseChanges(r)
	return r
}
