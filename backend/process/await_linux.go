package process

import (
	"errors"

	"golang.org/x/sys/unix"
)

// awaitShell waits for the end of the shell and leaves it a zombie. Its number, which
// is the group's too, cannot go to another process before collect, so a kill in
// between cannot hit a stranger.
func (t *unconfined) awaitShell() {
	for {
		err := unix.Waitid(unix.P_PID, t.shell.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// collectShell takes the ended shell off the system's list. Its exit code is in the
// process state, so that the error says nothing new.
func (t *unconfined) collectShell() { _ = t.shell.Wait() }
