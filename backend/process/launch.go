package process

import (
	"os"
	"os/exec"
)

// launchShell starts a shell with its output and errors in one pipe, so that they keep
// their order, and with no input: the null device.
func launchShell(shell *exec.Cmd, c Command, output *os.File) error {
	shell.Dir, shell.Env = c.Dir, c.Env
	shell.Stdout, shell.Stderr = output, output
	return shell.Start()
}
