package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are what the command line reads from and writes to.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Terminal says that In and Err are a terminal, so that the user can be
	// asked; LiveOut, that Out is one.
	Terminal, LiveOut bool
	// Forget drops what was typed at the terminal and not read yet. It is nil
	// where there is no terminal.
	Forget func()
	// ReadHidden reads a line that is typed at the terminal, and does not show it. restore is
	// called before it changes the terminal, with what undoes that. It is nil where there is no
	// terminal.
	ReadHidden func(restore func(undo func())) (string, error)
	// Size is the terminal's size in characters. It is nil where there is none.
	Size func() (columns, lines int)
	// OpenWindow opens the window of this program and returns when it is closed. It
	// is nil in the program for the command line: that one starts the window's
	// program, which lies beside it.
	OpenWindow func() error
}

// The size of a terminal that does not say.
const (
	usualColumns = 80
	usualLines   = 24
)

func sizeOf(f *os.File) (columns, lines int) {
	columns, lines, err := term.GetSize(int(f.Fd()))
	if err != nil || columns < 1 || lines < 1 {
		return usualColumns, usualLines
	}
	return columns, lines
}

// Standard returns the streams of this process.
func Standard() Streams {
	streams := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Terminal: isTerminal(os.Stdin) && isTerminal(os.Stderr),
		LiveOut:  isTerminal(os.Stdout),
	}
	if streams.Terminal {
		streams.Forget = func() { forgetInput(os.Stdin) }
		streams.ReadHidden = func(restore func(undo func())) (string, error) { return readHidden(os.Stdin, restore) }
		streams.Size = func() (columns, lines int) { return sizeOf(os.Stderr) }
	}
	return streams
}

func readHidden(terminal *os.File, restore func(undo func())) (string, error) {
	fd := int(terminal.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	restore(func() { _ = term.Restore(fd, state) }) // the program ends
	defer restore(nil)
	line, err := term.ReadPassword(fd)
	return string(line), err
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
