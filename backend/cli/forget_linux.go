package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// forgetInput drops what was typed and not read yet. When it fails, the line that
// the user sees typed above the question is all there is against a mistake.
func forgetInput(terminal *os.File) {
	_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
