package sandbox

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a file until it is closed; an error says that somebody else has.
func lock(file *os.File) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{})
}
