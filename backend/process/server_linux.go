package process

import (
	"os"

	"fairlead/backend/sandbox"
)

// startServerTree starts a server in its space with its input, output and errors.
func startServerTree(space *sandbox.ServerSpace, c sandbox.Server, streams [3]*os.File) (tree, error) {
	guard, err := space.Start(c, streams[0], streams[1], streams[2])
	if err != nil {
		return nil, markRefused(ErrNotStarted, err)
	}
	return &confined{guard, ErrNotStarted}, nil
}
