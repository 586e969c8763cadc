package sandboxtest

import (
	"os"
	"runtime"
	"testing"
)

// Link makes a symbolic link, and skips the test where TryLink makes none.
func Link(t testing.TB, target, path string) {
	t.Helper()
	if !TryLink(t, target, path) {
		t.Skip("this system makes no symbolic links")
	}
}

// TryLink makes a symbolic link and reports whether the system makes any. Windows makes none
// to a user without the right to, and some versions of Wine only say that they did.
func TryLink(t testing.TB, target, path string) bool {
	t.Helper()
	err := os.Symlink(target, path)
	if err == nil {
		_, err = os.Lstat(path)
	}
	if err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	return err == nil
}
