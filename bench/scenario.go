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
}

// call is a tool call as the server writes it.
type call struct {
	name      string
	arguments map[string]string
}

// longSteps is the length of the longest scenario.
const longSteps = 200

// The scenarios. Reads name another file, and commands another argument, in each
// step.
var (
	oneAnswer  = scenario{name: "one answer"}
	smallReads = scenario{name: "small reads", steps: 50, calls: func(step int) []call { return []call{read(noteName(step))} }}
	commands   = scenario{name: "commands", steps: 30, calls: func(step int) []call { return []call{shell(fmt.Sprint("true ", step))} }}
	sideBySide = scenario{name: "commands side by side", steps: 1, calls: eightSleeps}
	longRun    = scenario{name: "long run", steps: longSteps, calls: func(step int) []call { return []call{read(partName(step))} }}
)

func partName(step int) string { return fmt.Sprintf("part%03d.txt", step) }

func noteName(step int) string { return fmt.Sprintf("note%03d.txt", step) }

func read(path string) call { return call{"read_file", map[string]string{"path": path}} }

func shell(command string) call { return call{"shell", map[string]string{"command": command}} }

func eightSleeps(int) []call {
	calls := make([]call, 8)
	for i := range calls {
		calls[i] = shell("sleep 0.5")
	}
	return calls
}
