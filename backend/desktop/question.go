package desktop

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// A diff that is larger than this is not put into a native dialog (SPEC HITL-02). A
// command is folded at this width, and the dialog scrolls where it is higher.
const (
	maxDialogLines   = 30
	maxDialogColumns = 100
	// maxCommandLines is how high a command may be there, folded.
	maxCommandLines = 300
	// tab is the most that a tab takes there.
	tab = "        "
)

// question is a confirmation as a native dialog shows it.
type question struct {
	dialog Dialog
	// unseen says that the dialog does not show all that would happen, so that it must
	// not offer to approve it.
	unseen bool
	// network says that it is about the network for a command, which the window's page
	// cannot answer.
	network bool
}

// newQuestion puts a request into words; title is that of its tool. Hidden characters are made
// visible.
func newQuestion(request event.ConfirmRequest, title string, w wording) question {
	q := describeRequest(request, w)
	if preview := request.Preview; preview.ServerCall == nil && preview.Effect != message.EffectNone && preview.Command == "" && preview.URL == "" && preview.Diff == "" && len(preview.Changes) == 0 {
		q.addCall(title, request.Arguments, w)
	}
	q.dialog.No, q.dialog.InWindow, q.dialog.Scroll = w.reject, w.inWindow, w.scroll
	if q.network {
		q.dialog.No = w.deny
	}
	copied := request.Kind == message.QuestionChanges && len(request.Preview.Changes) > 0
	if copied {
		q.dialog.No = w.drop
	}
	switch {
	case q.unseen:
	case q.network:
		q.dialog.Yes = w.allow
	case copied:
		q.dialog.Yes = w.applyAll
	case request.Kind == message.QuestionOutput:
		q.dialog.Yes, q.dialog.No = w.reveal, w.hide
	default:
		q.dialog.Yes = w.approve
	}
	return q
}

// describeRequest returns what a request shows, without its answers.
func describeRequest(request event.ConfirmRequest, w wording) question {
	preview := request.Preview
	switch {
	case request.Kind == message.QuestionChanges && len(preview.Changes) > 0:
		return askAboutChanges(preview, w)
	case request.Kind == message.QuestionOutput:
		return askAboutOutput(preview, w)
	case preview.ServerCall != nil:
		return askAboutServerCall(preview, w)
	}
	switch preview.Effect {
	case message.EffectNone:
		return askAboutCall(request, w)
	case message.EffectNetwork:
		return askAboutNetwork(preview, w)
	case message.EffectCommand:
		if preview.Command == "" {
			return question{dialog: Dialog{Title: w.callTitle, Heading: w.use, Facts: w.confinementText(preview)}}
		}
		q := question{dialog: Dialog{Title: w.runTitle, Heading: w.run}}
		if preview.Edited {
			q.dialog.Heading = w.runEdited
		}
		q.addCommand(preview, w)
		return q
	}
	if preview.Path == "" && preview.Diff == "" {
		return question{dialog: Dialog{Title: w.callTitle, Heading: w.use}}
	}
	diff := strings.TrimRight(preview.Diff, "\n")
	changed := message.Inline(preview.Path) + fmt.Sprintf("  +%d \u2212%d", preview.Added, preview.Removed)
	q := question{dialog: Dialog{Title: w.writeTitle, Heading: w.write}}
	switch {
	case preview.Memory && preview.Edited:
		q.dialog.Title, q.dialog.Heading = w.noteTitle, w.noteEdited
	case preview.Memory:
		q.dialog.Title, q.dialog.Heading = w.noteTitle, w.note
	case preview.Edited:
		q.dialog.Heading = w.writeEdited
	}
	if preview.Autorun != "" {
		changed += "\n" + w.runsByItself(preview.Autorun)
	}
	if text := w.undoText(preview.Undo); text != "" {
		changed += "\n" + text
	}
	q.dialog.Text, _ = foldText(changed, nil, nil)
	switch {
	case !fitsUnfolded(preview.Path), !fitsUnfolded(diff):
		q.dialog.Facts, q.unseen = w.tooLong, true
	case diff != "":
		q.dialog.Text += "\n\n" + strings.ReplaceAll(message.Visible(diff), "\t", tab)
	}
	return q
}

// askAboutChanges asks what a command has changed in its copy of the folder. All paths and
// their diffs are shown, or nothing can be approved.
func askAboutChanges(preview message.Preview, w wording) question {
	q := question{dialog: Dialog{Title: w.keepTitle, Heading: w.keep}}
	var rows, diffs []string
	for _, c := range message.PendingRows(preview.Changes) {
		row := w.kinds[c.Kind] + " " + message.Inline(c.Path)
		if c.Unit != "" {
			row += "  " + fmt.Sprintf(w.asAWhole, len(c.Paths))
			q.unseen = true // what is in it is shown nowhere
		}
		if c.From != "" {
			row = w.kinds["moved"] + " " + message.Inline(c.From) + " \u2192 " + message.Inline(c.Path)
		}
		if c.Target != "" {
			row += " \u2192 " + message.Inline(c.Target)
		}
		if c.Added > 0 || c.Removed > 0 {
			row += fmt.Sprintf("  +%d \u2212%d", c.Added, c.Removed)
		}
		if c.Held != nil {
			row += "\n    ! " + w.heldText(*c.Held)
		}
		rows = append(rows, row)
		if c.Diff != "" {
			diffs = append(diffs, strings.TrimRight(c.Diff, "\n"))
		}
		// What has no diff is shown by its path alone.
		q.unseen = q.unseen || c.Diff == "" && c.Kind != "deleted" && c.Size > 0 && c.From == ""
	}
	text := strings.Join(rows, "\n")
	whole := text + "\n\n" + strings.Join(diffs, "\n")
	switch {
	case fitsUnfolded(whole):
		text = strings.TrimRight(whole, "\n")
	case fitsUnfolded(text):
		q.unseen = true
	default:
		text, q.unseen = strings.Join(rows[:min(len(rows), maxCommandLines/2)], "\n")+"\n\u2026", true
	}
	q.dialog.Text, _ = foldText(strings.ReplaceAll(message.Visible(text), "\t", tab), nil, nil)
	if q.unseen {
		q.dialog.Facts = w.tooLong
	}
	return q
}

