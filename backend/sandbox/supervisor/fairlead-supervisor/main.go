//go:build linux

// Fairlead-supervisor is the program that stands between Fairlead and the commands it runs: the
// supervisor of a conversation and the guard of each command (package supervisor), and
// nothing else. Fairlead can be both itself, but a guard is started for every command, and
// starting a small program takes a third of the time.
//
// build/program.sh builds it into Fairlead's programs for Linux.
package main

import (
	"os"

	// It takes over while the program initialises.
	"fairlead/backend/sandbox/supervisor"
)

func main() {
	_, _ = os.Stderr.WriteString("error: Fairlead starts this program for its commands; it does nothing else\n") // nobody else is told
	os.Exit(supervisor.Failed)
}
