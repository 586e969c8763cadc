package session

import (
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
)

// titleLength is how long a title is at most, in characters.
const titleLength = 60

// title is the beginning of a task as a title: its first line, cut between two
// words where there are any.
func title(prompt string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	words := strings.Join(strings.Fields(message.Visible(line)), " ")
	if utf8.RuneCountInString(words) <= titleLength {
		return words
	}
	cut := string([]rune(words)[:titleLength])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 {
		cut = cut[:space]
	}
	return cut + "…"
}
