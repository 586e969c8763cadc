package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"
)

// ErrNotStarted reports that a server was not run.
var ErrNotStarted = errors.New("the server was not started, because it could not be confined or its program could not be run")

// errNoProgram reports that a server is started by the path of its program alone: what a name
// means differs by the variable PATH and the folder.
var errNoProgram = errors.New("a server is started by the absolute path of its program; look the name up with Find")

// ServerCommand is a server to start.
type ServerCommand struct {
	// Program is what is run, by an absolute path, and Arguments are its arguments. No shell
	// reads them.
	Program   string
	Arguments []string
	// Variables are named ones as KEY=value, for this server beside those of Environment. Where
	// its private folders are, its space says after all.
	Variables []string
	// Repositories are what is kept from it in the workspace, and Cover are files and folders of
	// which it sees nothing, as sandbox.Command has them. They hold as they are at the start, and
	// again after Protect.
	Repositories, Cover []string
}

// ServerExit is what became of a server.
type ServerExit struct {
	// Code is the exit code, -1 when a signal ended it or it was closed.
	Code int
	// Signal names the signal that ended it, such as SIGKILL.
	Signal string
	// Err is why it was not run (ErrNotStarted), was ended (a *sandbox.LimitError), or that
	// nobody knows what became of it (ErrUnknown); nil for one that ended by itself or was closed.
	Err error
}

// Server is a program that was started and is talked to over its input and output. Nothing is
// read from its output and its errors but by the caller: a server whose output nobody reads
// waits.
type Server struct {
	// Input is what it reads, Output what it writes, and Errors what it writes as errors. Reads
	// of Output and Errors end once the server and all that it has started have. All are closed
	// by Close.
	Input          io.WriteCloser
	Output, Errors io.ReadCloser

	tree  tree
	space *sandbox.ServerSpace
	// close has it ended, once.
	close func()
	done  chan struct{}
	// exit and left are valid when done is closed. left is what could not be deleted.
	exit ServerExit
	left error
}

// protector is a tree that can be kept from files while it runs.
type protector interface {
	protect(ctx context.Context, repositories, cover []string) error
}

// StartServer starts a server in its space, which is the server's from then on: it is closed
// with the server, also where this fails. Whether a program could be run is known with its
// end (Exit). The caller calls Close in every case.
func StartServer(space *sandbox.ServerSpace, c ServerCommand) (*Server, error) {
	s, err := startServer(space, c)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the server %s: %w", c.Program, err), space.Close())
	}
	return s, nil
}

func startServer(space *sandbox.ServerSpace, c ServerCommand) (*Server, error) {
	if !filepath.IsAbs(c.Program) {
		return nil, errNoProgram
	}
	var pipes serverPipes
	if err := pipes.open(); err != nil {
		return nil, err
	}
	t, err := startServerTree(space, sandbox.Server{
		Program: c.Program, Arguments: c.Arguments, Env: space.Environment(withVariables(Environment(), c.Variables)),
		Repositories: c.Repositories, Cover: c.Cover,
	}, pipes.theirs)
	closeFiles(pipes.theirs[:])
	if err != nil {
		closeFiles(pipes.ours[:])
		return nil, err
	}
	registerTree(t)
	closing := make(chan struct{})
	s := &Server{
		Input: pipes.ours[0], Output: pipes.ours[1], Errors: pipes.ours[2],
		tree: t, space: space, close: sync.OnceFunc(func() { close(closing) }), done: make(chan struct{}),
	}
	go s.supervise(closing)
	return s, nil
}

// supervise waits for the end of the server, or has it ended, and lets go of all that it had.
func (s *Server) supervise(closing <-chan struct{}) {
	defer close(s.done)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.tree.awaitShell()
	}()
	closed := false
	select {
	case <-ended:
	case <-closing:
		closed = true
	}
	s.tree.killTree()
	unregisterTree(s.tree)
	s.exit.Code = -1
	reap := func() { s.exit.Code, s.exit.Signal, s.exit.Err = s.tree.reapShell() }
	if closedWithin(killed, ended) {
		reap()
		s.left = s.space.Close()
	} else {
		// At level full the end of the space is that of everything in it.
		s.left = s.space.Close()
		go func() {
			<-ended
			_, _, _ = s.tree.reapShell()
		}()
	}
	switch {
	case closed:
		s.exit = ServerExit{Code: -1}
	case errors.Is(s.exit.Err, ErrNotStarted):
		s.exit.Code = -1
	}
}

// Protect keeps from a server that runs what it has to be kept from now, as ServerCommand names
// it: what other programs replace or make in the workspace meanwhile is in reach until then. It
// waits until that is done, which takes a few milliseconds. Where it fails, the server is to be
// closed.
func (s *Server) Protect(ctx context.Context, repositories, cover []string) error {
	if t, ok := s.tree.(protector); ok {
		return t.protect(ctx, repositories, cover)
	}
	return nil
}

// Level is what the system promises of its confinement.
func (s *Server) Level() message.Level { return s.space.Level() }

// Done is closed when the server and all that it had started have ended, and its private folders
// are deleted.
func (s *Server) Done() <-chan struct{} { return s.done }

// Exit is what became of the server, once it is done.
func (s *Server) Exit() ServerExit { return s.exit }

// Close ends the server with all that it has started, at once, waits for that and closes the
// pipes. It may be called again, and while others read and write. The error is about private
// folders that could not be deleted.
func (s *Server) Close() error {
	s.close()
	<-s.done
	for _, pipe := range []io.Closer{s.Input, s.Output, s.Errors} {
		_ = pipe.Close() // it may be closed already
	}
	return s.left
}

// serverPipes are the input, the output and the errors of a server, by their two ends.
type serverPipes struct{ ours, theirs [3]*os.File }

func (p *serverPipes) open() error {
	for i := range p.ours {
		read, write, err := os.Pipe()
		if err != nil {
			closeFiles(p.ours[:i])
			closeFiles(p.theirs[:i])
			return fmt.Errorf("open pipe: %w", err)
		}
		p.ours[i], p.theirs[i] = read, write
		if i == 0 {
			p.ours[i], p.theirs[i] = write, read
		}
	}
	return nil
}

func closeFiles(files []*os.File) {
	for _, file := range files {
		file.Close()
	}
}

// withVariables adds variables, which take the place of others of their names.
func withVariables(variables, added []string) []string {
	for _, variable := range added {
		name, _, _ := strings.Cut(variable, "=")
		variables = slices.DeleteFunc(variables, func(other string) bool {
			given, _, _ := strings.Cut(other, "=")
			return given == name || runtime.GOOS == "windows" && strings.EqualFold(given, name)
		})
	}
	return append(variables, added...)
}
