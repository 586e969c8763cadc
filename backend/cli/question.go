package cli

import (
	"fmt"
	"strings"
	"unicode"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

const (
	// gutter stands before every row of what is decided about, so that no text in
	// it can be taken for a line of Fairlead's own.
	gutter = "  │ "
	// manySpaces and manyBlank are how many columns of spaces in a row, of whatever
	// kind, and how many blank lines, are shown as a mark: they could push the rest out
	// of sight.
	manySpaces = 40
	manyBlank  = 3
	// tab is what a tab is shown as.
	tab = "    "
)

// questionText is what the user is shown: the whole change or command, never cut,
// its lines folded at the given number of columns; 0 folds none.
func questionText(request event.ConfirmRequest, columns int) string {
	var out strings.Builder
	preview := request.Preview
	fmt.Fprintf(&out, "\n%s", titleOf(request))
	if request.Reason != "" {
		fmt.Fprintf(&out, " (%s)", message.Inline(request.Reason))
	}
	out.WriteString("\n")
	body := preview.Command
	switch {
	case preview.ServerCall != nil:
		body = preview.ServerCall.Arguments
	case request.Kind == message.QuestionOutput:
		body = preview.Output
	case body != "":
	case len(preview.Changes) > 0:
		body = strings.Join(pendingLines(preview.Changes), "\n")
	case preview.URL != "":
		body = preview.URL
	case preview.Diff != "":
		body = preview.Diff
	default:
		body = string(request.Arguments)
	}
	for _, row := range foldRows(message.Visible(strings.TrimRight(body, "\n")), columns) {
		out.WriteString(gutter + row + "\n")
	}
	if preview.ServerCall != nil {
		out.WriteString(serverText(*preview.ServerCall, preview.Level, columns))
	}
	if preview.Autorun != "" {
		fmt.Fprintf(&out, "! Runs by itself: %s.\n", preview.Autorun.Sentence())
	}
	if preview.Confinement != "" {
		fmt.Fprintf(&out, "%s\n", preview.Confinement)
	}
	if preview.NoCopy != nil && preview.NoCopy.Code != message.NoCopyLevel {
		fmt.Fprintf(&out, "It works on the folder itself, not on a copy: %s.\n", message.Inline(preview.NoCopy.String()))
	}
	if sentence := preview.Undo.Sentence(); sentence != "" {
		fmt.Fprintf(&out, "! %s\n", sentence)
	}
	return out.String()
}

// serverText says which server it is whose tool is called, and what it says of the tool.
func serverText(call message.ServerCall, level message.Level, columns int) string {
	var out strings.Builder
	quote := func(what, text string) {
		fmt.Fprintf(&out, "%s:\n", what)
		for _, row := range foldRows(message.Inline(text), columns) {
			out.WriteString(gutter + row + "\n")
		}
	}
	if call.Title != "" {
		quote("The server calls this", call.Title)
	}
	if call.ReadOnly {
		out.WriteString("The server says that it changes nothing.\n")
	}
	if call.Elsewhere {
		quote("The server is at", call.Runs)
	} else {
		quote(fmt.Sprintf("The server runs with confinement %s, and is", level), call.Runs)
	}
	return out.String()
}

// titleOf names what is asked about in one line.
func titleOf(request event.ConfirmRequest) string {
	preview := request.Preview
	switch {
	case request.Kind == message.QuestionChanges && len(preview.Changes) > 0:
		return pendingTitle(request)
	case request.Kind == message.QuestionOutput:
		return fmt.Sprintf("? let the model see %d %s in the output of %s", preview.Keys, plural(preview.Keys, "key", "keys"), message.Inline(preview.Command))
	case preview.ServerCall != nil && preview.Effect == message.EffectNetwork && preview.Network:
		return fmt.Sprintf("? allow %s of the server %s the network", message.Inline(preview.ServerCall.Tool), message.Inline(preview.ServerCall.Server))
	case preview.ServerCall != nil:
		return fmt.Sprintf("? call %s of the server %s", message.Inline(preview.ServerCall.Tool), message.Inline(preview.ServerCall.Server))
	case preview.Effect == message.EffectNetwork && preview.Network:
		return fmt.Sprintf("? allow %s the network", message.Inline(request.ToolName))
	case preview.URL != "":
		return fmt.Sprintf("? %s from a new host", message.Inline(request.ToolName))
	case preview.Command != "":
		return fmt.Sprintf("? %s in %s", message.Inline(request.ToolName), message.Inline(preview.Folder))
	case preview.Memory:
		return fmt.Sprintf("? %s in the memory of the folder, outside of it (+%d −%d)", message.Inline(request.ToolName), preview.Added, preview.Removed)
	case preview.Diff != "":
		return fmt.Sprintf("? %s %s (+%d −%d)", message.Inline(request.ToolName), message.Inline(preview.Path), preview.Added, preview.Removed)
	}
	return fmt.Sprintf("? %s %s", message.Inline(request.ToolName), message.Inline(preview.Path))
}

// foldRows folds text into rows that fit beside the gutter. Long runs of spaces and
// of blank lines become marks that count them.
func foldRows(text string, columns int) []string {
	var folded []string
	blank := 0
	flush := func() {
		if blank > manyBlank {
			folded = append(folded, fmt.Sprintf("[… %d blank lines …]", blank))
		} else {
			folded = append(folded, make([]string, blank)...)
		}
		blank = 0
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = markSpaces(strings.ReplaceAll(line, "\t", tab))
		if strings.TrimSpace(line) == "" {
			blank++
			continue
		}
		flush()
		folded = append(folded, foldLine(line, columns-message.Columns(gutter))...)
	}
	flush()
	return folded
}

// markSpaces folds long runs of spaces into a mark. Spaces are all that Unicode calls
// so, the wide and the no-break ones too.
func markSpaces(line string) string {
	var out, run strings.Builder
	spaces := 0
	flush := func() {
		if message.Columns(run.String()) >= manySpaces {
			fmt.Fprintf(&out, "[… %d spaces …]", spaces)
		} else {
			out.WriteString(run.String())
		}
		run.Reset()
		spaces = 0
	}
	for _, r := range line {
		if unicode.Is(unicode.Zs, r) {
			run.WriteRune(r)
			spaces++
			continue
		}
		flush()
		out.WriteRune(r)
	}
	flush()
	return out.String()
}

// foldLine breaks a line into pieces of at most so many cells; less than one breaks
// nothing.
func foldLine(line string, columns int) []string {
	if columns < 1 {
		return []string{line}
	}
	var pieces []string
	var piece strings.Builder
	used := 0
	for _, r := range line {
		n := message.Columns(string(r))
		if used+n > columns && used > 0 {
			pieces = append(pieces, piece.String())
			piece.Reset()
			used = 0
		}
		piece.WriteRune(r)
		used += n
	}
	return append(pieces, piece.String())
}
