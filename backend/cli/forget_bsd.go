//go:build unix && !linux

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// readQueue is FREAD of <sys/fcntl.h>: the queue of input.
const readQueue = 1

// forgetInput drops what was typed and not read yet. When it fails, the line that
// the user sees typed above the question is all there is against a mistake.
func forgetInput(terminal *os.File) {
	_ = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCFLUSH, readQueue)
}
