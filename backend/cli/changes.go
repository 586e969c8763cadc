package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"fairlead/backend"
	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// chosenSession are the flags that choose the saved conversation of a command.
type chosenSession struct {
	Session   string `arg:"" optional:"" placeholder:"ID" help:"The conversation's id; without it, the one that was last worked on in the folder."`
	Workspace string `default:"." placeholder:"DIR" help:"The folder, where no conversation is named."`
	DataDir   string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// find finds the conversation.
func (c *chosenSession) find(ctx context.Context, b *backend.Backend) (session.Saved, error) {
	if c.Session != "" && c.Session != session.Last {
		return b.Sessions.Find(ctx, c.Session, "")
	}
	folder, err := realPath(c.Workspace)
	if err != nil {
		return session.Saved{}, err
	}
	return b.Sessions.Find(ctx, session.Last, folder)
}

// realPath is the path of a folder as conversations keep it, which a link may lead to.
func realPath(dir string) (string, error) {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return folder, nil
}

// changedPaths are the paths that runs changed and that can be taken back.
type changedPaths map[string]bool

// note takes them from events.
func (p *changedPaths) note(events []event.Event) {
	for _, e := range events {
		result, ok := e.Data.(event.ToolResult)
		if !ok {
			continue
		}
		for _, c := range result.Changes {
			if c.SetID == "" {
				continue
			}
			if *p == nil {
				*p = changedPaths{}
			}
			(*p)[c.Path] = true
		}
	}
}

// tellChanged names the commands that show what was changed in the folder, and take it back.
func (w *work) tellChanged() {
	if n := len(w.changed); n > 0 && w.command.Output == "text" && !w.task.Unsaved && w.tour == nil && w.draft.DraftID == "" {
		folder := quotePath(message.Inline(w.runs.Workspace()))
		w.writeLine(fmt.Sprintf("note: changed %d %s; to see them: fairlead changes --workspace %s; to take them back: fairlead undo --workspace %s",
			n, plural(n, "path", "paths"), folder, folder))
	}
}

// quotePath quotes a path to be typed. On Windows a backslash stands for itself, and no path has
// a quotation mark.
func quotePath(path string) string {
	if runtime.GOOS == "windows" {
		return `"` + path + `"`
	}
	return strconv.Quote(path)
}

// changesCommand shows what the calls of a conversation changed in its folder.
type changesCommand struct {
	chosenSession
	OnlyRun string `name:"run" placeholder:"RUN" help:"Only this run: its number, its id, or last."`
	Draft   bool   `help:"What they changed in the conversation's draft, not in the folder."`
	Patch   bool   `xor:"form" help:"Show the lines that changed."`
	JSON    bool   `name:"json" xor:"form" help:"Write the change sets as JSON."`
}

// setLine is a change set as JSON.
type setLine struct {
	ID     string `json:"id"`
	RunID  string `json:"runId"`
	CallID string `json:"callId"`
	Source string `json:"source"`
	// Of is the set that it takes back or makes again.
	Of      string       `json:"of,omitempty"`
	Changes []changeLine `json:"changes"`
}

// changeLine is one change of a set as JSON.
type changeLine struct {
	message.Change
	Undone bool `json:"undone,omitempty"`
	// Lost is why it cannot be taken back.
	Lost change.Loss `json:"lost,omitempty"`
}

// Run shows the changes.
func (c *changesCommand) Run(with *surroundings) error {
	return toRead(with, func(ctx context.Context, b *backend.Backend) error {
		return c.show(ctx, b, with.streams.Out, with.streams.Err)
	})
}

func (c *changesCommand) show(ctx context.Context, b *backend.Backend, out, notes io.Writer) error {
	saved, err := c.find(ctx, b)
	if err != nil {
		return err
	}
	runs, err := b.Sessions.Runs(ctx, saved.ID)
	if err != nil {
		return err
	}
	list := b.Sessions.Sets
	if c.Draft {
		list = b.Sessions.DraftSets
	}
	sets, err := list(ctx, saved.ID)
	if err != nil {
		return err
	}
	all := sets
	if c.OnlyRun != "" {
		run, err := findRun(runs, c.OnlyRun)
		if err != nil {
			return err
		}
		sets = slices.DeleteFunc(slices.Clone(sets), func(s change.Set) bool { return s.RunID != run.ID })
	}
	if c.JSON {
		return writeJSON(out, setLines(sets))
	}
	if len(sets) == 0 {
		text := "Nothing was changed.\n"
		if draft, err := change.OpenDraftOf(b.Sessions.DraftsOf(saved.ID)); err == nil && draft != "" && !c.Draft {
			text += "What was changed in the draft of the conversation: fairlead changes --draft\n"
		}
		_, err := io.WriteString(notes, text)
		return err
	}
	var patches func(set *change.Set, index int) (string, error)
	if c.Patch {
		texts, closeTexts, err := b.ReadChanges(saved)
		if err != nil {
			return err
		}
		defer func() { _ = closeTexts() }()
		patches = func(set *change.Set, index int) (string, error) { return patchOf(texts, all, set, index) }
	}
	return writeSets(out, runs, sets, patches)
}

func setLines(sets []change.Set) []setLine {
	lines := []setLine{}
	for i := range sets {
		line := setLine{ID: sets[i].ID, RunID: sets[i].RunID, CallID: sets[i].CallID, Source: string(sets[i].Source), Of: sets[i].Of}
		for j, c := range workspace.ChangesOf(&sets[i]) {
			line.Changes = append(line.Changes, changeLine{c, sets[i].Changes[j].Undone, sets[i].Changes[j].Lost})
		}
		lines = append(lines, line)
	}
	return lines
}

// findRun finds a run by its number, its id, or as the last one.
func findRun(runs []session.SavedRun, name string) (session.SavedRun, error) {
	if name == session.Last && len(runs) > 0 {
		return runs[len(runs)-1], nil
	}
	number, _ := strconv.ParseInt(name, 10, 64)
	for _, run := range runs {
		if run.ID == name || number > 0 && run.Number == number {
			return run, nil
		}
	}
	return session.SavedRun{}, &message.Refusal{
		Code: message.NotFound, Message: fmt.Sprintf("there is no run %q; fairlead changes lists those that changed something", name),
	}
}

// writeSets writes sets as text, by their runs.
func writeSets(out io.Writer, runs []session.SavedRun, sets []change.Set, patch func(*change.Set, int) (string, error)) error {
	var text strings.Builder
	run := ""
	for i := range sets {
		set := &sets[i]
		if set.RunID != run {
			run = set.RunID
			number := int64(0)
			for _, r := range runs {
				if r.ID == run {
					number = r.Number
				}
			}
			fmt.Fprintf(&text, "run %d (%s)\n", number, run)
		}
		fmt.Fprintf(&text, "  %s  %s\n", set.Made.Local().Format("2006-01-02 15:04"), describeSet(set))
		for _, unit := range set.Units {
			fmt.Fprintf(&text, "    unit    %s (%s)\n", workspace.Shown(string(unit.Path)), describeUnit(set, unit))
		}
		for j, c := range workspace.ChangesOf(set) {
			if c.To != "" || isInUnits(set, set.Changes[j]) {
				continue // it stands with where it was moved to, or with its unit
			}
			fmt.Fprintf(&text, "    %s%s\n", describeChange(c), noteOf(set, set.Changes[j]))
			if patch == nil {
				continue
			}
			lines, err := patch(set, j)
			if err != nil {
				return err
			}
			text.WriteString(lines)
		}
	}
	_, err := io.WriteString(out, message.Visible(text.String()))
	return err
}

// isInUnits reports whether a change is of a repository or a database.
func isInUnits(set *change.Set, c change.Change) bool {
	return slices.ContainsFunc(set.Units, func(u change.Unit) bool { return u.Has(c) })
}

// describeUnit describes how much of a unit changed.
func describeUnit(set *change.Set, unit change.Unit) string {
	n, undone := 0, 0
	for _, c := range set.Changes {
		if unit.Has(c) {
			n++
			if c.Undone {
				undone++
			}
		}
	}
	text := fmt.Sprintf("%d %s, taken back as a whole or not at all", n, plural(n, "path", "paths"))
	if undone == n {
		text = fmt.Sprintf("%d %s", n, plural(n, "path", "paths")) + ", taken back"
	}
	return text
}

// describeSet names what made a set.
func describeSet(set *change.Set) string {
	switch set.Source {
	case change.ByCommand:
		return "command " + set.CallID
	case change.ByUndo:
		return "taken back of " + set.CallID
	case change.ByRedo:
		return "made again of " + set.CallID
	case change.ByHunks:
		return "parts taken back of " + set.CallID
	case change.ByChoice:
		return "put beside what was changed since " + set.CallID
	case change.ByTool:
	}
	return "call " + set.CallID
}

// describeChange is one change in a line.
func describeChange(c message.Change) string {
	path := c.Path
	if c.From != "" {
		path = c.From + " -> " + c.Path
	}
	line := fmt.Sprintf("%-7s %s", opWord(c), path)
	if c.Added+c.Removed > 0 {
		line += fmt.Sprintf(" (+%d −%d)", c.Added, c.Removed)
	}
	return line
}

// opWord is what was done, in a word.
func opWord(c message.Change) string {
	if c.From != "" {
		return "move"
	}
	return c.Op
}

// noteOf describes what has become of a change, or why it cannot be taken back.
func noteOf(set *change.Set, c change.Change) string {
	switch {
	case c.Undone && set.Source != change.ByUndo:
		return ", taken back"
	case c.Lost != "":
		return ", cannot be taken back: " + lossWords[c.Lost]
	}
	return ""
}

// lossWords say why something cannot be taken back.
var lossWords = map[change.Loss]string{
	change.LossLarge:      "it was too large to be kept",
	change.LossUnreadable: "it could not be read",
	change.LossSpecial:    "it was no file, folder or link",
	change.LossBelow:      "it was changed in the folder since",
	change.LossFreed:      "what was kept was freed",
}

// patchOf are the lines that a change changed.
func patchOf(texts *change.Recorder, sets []change.Set, set *change.Set, index int) (string, error) {
	c := set.Changes[index]
	before, after, ok, err := texts.Texts(sets, set, index)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", nil
	}
	from, to := string(c.Path), string(c.Path)
	if c.Before.Kind == change.None {
		from = ""
	}
	if c.After.Kind == change.None {
		to = ""
	}
	if c.From != "" || c.To != "" || len(before)+len(after) == 0 {
		return "", nil
	}
	text, _, _ := change.UnifiedDiff(from, to, before, after)
	return text, nil
}
