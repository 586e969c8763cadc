// Package changetest gives tests recorders of changes.
package changetest

import (
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
	var ids atomic.Int64
	objects := change.OpenObjects(filepath.Join(t.TempDir(), "objects"))
	t.Cleanup(func() {
		if err := objects.Close(); err != nil {
			t.Error(err)
		}
	})
	return change.NewRecorder(change.Options{
		Root: root, Path: path, SessionID: "session", Journal: &change.Memory{}, Objects: objects,
		NewID: func() string { return fmt.Sprintf("set%06d", ids.Add(1)) }, Log: slog.New(slog.DiscardHandler),
	})
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
