package document

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lower has the process yield to all others.
func (c *child) lower() {
	handle, err := windows.OpenProcess(windows.PROCESS_SET_INFORMATION, false, uint32(c.cmd.Process.Pid)) //nolint:gosec // it is a process id
	if err != nil {
		return
	}
	_ = windows.SetPriorityClass(handle, windows.IDLE_PRIORITY_CLASS)
	_ = windows.CloseHandle(handle)
}

// isBroken reports whether an error says that the other side of a pipe is gone.
func isBroken(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, os.ErrClosed)
}

func rootFolder() string { return os.Getenv("SystemRoot") }
