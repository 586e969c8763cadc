package process

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// maxFolder is how long the path of a folder is at most in which Windows starts a program,
// whatever it allows elsewhere.
const maxFolder = windows.MAX_PATH - 2

// startFolder is a path of a folder in which Windows starts a program: that of its short names
// where the folder's own is too long.
func startFolder(dir string) (string, error) {
	long, err := windows.UTF16FromString(dir)
	if err != nil {
		return "", err
	}
	length := len(long) - 1
	if length <= maxFolder {
		return dir, nil
	}
	short := make([]uint16, len(long))
	n, err := windows.GetShortPathName(&long[0], &short[0], uint32(len(short))) //nolint:gosec // a path is not that long
	if err != nil {
		return "", fmt.Errorf("find its short name: %w", err)
	}
	if n > maxFolder {
		return "", fmt.Errorf("its path has %d characters, and Windows starts no program in one of more than %d: move it to a shorter one", length, maxFolder)
	}
	return windows.UTF16ToString(short[:n]), nil
}
