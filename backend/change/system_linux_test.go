package change_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// otherFileSystem is a folder on another file system than that of temporary files.
func otherFileSystem(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "change-")
	if err != nil {
		t.Skipf("there is no other file system: %v", err)
	}
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	if one, err := os.Stat(dir); err == nil {
		if other, err := os.Stat(filepath.Dir(t.TempDir())); err == nil && one.Sys().(*syscall.Stat_t).Dev == other.Sys().(*syscall.Stat_t).Dev {
			t.Skip("there is no other file system")
		}
	}
	return dir
}
