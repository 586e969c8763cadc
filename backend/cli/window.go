package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// openWindow opens the window, in this program or in the one beside it, which then
// takes the place of this one (SPEC CLI-02).
func openWindow(streams Streams) error {
	program, missing := findWindow(streams.OpenWindow != nil)
	switch {
	case missing != "":
		return &usageError{
			problem: missing,
			hint:    `give a task: fairlead run --workspace DIR "what to do"; fairlead run --provider demo shows a tour`,
		}
	case streams.OpenWindow != nil:
		return streams.OpenWindow()
	}
	if err := startProgram(program); err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	return nil
}

// findWindow returns the program that opens the window, which is this one if
// itself says so, and what is missing to do it: "" when nothing is.
func findWindow(itself bool) (program, missing string) {
	program, found := windowProgram(itself)
	display := runtime.GOOS != "linux" || os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("DISPLAY") != ""
	switch {
	case !found && !display:
		return program, program + " is not there, and there is no display"
	case !found:
		return program, program + " is not there"
	case !display:
		return program, "there is no display (DISPLAY and WAYLAND_DISPLAY are not set)"
	}
	return program, ""
}

// windowProgram returns the program that has the window: this one, or the one that
// lies beside it.
func windowProgram(itself bool) (path string, found bool) {
	path, err := os.Executable()
	if err == nil {
		// A link to this program may lie anywhere.
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "the program of the window", itself
	}
	if itself {
		return path, true
	}
	name := "fairlead-window"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path = filepath.Join(filepath.Dir(path), name)
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular()
}
