//go:build linux

// Attack tries one way out of a confined command: attack VERB ARGUMENT...
//
// The tests of the tool shell run it as a command that a model could have written,
// and see the outcome from outside. It does no harm by itself: it writes, reads
// and signals only what its arguments name, which the tests have put there.
//
// The exit code is 0 where the attack worked, 1 where the system refused it, with
// the reason, and 2 where it was called wrongly.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

// attack is one verb.
type attack struct {
	// arguments are their names, for the user who calls it wrongly.
	arguments []string
	// run returns nil where the attack worked.
	run func(arguments []string) error
}

// errUsage is an argument that cannot be understood.
var errUsage = errors.New("wrong use")

func main() { os.Exit(carryOut(os.Args[1:])) }

// carryOut runs a verb and returns the exit code.
func carryOut(arguments []string) int {
	if len(arguments) == 0 {
		fmt.Fprintln(os.Stderr, "attack: wrong use: attack VERB ARGUMENT...")
		return 2
	}
	verb, arguments := arguments[0], arguments[1:]
	chosen, known := allAttacks()[verb]
	if !known || len(arguments) != len(chosen.arguments) {
		fmt.Fprintf(os.Stderr, "attack: wrong use: attack %s %v\n", verb, chosen.arguments)
		return 2
	}
	err := chosen.run(arguments)
	switch {
	case errors.Is(err, errUsage):
		fmt.Fprintf(os.Stderr, "attack: %v\n", err)
		return 2
	case err != nil:
		fmt.Fprintf(os.Stderr, "refused: %v\n", err)
		return 1
	}
	return 0
}

// allAttacks are the verbs by name.
func allAttacks() map[string]attack {
	all := map[string]attack{}
	for _, topic := range []map[string]attack{fileAttacks(), processAttacks(), socketAttacks(), kernelAttacks(), namespaceAttacks(), keyAttacks()} {
		for name, verb := range topic {
			all[name] = verb
		}
	}
	return all
}

// parseNumber reads an argument that is a number, decimal or with 0x.
func parseNumber(text string) (int, error) {
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %q is no number", errUsage, text)
	}
	return int(n), nil
}
