//go:build !windows

package watch

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWS02_AFolderTakesThePlaceOfAnother without the other one's being deleted
// first.
func TestWS02_AFolderTakesThePlaceOfAnother(t *testing.T) {
	w := begin(t, usualLimits(), openSource, "sub/f")
	w.remove("sub/f")
	w.wants("sub/f")
	other := filepath.Join(w.outside, "other")
	if err := os.MkdirAll(filepath.Join(other, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Rename(other, w.path("sub")); err != nil {
		t.Fatal(err)
	}
	w.wants("sub", "sub/deep")
	w.put("sub/deep/g")
	w.wants("sub/deep/g")
}

func TestTOOL02_SpecialFilesAreNotReported(t *testing.T) {
	w := begin(t, usualLimits(), openSource)
	if err := syscall.Mkfifo(w.path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.wants()
}
