// Fairlead lets people hand work on the files of one folder to a language model
// and stay in command of it. This file picks the door: the command line.
package main

import (
	"os"

	"golang.org/x/term"

	"fairlead/backend/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Terminal: isTerminal(os.Stdin) && isTerminal(os.Stderr),
		LiveOut:  isTerminal(os.Stdout),
	}))
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
