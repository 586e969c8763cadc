package file

import (
	"fmt"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

const (
	// comparedLines is how many lines of a text that was not found are compared.
	comparedLines = 100
	// shownOfLine is how much of a candidate line is shown, in bytes.
	shownOfLine = 200
)

// noMatch says that old was not found, and shows the lines most like it.
func noMatch(lines, loose, wanted []string) error {
	text := "old was not found"
	if at := nearestLine(loose, wanted); at >= 0 {
		text += "; the nearest lines are:"
		var secrets workspace.Hider
		for _, line := range lines[:at] {
			secrets.Pass([]byte(line))
		}
		for i := at; i < min(at+min(len(wanted), shownLines), len(lines)); i++ {
			line := strings.TrimRight(lines[i], "\r\n")
			line = line[:min(len(line), shownOfLine+secretBytes)]
			text += fmt.Sprintf("\n%d\t%s", i+1, strings.ToValidUTF8(secrets.Part(line, min(len(line), shownOfLine)), ""))
		}
	} else {
		text += ", nor anything like it: read the file again"
	}
	return &message.ToolError{Code: message.EditNoMatch, Message: text}
}

// nearestLine returns the line at which wanted fits best: with most text in equal
// lines, else with most words in common; -1 if nothing is in common.
func nearestLine(loose, wanted []string) int {
	wanted = wanted[:min(len(wanted), comparedLines)]
	offsets := map[string][]int{}
	words := map[string]bool{}
	for j, line := range wanted {
		if line != "" {
			offsets[line] = append(offsets[line], j)
		}
		for word := range strings.FieldsSeq(line) {
			words[word] = true
		}
	}
	votes := make([]int, len(loose))
	for i, line := range loose {
		for _, j := range offsets[line] {
			if i >= j {
				votes[i-j] += len(line)
			}
		}
	}
	if at := highestVote(votes); at >= 0 {
		return at
	}
	for i, line := range loose {
		for word := range strings.FieldsSeq(line) {
			if words[word] {
				votes[i] += len(word)
			}
		}
	}
	return highestVote(votes)
}

// highestVote returns the first index of the highest positive vote, or -1.
func highestVote(votes []int) int {
	best := -1
	for i, vote := range votes {
		if vote > 0 && (best < 0 || vote > votes[best]) {
			best = i
		}
	}
	return best
}
