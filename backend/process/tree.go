package process

import (
	"fmt"
	"io"
	"os"
)

// tree is a shell and every process that it starts, as far as they can be reached.
type tree interface {
	// awaitShell waits for the end of the shell.
	awaitShell()
	// terminateTree asks all processes to end, kill ends them.
	terminateTree()
	killTree()
	// reapShell returns how the shell ended, or why it was not run; ErrUnknown is that nobody
	// knows, and a *sandbox.LimitError why it was ended. It is called once, after await.
	reapShell() (code int, signal string, err error)
}

// coverer is a tree whose command saw nothing of some files.
type coverer interface {
	// openedCovers lists those that the command has read, after await.
	openedCovers() []string
}

// start starts the tree of a command and returns the end of its output to read from.
func start(c Command) (tree, io.ReadCloser, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("open pipe: %w", err)
	}
	defer write.Close()
	if c.Env == nil {
		c.Env = Environment()
	}
	begin := startPlain
	if c.Space != nil {
		begin = startConfined
	}
	t, err := begin(c, write)
	if err != nil {
		read.Close()
		return nil, nil, err
	}
	return t, read, nil
}
