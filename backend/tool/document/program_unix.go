//go:build unix

package document

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lower has the process yield to all others.
func (c *child) lower() {
	const lowest = 19
	_ = unix.Setpriority(unix.PRIO_PROCESS, c.cmd.Process.Pid, lowest) // it takes longer for others otherwise
}

// isBroken reports whether an error says that the other side of a pipe is gone.
func isBroken(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, fs.ErrClosed) || errors.Is(err, os.ErrClosed)
}

func rootFolder() string { return "/" }
