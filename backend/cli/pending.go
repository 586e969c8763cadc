package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// pendingRows lists the changes of a question, one a row: those that are held with the
// reason, and of what was moved the new path alone.
func pendingRows(changes []message.PendingChange) []string {
	var rows []string
	for i, c := range shownChanges(changes) {
		row := fmt.Sprintf("%d  %s %s", i+1, c.Kind, message.Inline(c.Path))
		switch {
		case c.From != "":
			row = fmt.Sprintf("%d  moved %s to %s", i+1, message.Inline(c.From), message.Inline(c.Path))
		case c.Target != "":
			row += " → " + message.Inline(c.Target)
		case c.Added > 0 || c.Removed > 0:
			row += fmt.Sprintf(" (+%d −%d)", c.Added, c.Removed)
		case c.Kind != "deleted" && c.Size > 0:
			row += fmt.Sprintf(" (%d bytes)", c.Size)
		}
		if c.Mode != "" {
			row += ", mode " + c.Mode
		}
		if c.Held != nil {
			row += "  ! " + c.Held.String()
		}
		rows = append(rows, row)
	}
	return rows
}

// shownChanges are the changes that are listed: of what was moved the one at the new path.
func shownChanges(changes []message.PendingChange) []message.PendingChange {
	return slices.DeleteFunc(slices.Clone(changes), func(c message.PendingChange) bool { return c.To != "" })
}

// pendingTitle counts the changes of a question.
func pendingTitle(request event.ConfirmRequest) string {
	kinds := map[string]int{}
	held := 0
	for _, c := range shownChanges(request.Preview.Changes) {
		if c.From != "" {
			kinds["moved"]++
		} else {
			kinds[c.Kind]++
		}
		if c.Held != nil {
			held++
		}
	}
	var parts []string
	for _, kind := range []string{"created", "modified", "moved", "deleted"} {
		if kinds[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
		}
	}
	title := fmt.Sprintf("? apply what %s did in its copy of %s: %s", message.Inline(request.ToolName), message.Inline(request.Preview.Folder), strings.Join(parts, ", "))
	if held > 0 {
		title += fmt.Sprintf(" (%d held)", held)
	}
	return title
}

// showDiffs shows the diffs of a question about changes.
func (t *terminal) showDiffs(request event.ConfirmRequest) {
	columns, _ := t.size()
	for _, c := range request.Preview.Changes {
		if c.Diff == "" {
			continue
		}
		for _, row := range foldRows(message.Visible(strings.TrimRight(c.Diff, "\n")), columns) {
			fmt.Fprintln(t.out, gutter+row)
		}
	}
}

// chooseChanges asks which changes are to be applied, by their numbers; nil for none typed.
func (t *terminal) chooseChanges(ctx context.Context, answers *answering, request event.ConfirmRequest) ([]string, error) {
	fmt.Fprint(t.out, "numbers of those to apply, such as 1 3-5 (Enter goes back): ")
	line, err := t.nextLine(ctx, answers)
	if err != nil || strings.TrimSpace(line) == "" {
		return nil, err
	}
	var paths []string
	all := shownChanges(request.Preview.Changes)
	for word := range strings.FieldsSeq(strings.ReplaceAll(line, ",", " ")) {
		first, last, isRange := strings.Cut(word, "-")
		if !isRange {
			last = first
		}
		from, fromErr := strconv.Atoi(first)
		to, toErr := strconv.Atoi(last)
		if fromErr != nil || toErr != nil || from < 1 || to > len(all) || from > to {
			fmt.Fprintf(t.out, "%q is none of the numbers above; nothing was decided\n", message.Inline(word))
			return nil, nil
		}
		for _, c := range all[from-1 : to] {
			paths = append(paths, c.Path)
			if c.From != "" { // the other path goes with it
				paths = append(paths, c.From)
			}
		}
	}
	return paths, nil
}
