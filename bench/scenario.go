package main

import "fmt"

// scenario is what the scripted server makes of a client: some steps of calls,
// then a text.
type scenario struct {
	name string
	// steps is the number of answers with calls before the one that is text.
	steps int
	// calls are the calls of a step, counted from 0. No two steps should be equal:
	// that would be a loop, which a client may refuse.
	calls func(step int) []call
	// prunes lets Fairlead show the model less than everything.
	prunes bool
}

// call is a tool call as the server writes it.
type call struct {
	name      string
	arguments map[string]string
}

// longSteps and longerSteps are the lengths of the long scenarios. With its last
// answer the longer one has as many model calls as a run can have steps.
const (
	longSteps   = 200
	longerSteps = 499
)

// moreCommands is how many commands follow the first, which waits for more than the others.
const moreCommands = 40

// The scenarios. Reads name another file, and commands another argument, in each
// step.
var (
	oneAnswer  = scenario{name: "one answer"}
	smallReads = scenario{name: "small reads", steps: 50, calls: func(step int) []call { return []call{read(noteName(step))} }}
	commands   = scenario{name: "commands", steps: 1 + moreCommands, calls: func(step int) []call { return []call{shellCall(fmt.Sprint("true ", step))} }}
	oneCommand = scenario{name: "one command", steps: 1, calls: commands.calls}
	sideBySide = scenario{name: "commands side by side", steps: 1, calls: eightSleeps}
	longerRun  = scenario{name: "longer run", steps: longerSteps, calls: func(step int) []call { return []call{read(pageName(step))} }}
	prunedRun  = scenario{name: "longer run, pruned", steps: longerSteps, calls: longerRun.calls, prunes: true}
	longRun    = scenario{name: "long run", steps: longSteps, calls: func(step int) []call { return []call{read(partName(step))} }}
)

func partName(step int) string { return fmt.Sprintf("part%03d.txt", step) }

func pageName(step int) string { return fmt.Sprintf("page%03d.txt", step) }

func noteName(step int) string { return fmt.Sprintf("note%03d.txt", step) }

func read(path string) call { return call{"read_file", map[string]string{"path": path}} }

func shellCall(command string) call { return call{"shell", map[string]string{"command": command}} }

func eightSleeps(int) []call {
	calls := make([]call, 8)
	for i := range calls {
		calls[i] = shellCall("sleep 0.5")
	}
	return calls
}
