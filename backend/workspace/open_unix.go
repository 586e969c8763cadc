//go:build !windows

package workspace

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noWait makes opening a FIFO return at once, and keeps a terminal device from
// becoming the process's own.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

// reopenUnrooted returns another file for an opened folder, which it closes. Reading the
// entries of one that an os.Root opened asks the system about each (os, newUnixDirent),
// which takes longer than all the rest of it.
func reopenUnrooted(opened *os.File) (*os.File, error) {
	defer func() { _ = opened.Close() }()
	fd, err := unix.FcntlInt(opened.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("read folder %s: %w", opened.Name(), err)
	}
	return os.NewFile(uintptr(fd), opened.Name()), nil
}
