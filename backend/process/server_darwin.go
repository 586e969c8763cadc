package process

import (
	"fmt"
	"os"
	"os/exec"

	"fairlead/backend/sandbox"
)

// startServerTree starts a server in its space with its input, output and errors. Not verified.
func startServerTree(space *sandbox.ServerSpace, c sandbox.Server, streams [3]*os.File) (tree, error) {
	arguments, err := space.Arguments(c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotStarted, err)
	}
	program := exec.Command(arguments[0], arguments[1:]...)
	program.Dir, program.Env = space.Folder(), c.Env
	program.Stdin, program.Stdout, program.Stderr = streams[0], streams[1], streams[2]
	return startUnderProfile(program)
}
