package agent

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/message"
)

// A ledger says what a conversation changed and ran, in every summary: what the model forgets
// is not left to what it remembers (SPEC CHG-12). Its bounds are tokens, and how many commands
// it has.
const (
	ledgerFiles    = 900
	ledgerCommands = 600
	lastCommands   = 20
	// commandLength is how much of one command line it has, in bytes.
	commandLength = 200
)

// ledger is what only the host knows of what a ledger says.
type ledger struct {
	// changed are the files that the conversation changed; nil where only the history tells,
	// which does not say what was taken back.
	changed []message.Change
	// display returns how calls to a tool are shown; nil knows of none.
	display func(tool string) *message.Display
}

// changedFiles lists the files that the calls of a history changed, and how: what became of
// each over all of them.
func changedFiles(history []message.Message) []message.Change {
	at := map[string]int{}
	var files []message.Change
	for i := range history {
		for _, part := range history[i].ToolParts() {
			if part.Tool.State.Output == nil {
				continue
			}
			for _, c := range part.Tool.State.Output.Changes {
				if n, ok := at[c.Path]; ok {
					files[n] = addChange(files[n], c)
					continue
				}
				at[c.Path] = len(files)
				files = append(files, c)
			}
		}
	}
	return files
}

// addChange is what two changes of a path come to, one after the other.
func addChange(first, next message.Change) message.Change {
	sum := next
	sum.Added, sum.Removed = first.Added+next.Added, first.Removed+next.Removed
	if first.Kind == "created" && next.Kind == "modified" || first.Kind == "modified" && next.Kind == "created" {
		sum.Kind = first.Kind
	}
	return sum
}

// listFiles writes changed files, the last ones if there is no space for all.
func (p *Parts) listFiles(files []message.Change) string {
	lines := make([]string, len(files))
	for i, c := range files {
		lines[i] = c.Kind + " " + message.Inline(c.Path)
		if c.Added+c.Removed > 0 {
			lines[i] += fmt.Sprintf(" (+%d -%d)", c.Added, c.Removed)
		}
	}
	lines, left := p.lastLines(lines, ledgerFiles)
	slices.Sort(lines)
	if left > 0 {
		lines = append(lines, fmt.Sprintf("and %d more before these", left))
	}
	return strings.Join(lines, "\n")
}

// listCommands writes the last commands of a history with their exit codes. display returns how
// calls to a tool are shown; nil knows none that runs commands.
func (p *Parts) listCommands(history []message.Message, display func(tool string) *message.Display) (string, error) {
	var lines []string
	for i := range slices.Backward(history) {
		for _, part := range slices.Backward(history[i].ToolParts()) {
			use := part.Tool
			if len(lines) == lastCommands || use.State.Output == nil || display == nil {
				continue
			}
			shown := display(use.Name)
			if shown == nil || shown.Subject.Kind != message.SubjectCommand {
				continue
			}
			if part.Left != nil && part.Left.Input > 0 {
				whole, err := p.wholePart(*part)
				if err != nil {
					return "", err
				}
				use = whole.Tool
			}
			line := shortenMiddle(message.Inline(shown.Subject.Of(use.State.Input)), commandLength)
			lines = append(lines, line+": "+endOf(part.Tool.State.Output))
		}
	}
	slices.Reverse(lines)
	lines, _ = p.lastLines(lines, ledgerCommands)
	return strings.Join(lines, "\n"), nil
}

// endOf describes how a command ended.
func endOf(r *message.Result) string {
	switch d := r.Data; {
	case d != nil && d.ExitCode != nil:
		return fmt.Sprintf("exit %d", *d.ExitCode)
	case d != nil && d.Signal != "":
		return "ended by " + d.Signal
	case d != nil && d.Running:
		return "left in the background"
	case r.Error != nil:
		return string(r.Error.Code)
	}
	return "done"
}

// lastLines returns the last lines that have at most so many tokens, and how many are left
// out.
func (p *Parts) lastLines(lines []string, most int) (last []string, left int) {
	for i := len(lines) - 1; i >= 0; i-- {
		if most -= p.count(lines[i]) + 1; most < 0 {
			return lines[i+1:], i + 1
		}
	}
	return lines, 0
}
