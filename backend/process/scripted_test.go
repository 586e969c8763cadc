package process

import (
	"errors"
	"io"
	"sync"
	"testing"
)

// scripted is a command that does what a test says. It waits for nothing but the
// test, so that time is virtual where a test wants it to be.
type scripted struct {
	t      *testing.T
	input  *io.PipeWriter
	code   int
	signal string
	err    error
	// deaf has it ignore that it is asked to end.
	deaf  bool
	ended chan struct{}
	once  sync.Once
}

func (s *scripted) awaitShell() { <-s.ended }

func (s *scripted) terminateTree() {
	if !s.deaf {
		s.end(-1, "SIGTERM")
	}
}

func (s *scripted) killTree() { s.end(-1, "SIGKILL") }

func (s *scripted) reapShell() (code int, signal string, err error) { return s.code, s.signal, s.err }

// end ends the command, unless it has ended.
func (s *scripted) end(code int, signal string) {
	s.once.Do(func() {
		s.code, s.signal = code, signal
		s.input.Close()
		close(s.ended)
	})
}

// write has the command write a text. It returns when all of it was read.
func (s *scripted) write(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.input, text); err != nil {
		s.t.Error(err)
	}
}

// stage are jobs whose commands are scripted.
type stage struct {
	*Jobs
	mu sync.Mutex
	// commands are the commands by their line.
	commands map[string]*scripted
}

var errNoShell = errors.New("no shell")

// newStage returns jobs without any. A command with the line "broken" cannot be
// started.
func newStage(t *testing.T, o JobsOptions) *stage {
	s := &stage{Jobs: NewJobs(o), commands: map[string]*scripted{}}
	s.start = func(c Command) (tree, io.ReadCloser, error) {
		if c.Line == "broken" {
			return nil, nil, errNoShell
		}
		output, input := io.Pipe()
		command := &scripted{t: t, input: input, ended: make(chan struct{})}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.commands[c.Line] = command
		return command, output, nil
	}
	return s
}

// command returns the command with a line.
func (s *stage) command(line string) *scripted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands[line]
}
