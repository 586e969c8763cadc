package process

import (
	"context"
	"os"

	"fairlead/backend/sandbox"
)

// startServerTree starts a server in its space with its input, output and errors.
func startServerTree(space *sandbox.ServerSpace, c sandbox.Server, streams [3]*os.File) (tree, error) {
	guard, err := space.Start(c, streams[0], streams[1], streams[2])
	if err != nil {
		return nil, markRefused(ErrNotStarted, err)
	}
	return &confinedServer{confined{guard, ErrNotStarted}, space}, nil
}

// confinedServer is a server with its guard.
type confinedServer struct {
	confined
	space *sandbox.ServerSpace
}

// protect implements protector.
func (t *confinedServer) protect(ctx context.Context, repositories, cover []string) error {
	return t.space.Protect(ctx, t.guard, repositories, cover)
}
