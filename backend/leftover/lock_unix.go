//go:build unix

package leftover

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file until it is closed. Where somebody else has, it waits or fails.
func lock(file *os.File, wait bool) error {
	how := unix.LOCK_EX | unix.LOCK_NB
	if wait {
		how = unix.LOCK_EX
	}
	for {
		if err := unix.Flock(int(file.Fd()), how); err != unix.EINTR { //nolint:errorlint // it comes from the system as it is
			return err
		}
	}
}
