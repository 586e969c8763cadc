//go:build unix && !linux && !darwin

package process

import (
	"os"
	"os/exec"

	"fairlead/backend/sandbox"
)

// startServerTree starts a server as it is: there is nothing that confines it here.
func startServerTree(space *sandbox.ServerSpace, c sandbox.Server, streams [3]*os.File) (tree, error) {
	program := exec.Command(c.Program, c.Arguments...)
	program.Dir, program.Env = space.Folder(), c.Env
	program.Stdin, program.Stdout, program.Stderr = streams[0], streams[1], streams[2]
	t, err := startSession(program)
	if err != nil {
		return nil, err
	}
	return t, nil
}
