package desktop

import (
	"fmt"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// A diff or a command that is larger than this is not put into a native dialog,
// where it could not be seen whole (SPEC HITL-02).
const (
	maxDialogLines   = 30
	maxDialogColumns = 100
	// tab is the most that a tab takes there.
	tab = "        "
)

// question is a confirmation as a native dialog shows it.
type question struct {
	title string
	text  string
	// unseen says that the text does not show all that would happen, so that the
	// dialog must not offer to approve it.
	unseen bool
	// network says that it is about the network for a command, which the window's page
	// cannot answer.
	network bool
}

// ask puts a request into words. Hidden characters are made visible.
func ask(request event.ConfirmRequest, w wording) question {
	preview := request.Preview
	switch preview.Effect {
	case message.EffectNone:
		return harmless(request, w)
	case message.EffectNetwork:
		return network(preview, w)
	case message.EffectCommand:
		q := question{title: w.runTitle, text: w.run + "\n\n" + message.Visible(preview.Command) + "\n\n" + facts(preview, w)}
		if !fits(preview.Command) {
			q.text = w.tooLong + "\n\n" + facts(preview, w)
			q.unseen = true
		}
		return q
	}
	diff := strings.TrimRight(preview.Diff, "\n")
	changed := message.Inline(preview.Path) + fmt.Sprintf("  +%d \u2212%d", preview.Added, preview.Removed)
	q := question{title: w.writeTitle, text: w.write + "\n\n" + changed}
	switch {
	case !fits(preview.Path), !fits(diff):
		q.text += "\n\n" + w.tooLong
		q.unseen = true
	case diff != "":
		q.text += "\n\n" + message.Visible(diff)
	}
	return q
}

// network asks whether a command may have the network, or whether a page of a new
// host may be fetched. The command was shown whole when it was approved, so that its
// beginning does here.
func network(preview message.Preview, w wording) question {
	if !preview.Network {
		q := question{title: w.fetchTitle, text: w.fetch + "\n\n" + message.Inline(preview.URL) + "\n\n" + preview.Confinement}
		if !fits(preview.URL) {
			q.text, q.unseen = w.fetch+"\n\n"+w.tooLong, true
		}
		return q
	}
	text := message.Visible(preview.Command)
	if !fits(preview.Command) {
		text = beginning(text)
	}
	return question{title: w.networkTitle, text: w.network + "\n\n" + text + "\n\n" + facts(preview, w), network: true}
}

// beginning is as much of a text as can be seen in a dialog, with a mark for the rest.
func beginning(text string) string {
	lines := strings.Split(text, "\n")
	const most = 10
	lines = lines[:min(len(lines), most)]
	for i, line := range lines {
		if runes := []rune(line); len(runes) > maxDialogColumns/2 {
			lines[i] = string(runes[:maxDialogColumns/2]) + "…"
		}
	}
	return strings.Join(lines, "\n") + "\n…"
}

// harmless asks about a call that changes nothing, and is asked about all the same.
func harmless(request event.ConfirmRequest, w wording) question {
	call := request.ToolName + " " + string(request.Arguments)
	q := question{title: w.callTitle, text: w.call + "\n\n" + message.Visible(call)}
	if !fits(call) {
		q.text, q.unseen = w.call+"\n\n"+w.tooLong, true
	}
	return q
}

func facts(preview message.Preview, w wording) string {
	return w.folder + " " + message.Inline(preview.Folder) + "\n" + w.confinement(preview)
}

// fits says whether a text can be seen whole in a dialog. Where it is wider or
// higher than the screen, nothing shows that there is more of it.
func fits(text string) bool {
	lines := strings.Split(text, "\n")
	if len(lines) > maxDialogLines {
		return false
	}
	for _, line := range lines {
		if message.Columns(strings.ReplaceAll(message.Visible(line), "\t", tab)) > maxDialogColumns {
			return false
		}
	}
	return true
}
