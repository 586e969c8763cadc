package leftover

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockedHigh is the upper half of the offset of the byte that is locked, far behind all that is
// in a file: what is locked cannot be read by others.
const lockedHigh = 1 << 30

// lock locks a file until it is closed. Where somebody else has, it waits or fails.
func lock(file *os.File, wait bool) error {
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockedHigh})
}
