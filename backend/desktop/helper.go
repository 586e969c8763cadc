package desktop

import (
	"os"
	"path/filepath"
	"runtime"
)

// findHelper returns the program that confines commands: the one without a window that lies
// beside this one, because a program that is linked to a web view takes twenty times
// as long to start. It is this one where there is none, in development.
func findHelper() string {
	own, err := os.Executable()
	if err != nil {
		return "" // the backend says so
	}
	name := "fairlead"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(filepath.Dir(own), name)
	if info, err := os.Stat(beside); err != nil || !info.Mode().IsRegular() { //nolint:forbidigo // a program, not a file of the workspace
		return own
	}
	return beside
}
