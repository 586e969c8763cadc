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
)

// NewRecorder returns a recorder for a folder that is held open as root, and at path. It
// keeps sets in memory and what was there before in a temporary folder.
func NewRecorder(t testing.TB, root *os.Root, path string) *change.Recorder {
	t.Helper()
	r, closeAll := Open(root, path, filepath.Join(t.TempDir(), "objects"))
	t.Cleanup(closeAll)
	return r
}

// Open is NewRecorder, for a caller who closes it, and keeps what was there before in a folder.
func Open(root *os.Root, path, kept string) (r *change.Recorder, closeAll func()) {
	var ids atomic.Int64
	objects := change.OpenObjects(kept)
	r = change.NewRecorder(change.Options{
		Root: root, Path: path, SessionID: "session", Journal: &change.Memory{}, Objects: objects,
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
	r := NewRecorder(t, folder.Root(), folder.Path())
	folder.UseChanges(r)
	return r
}
