//go:build unix

package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file until it is closed; an error says that somebody else has.
func lock(file *os.File) error {
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
