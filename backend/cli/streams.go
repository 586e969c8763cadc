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
	// Terminal says that In and Err are a terminal, so that a person can be
	// asked; LiveOut, that Out is one.
	Terminal, LiveOut bool
	// Forget drops what was typed at the terminal and not read yet. It is nil
	// where there is no terminal.
	Forget func()
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
	}
	return streams
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
