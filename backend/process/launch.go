package process

import (
	"fmt"
	"os"
	"os/exec"
)

// launch starts a shell with its output and errors in one pipe, so that they
// keep their order, and with no input: the null device. It returns the end to
// read from.
func launch(shell *exec.Cmd, c Command) (*os.File, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	defer write.Close()
	shell.Dir, shell.Env = c.Dir, c.Env
	if c.Env == nil {
		shell.Env = Environment()
	}
	shell.Stdout, shell.Stderr = write, write
	if err := shell.Start(); err != nil {
		read.Close()
		return nil, err
	}
	return read, nil
}