// askAboutOutput asks whether the model may see keys that a command has printed. The keys
// themselves are not shown.
func askAboutOutput(preview message.Preview, w wording) question {
	q := question{dialog: Dialog{Title: w.outputTitle, Heading: w.output}}
	q.addText(message.Visible(preview.Command+"\n\n"+preview.Output), w)
	return q
}

// addCommand shows a whole command with its dangers marked, and what is known of it.
func (q *question) addCommand(preview message.Preview, w wording) {
	visible := message.Visible(preview.Command)
	parts := message.Dangers(visible, preview.Folder)
	marks := make([]Mark, len(parts))
	var kinds []string
	for i, part := range parts {
		marks[i] = Mark{part.From, part.To}
		if kind := w.dangers[part.Danger]; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	q.dialog.Text, q.dialog.Marks = foldText(visible, message.CommandBreaks(visible), marks)
	if len(kinds) > 0 {
		q.dialog.Facts = w.marked + " " + strings.Join(kinds, w.comma) + "\n"
	}
	q.dialog.Facts += commandFacts(preview, w)
	if q.dialog.countRows() > maxCommandLines {
		q.dialog.Text, q.dialog.Marks = "", nil
		q.dialog.Facts = w.tooLong + "\n" + commandFacts(preview, w)
		q.unseen = true
	}
}

// askAboutNetwork asks whether a command may have the network, or whether a page of a new
// host may be fetched.
func askAboutNetwork(preview message.Preview, w wording) question {
	if !preview.Network && preview.URL == "" {
		return question{dialog: Dialog{Title: w.callTitle, Heading: w.useNetwork, Facts: w.addressesText(preview)}}
	}
	if !preview.Network {
		q := question{dialog: Dialog{Title: w.fetchTitle, Heading: w.fetch, Facts: w.addressesText(preview)}}
		q.addText(message.Inline(preview.URL), w)
		return q
	}
	q := question{dialog: Dialog{Title: w.networkTitle, Heading: w.network}, network: true}
	q.addCommand(preview, w)
	return q
}

// askAboutCall asks about a call that changes nothing, and is asked about all the same.
func askAboutCall(request event.ConfirmRequest, w wording) question {
	q := question{dialog: Dialog{Title: w.callTitle, Heading: w.call}}
	q.addText(message.Visible(request.ToolName+" "+string(request.Arguments)), w)
	return q
}

// addText shows a text that fits when it is folded.
func (q *question) addText(text string, w wording) {
	q.dialog.Text, _ = foldText(text, nil, nil)
	if q.dialog.countRows() > maxDialogLines {
		q.dialog.Text, q.unseen = "", true
		q.dialog.Facts = strings.TrimLeft(q.dialog.Facts+"\n"+w.tooLong, "\n")
	}
}

func commandFacts(preview message.Preview, w wording) string {
	facts := w.folder + " " + message.Inline(preview.Folder) + "\n" + w.confinementText(preview)
	if text := w.undoText(preview.Undo); text != "" {
		facts += "\n" + text
	}
	return facts
}

// fitsUnfolded reports whether a text can be seen whole in a dialog without being folded.
func fitsUnfolded(text string) bool {
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

const (
	// folded begins a row that goes on with the one above, where no line of the text
	// began.
	folded = "↪ "
	// joined begins a row with another command of the same line.
	joined = "  "
)

// foldText brings a text into rows of at most maxDialogColumns, with a new one at each of
// the breaks, which count characters from 0, and moves the marks along. Tabs become
// spaces. Nothing is left out.
func foldText(text string, breaks []int, marks []Mark) (string, []Mark) {
	var out []rune
	var at []int // where each character of the text is in out
	used := 0
	row := func(begin string) {
		out = append(out, []rune("\n"+begin)...)
		used = message.Columns(begin)
	}
	for i, r := range []rune(text) {
		if len(breaks) > 0 && breaks[0] == i {
			breaks = breaks[1:]
			row(joined)
		}
		drawn := string(r)
		if r == '\t' {
			drawn = tab
		}
		if n := message.Columns(drawn); r != '\n' {
			if used+n > maxDialogColumns {
				row(folded)
			}
			used += n
		} else {
			used = 0
		}
		at = append(at, len(out))
		out = append(out, []rune(drawn)...)
	}
	// A mark ends with its row and goes on in the next one, without what begins that.
	var moved []Mark
	for _, mark := range marks {
		for i := mark.From; i < mark.To; i++ {
			if last := len(moved) - 1; i > mark.From && moved[last].To == at[i] {
				moved[last].To++
			} else {
				moved = append(moved, Mark{at[i], at[i] + 1})
			}
		}
	}
	return string(out), moved
}
