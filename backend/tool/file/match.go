package file

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
)

// shownLines is how many line numbers or candidate lines an error shows.
const shownLines = 10

// apply makes the edit in text. An exact match is taken first; without one, the
// only run of whole lines that differs in nothing but whitespace, which corrected
// reports.
func (e edit) apply(ctx context.Context, text string) (edited string, corrected bool, err error) {
	if !strings.Contains(text, "\r\n") {
		// The model may write CRLF for a file that is shown and matched with LF.
		e.Old, e.New = strings.ReplaceAll(e.Old, "\r\n", "\n"), strings.ReplaceAll(e.New, "\r\n", "\n")
	}
	switch {
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case e.Old == "":
		return "", false, invalid("old is empty: name the text to replace, or use write_file for a whole file")
	case e.Old == e.New:
		return "", false, invalid("old and new are the same")
	}
	at := occurrences(text, e.Old)
	switch {
	case len(at) == 0:
		edited, err = e.applyLoosely(text)
		return edited, err == nil, err
	case e.All:
		return strings.ReplaceAll(text, e.Old, e.New), false, nil
	case len(at) > 1:
		lines := make([]int, len(at))
		for i, offset := range at {
			lines[i] = 1 + strings.Count(text[:offset], "\n")
		}
		return "", false, ambiguous(lines)
	}
	return text[:at[0]] + e.New + text[at[0]+len(e.Old):], false, nil
}

// occurrences returns where old begins in text, overlapping ones included, up to
// one more than an error shows.
func occurrences(text, old string) []int {
	var at []int
	for from := 0; len(at) <= shownLines; {
		i := strings.Index(text[from:], old)
		if i < 0 {
			break
		}
		at = append(at, from+i)
		_, size := utf8.DecodeRuneInString(text[from+i:])
		from += i + size
	}
	return at
}

func ambiguous(lines []int) error {
	var shown []string
	for _, line := range slices.Compact(lines[:min(len(lines), shownLines)]) {
		shown = append(shown, fmt.Sprint(line))
	}
	if len(lines) > shownLines {
		shown = append(shown, "…")
	}
	return &message.ToolError{
		Code:    message.EditAmbiguous,
		Message: "old occurs more than once, at line " + strings.Join(shown, ", ") + ": add lines around it, or set all",
	}
}

// applyLoosely replaces the only run of lines that equals old but for whitespace.
func (e edit) applyLoosely(text string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	old := strings.Split(strings.TrimSuffix(e.Old, "\n"), "\n")
	loose, wanted := squeezed(lines), squeezed(old)
	if e.All || strings.Join(wanted, "") == "" {
		return "", noMatch(lines, loose, wanted)
	}
	var found []int
	for i := 0; i+len(wanted) <= len(loose); i++ {
		if slices.Equal(loose[i:i+len(wanted)], wanted) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return "", noMatch(lines, loose, wanted)
	case 1:
	default:
		for i := range found {
			found[i]++
		}
		return "", ambiguous(found)
	}
	start, end := found[0], found[0]+len(wanted)
	replaced := lines[start:end]
	inserted := reindent(e.New, old, replaced)
	last := replaced[len(replaced)-1]
	if inserted != "" && !strings.HasSuffix(inserted, "\n") && strings.HasSuffix(last, "\n") {
		inserted += "\n"
	}
	return strings.Join(lines[:start], "") + inserted + strings.Join(lines[end:], ""), nil
}

// squeezed returns lines with every run of whitespace made one space.
func squeezed(lines []string) []string {
	loose := make([]string, len(lines))
	for i, line := range lines {
		loose[i] = strings.Join(strings.Fields(line), " ")
	}
	return loose
}

// reindent gives the lines of text the indentation that the file has where the
// model wrote another: each that occurs in old becomes its counterpart in the
// file; others change with the first line's.
func reindent(text string, old, inFile []string) string {
	counterpart := map[string]string{}
	first := ""
	for i, line := range old {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(counterpart) == 0 {
			first = indent(line)
		}
		if _, ok := counterpart[indent(line)]; !ok {
			counterpart[indent(line)] = indent(inFile[i])
		}
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		known, ok := counterpart[indent(line)]
		switch {
		case ok:
			lines[i] = known + line[len(indent(line)):]
		case strings.HasPrefix(line, first):
			lines[i] = counterpart[first] + line[len(first):]
		}
	}
	return strings.Join(lines, "")
}

// indent returns the spaces and tabs that a line begins with.
func indent(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
