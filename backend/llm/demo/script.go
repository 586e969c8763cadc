package demo

import (
	"runtime"
	"slices"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// edit is one replacement of the edit_file tool.
type edit struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// corrections are what is wrong with the sample's budget.
var corrections = []edit{
	{Old: "paper,20,4,60", New: "paper,20,4,80"},
	{Old: "total,,,450", New: "total,,,470"},
}

// total is what the budget comes to; a check that passes prints it.
const total = "470"

// The texts of the script.
const (
	opening = "This is the guided tour. My words are scripted and no model is asked; the tools, the questions and the files are real.\n\n" +
		"First I list the folder and read the two files that matter, all at once."
	searching = "The paper looks wrong: 20 at 4 make 80, and budget.csv says 60. I search the folder for what else is known about it."
	editing   = "I correct what is wrong in budget.csv. A change is shown before it is made, and you are asked unless you allowed it beforehand."
	checking  = "Now a command has to confirm it. Commands are asked about as well."
	corrected = "budget.csv was right already: an earlier tour has corrected it. I only run the check."

	noTools = "This is the guided tour. My words are scripted and no model is asked. " +
		"It works with read_file, and no such tool is on offer in this run, so there is nothing I can do. Nothing was changed."
	noSample = "The tour works on its own sample, and budget.csv of this folder is missing or another one. Nothing was changed. " +
		"Start the tour in a folder with the sample files."
	noEditor  = "budget.csv needs a correction, but edit_file is not on offer in this run. Nothing was changed."
	finished  = "20 sheets of paper at 4 make 80, not 60, so the total is 470. budget.csv says so now, and the check passes."
	rechecked = "The check passes: budget.csv is right. Nothing was changed."
	farewell  = "\n\nThat was the guided tour, scripted from end to end. For your own files, choose a folder and a model."
)

// next decides what the script says and does, from what the run has done so far.
func next(req llm.Request) turn {
	run := lookBack(req)
	edited, checked := run.lastCall("edit_file"), run.lastCall("shell")
	switch {
	case checked != nil:
		return turn{text: afterCheck(edited, checked) + farewell}
	case hasFailed(edited):
		return turn{text: "The change was not made, so budget.csv is as it was and there is nothing to check. " + failureReason(edited) + farewell}
	case edited != nil:
		return run.checkTurn(checking)
	case !run.isOffered("read_file"):
		return turn{text: noTools}
	case run.lastCall("read_file") == nil:
		return run.lookTurn()
	}
	return run.correctTurn()
}

// run is what the script knows of the run it is in.
type run struct {
	tools []llm.Tool
	calls []*message.ToolUse
}

// lookBack finds the calls made since the user's last prompt.
func lookBack(req llm.Request) run {
	var r run
	if req.Choice != llm.ChoiceNone {
		r.tools = req.Tools
	}
	for _, m := range req.Messages {
		if m.Role == message.User && !m.Synthetic {
			r.calls = nil
		}
		for _, part := range m.ToolParts() {
			r.calls = append(r.calls, part.Tool)
		}
	}
	return r
}

func (r run) isOffered(name string) bool {
	return slices.ContainsFunc(r.tools, func(t llm.Tool) bool { return t.Name == name })
}

// lastCall returns the latest call of a tool, nil when there is none.
func (r run) lastCall(name string) *message.ToolUse {
	for _, use := range slices.Backward(r.calls) {
		if use.Name == name {
			return use
		}
	}
	return nil
}

func (r run) lookTurn() turn {
	actions := []action{
		{"list_files", map[string]string{"path": "."}},
		{"read_file", map[string]string{"path": "README.md"}},
		{"read_file", map[string]string{"path": "budget.csv"}},
	}
	if !r.isOffered("list_files") {
		actions = actions[1:]
	}
	return turn{opening, actions}
}

// correctTurn goes on from what was read to the correction or to why there is none.
func (r run) correctTurn() turn {
	budget := r.read()
	wrong := slices.DeleteFunc(slices.Clone(corrections), func(e edit) bool { return !strings.Contains(budget, e.Old) })
	switch {
	case len(wrong) == 0 && strings.Contains(budget, corrections[1].New):
		return r.checkTurn(corrected)
	case len(wrong) == 0:
		return turn{text: noSample}
	case r.lastCall("search_files") == nil && r.isOffered("search_files"):
		return turn{searching, []action{{"search_files", map[string]string{"pattern": "paper"}}}}
	case !r.isOffered("edit_file"):
		return turn{text: noEditor + farewell}
	}
	return turn{editing, []action{{"edit_file", map[string]any{"path": "budget.csv", "edits": wrong}}}}
}

// read joins what the run has read.
func (r run) read() string {
	var text strings.Builder
	for _, use := range r.calls {
		if use.Name == "read_file" && !hasFailed(use) {
			text.WriteString(use.State.Output.Content.Text() + "\n")
		}
	}
	return text.String()
}

func (r run) checkTurn(text string) turn {
	if r.isOffered("shell") {
		return turn{text, []action{{"shell", map[string]string{"command": checkCommand(runtime.GOOS)}}}}
	}
	return turn{text: "budget.csv is right as far as I can tell; shell is not on offer in this run, so nothing has checked it." + farewell}
}

// checkCommand is the check in the system's own shell: Windows has no sh, so
// there it only looks for the right total.
func checkCommand(system string) string {
	if system == "windows" {
		return `find "` + corrections[1].New + `" budget.csv`
	}
	return "sh check.sh"
}

func afterCheck(edited, checked *message.ToolUse) string {
	state := "budget.csv was changed"
	if edited == nil {
		state = "Nothing was changed"
	}
	switch {
	case !hasFailed(checked) && !strings.Contains(checked.State.Output.Content.Text(), total):
		// The user may have put another command in its place.
		return state + ", and the command ended without an error."
	case !hasFailed(checked) && edited == nil:
		return rechecked
	case !hasFailed(checked):
		return finished
	case errorCode(checked) == message.CommandFailed:
		return state + ", and the check does not pass: " + strings.TrimSpace(checked.State.Output.Content.Text())
	default:
		return state + ", but the check did not run. " + failureReason(checked)
	}
}

// hasFailed reports whether a call was made and failed.
func hasFailed(use *message.ToolUse) bool {
	return use != nil && (use.State.Output == nil || use.State.Output.Error != nil)
}

func errorCode(use *message.ToolUse) message.ToolCode {
	if use.State.Output == nil || use.State.Output.Error == nil {
		return ""
	}
	return use.State.Output.Error.Code
}

// failureReason gives the reason for which a failed call did not succeed.
func failureReason(use *message.ToolUse) string {
	switch errorCode(use) {
	case message.Rejected, message.ConfirmTimeout:
		return "Reason: " + use.State.Output.Error.Message + "."
	case "":
		return "Reason: it has no result."
	default:
		return "Reason: " + use.State.Output.Error.Error() + "."
	}
}
