package file

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
)

const (
	// shownLines is how many line numbers or candidate lines an error shows.
	shownLines = 10
	// looseLines is how many lines a text may have to be matched without regard
	// to whitespace, which takes memory for each line.
	looseLines = 200_000
)

// apply makes the edit in text. An exact match is taken first; without one, the
// only run of whole lines that differs in nothing but whitespace, which corrected
// reports. What would grow above maxText is refused before it is made.
func (e edit) apply(ctx context.Context, text string) (edited string, corrected bool, err error) {
	if !strings.Contains(text, "\r\n") {
		// The model may write CRLF for a file that is shown and matched with LF.
		e.Old, e.New = strings.ReplaceAll(e.Old, "\r\n", "\n"), strings.ReplaceAll(e.New, "\r\n", "\n")
	}
	switch {
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case e.Old == "":
		return "", false, invalidArguments("old is empty: name the text to replace, or use write_file for a whole file")
	case e.Old == e.New:
		return "", false, invalidArguments("old and new are the same")
	case len(e.New) > maxText:
		return "", false, tooLong(len(e.New))
	}
	at := findOccurrences(text, e.Old)
	switch {
	case len(at) == 0:
		edited, err = e.applyLoosely(ctx, text)
		return edited, err == nil, err
	case e.All:
		if err := tooLong(len(text) + strings.Count(text, e.Old)*(len(e.New)-len(e.Old))); err != nil {
			return "", false, err
		}
		return strings.ReplaceAll(text, e.Old, e.New), false, nil
	case len(at) > 1:
		lines := make([]int, len(at))
		for i, offset := range at {
			lines[i] = 1 + strings.Count(text[:offset], "\n")
		}
		return "", false, ambiguousError(lines)
	}
	if err := tooLong(len(text) + len(e.New) - len(e.Old)); err != nil {
		return "", false, err
	}
	return text[:at[0]] + e.New + text[at[0]+len(e.Old):], false, nil
}

// findOccurrences returns where old begins in text, overlapping ones included, up to
// one more than an error shows.
func findOccurrences(text, old string) []int {
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

func ambiguousError(lines []int) error {
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
func (e edit) applyLoosely(ctx context.Context, text string) (string, error) {
	if strings.Count(text, "\n") >= looseLines || strings.Count(e.Old, "\n") >= looseLines {
		return "", &message.ToolError{
			Code:    message.EditNoMatch,
			Message: fmt.Sprintf("old was not found exactly, and texts of %d lines or more are not searched for a similar one", looseLines),
		}
	}
	lines := strings.SplitAfter(text, "\n")
	old := strings.Split(strings.TrimSuffix(e.Old, "\n"), "\n")
	loose, wanted := squeezeSpaces(lines), squeezeSpaces(old)
	if e.All || strings.Join(wanted, "") == "" {
		return "", noMatch(lines, loose, wanted)
	}
	found, err := findRuns(ctx, loose, wanted)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", noMatch(lines, loose, wanted)
	case len(found) > 1:
		for i := range found {
			found[i]++
		}
		return "", ambiguousError(found)
	}
	start, end := found[0], found[0]+len(wanted)
	before, replaced, after := strings.Join(lines[:start], ""), lines[start:end], strings.Join(lines[end:], "")
	inserted, err := reindentText(e.New, old, replaced)
	if err != nil {
		return "", err
	}
	last := replaced[len(replaced)-1]
	if inserted != "" && !strings.HasSuffix(inserted, "\n") && strings.HasSuffix(last, "\n") {
		inserted += "\n"
	}
	if err := tooLong(len(before) + len(inserted) + len(after)); err != nil {
		return "", err
	}
	return before + inserted + after, nil
}

// findRuns returns where wanted begins in lines, overlapping ones included. It is the
// search of Knuth, Morris and Pratt, whose time grows with the sum of both lengths
// and not with their product.
func findRuns(ctx context.Context, lines, wanted []string) ([]int, error) {
	// border[i] is the length of the longest proper start of wanted[:i+1] that is
	// also its end.
	border := make([]int, len(wanted))
	for i, length := 1, 0; i < len(wanted); i++ {
		for length > 0 && wanted[i] != wanted[length] {
			length = border[length-1]
		}
		if wanted[i] == wanted[length] {
			length++
		}
		border[i] = length
	}
	var found []int
	matched := 0
	for i, line := range lines {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for matched > 0 && line != wanted[matched] {
			matched = border[matched-1]
		}
		if line == wanted[matched] {
			matched++
		}
		if matched == len(wanted) {
			found = append(found, i+1-matched)
			matched = border[matched-1]
		}
	}
	return found, nil
}

// squeezeSpaces returns lines with every run of whitespace made one space.
func squeezeSpaces(lines []string) []string {
	loose := make([]string, len(lines))
	for i, line := range lines {
		loose[i] = strings.Join(strings.Fields(line), " ")
	}
	return loose
}

// reindentText gives the lines of text the indentation that the file has where the
// model wrote another: each that occurs in old becomes its counterpart in the
// file; others change with the first line's. A long indentation in the file may
// make more of it than a file may have.
func reindentText(text string, old, inFile []string) (string, error) {
	counterpart := map[string]string{}
	first := ""
	for i, line := range old {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(counterpart) == 0 {
			first = indentOf(line)
		}
		if _, ok := counterpart[indentOf(line)]; !ok {
			counterpart[indentOf(line)] = indentOf(inFile[i])
		}
	}
	var indented strings.Builder
	for line := range strings.Lines(text) {
		known, ok := counterpart[indentOf(line)]
		switch {
		case strings.TrimSpace(line) == "":
		case ok:
			indented.WriteString(known)
			line = line[len(indentOf(line)):]
		case strings.HasPrefix(line, first):
			indented.WriteString(counterpart[first])
			line = line[len(first):]
		}
		indented.WriteString(line)
		if err := tooLong(indented.Len()); err != nil {
			return "", err
		}
	}
	return indented.String(), nil
}

// indentOf returns the spaces and tabs that a line begins with.
func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
