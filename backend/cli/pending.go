package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// pendingLines lists the changes of a question, one a line: those that are held with the reason.
func pendingLines(changes []message.PendingChange) []string {
	var lines []string
	for i, c := range message.PendingRows(changes) {
		line := fmt.Sprintf("%d  %s %s", i+1, c.Kind, message.Inline(c.Path))
		switch {
		case c.Unit != "":
			line += fmt.Sprintf(" (%d %s, as a whole)", len(c.Paths), plural(len(c.Paths), "path", "paths"))
		case c.From != "":
			line = fmt.Sprintf("%d  moved %s to %s", i+1, message.Inline(c.From), message.Inline(c.Path))
		case c.Target != "":
			line += " → " + message.Inline(c.Target)
		case c.Added > 0 || c.Removed > 0:
			line += fmt.Sprintf(" (+%d −%d)", c.Added, c.Removed)
		case c.Kind != "deleted" && c.Size > 0:
			line += fmt.Sprintf(" (%d bytes)", c.Size)
		}
		if c.Mode != "" {
			line += ", mode " + c.Mode
		}
		if c.Held != nil {
			line += "  ! " + c.Held.String()
		}
		lines = append(lines, line)
	}
	return lines
}

// pendingTitle counts the changes of a question.
func pendingTitle(request event.ConfirmRequest) string {
	kinds := map[string]int{}
	held := 0
	for _, c := range message.PendingRows(request.Preview.Changes) {
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
	all := message.PendingRows(request.Preview.Changes)
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
			paths = append(paths, c.Paths...)
		}
	}
	return paths, nil
}
