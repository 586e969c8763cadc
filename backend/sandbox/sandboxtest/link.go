package sandboxtest

import (
	"os"
	"runtime"
	"testing"
)

// Link makes a symbolic link. It skips the test where the system makes none: Windows, to a
// user without the right to, and Wine, some versions of which only say that they did.
func Link(t testing.TB, target, path string) {
	t.Helper()
	err := os.Symlink(target, path)
	if err == nil {
		_, err = os.Lstat(path)
	}
	if err != nil && runtime.GOOS == "windows" {
		t.Skip("no symbolic links here")
	}
	if err != nil {
		t.Fatal(err)
	}
}
