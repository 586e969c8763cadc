package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

const (
	// maxEntry bounds the text of an entry, in characters.
	maxEntry = 1000
	// MaxPrompt bounds what of the notes goes into the prompt, in bytes.
	MaxPrompt = 4 << 10
	// olderLeftOut is the first line of what goes into the prompt where that is not all.
	olderLeftOut = "(older notes are left out)\n"
)

// Notes are what is noted about a workspace. The zero Notes are none.
type Notes struct {
	// Text is Markdown.
	Text string
	// Version names exactly this text; empty where there is no file.
	Version string
}

func newNotes(text string) Notes {
	sum := sha256.Sum256([]byte(text))
	return Notes{Text: text, Version: hex.EncodeToString(sum[:])}
}

// NewEntry returns the line that notes a text on a day, without a line end. Line ends and
// other spaces of the text are folded, hidden characters become readable. A text that is
// empty, too long, or has keys in known forms, gives a *message.Refusal with
// INVALID_PARAMS.
func (m *Memory) NewEntry(text string, day time.Time) (string, error) {
	if err := m.checkKeys(text); err != nil {
		return "", err
	}
	text = message.Inline(strings.Join(strings.Fields(strings.ToValidUTF8(text, string(utf8.RuneError))), " "))
	// A key in several lines has a known form in one of the two ways only.
	if err := m.checkKeys(text); err != nil {
		return "", err
	}
	switch length := utf8.RuneCountInString(text); {
	case length == 0:
		return "", &message.Refusal{Code: message.InvalidParams, Message: "the text is empty: say what is to be remembered"}
	case length > maxEntry:
		return "", &message.Refusal{
			Code: message.InvalidParams, Message: fmt.Sprintf("the text has %d characters, at most %d are remembered: shorten it", length, maxEntry),
		}
	}
	return "- " + day.Format(time.DateOnly) + ": " + text, nil
}

var entryDate = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^- [0-9]{4}-[0-9]{2}-[0-9]{2}: `) })

// undated returns an entry without its date.
func undated(entry string) string {
	return strings.TrimSpace(entry[len(entryDate().FindString(entry)):])
}

// With returns the text with an entry at its end, or as it is where the same is noted
// already, whatever the day. A text that would be too long gives a *message.Refusal with
// INVALID_STATE.
func (n Notes) With(entry string) (string, error) {
	for line := range strings.Lines(n.Text) {
		if undated(line) == undated(entry) {
			return n.Text, nil
		}
	}
	text := n.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	text += entry + "\n"
	if len(text) > maxFile {
		return "", &message.Refusal{
			Code: message.InvalidState, Message: fmt.Sprintf("the memory of this folder is full (%d bytes): the user has to shorten it first", maxFile),
		}
	}
	return text, nil
}

// Prompt returns what of the notes goes into the prompt, at most MaxPrompt bytes: all, or
// the last whole entries that fit below a line that says so. Values in the forms of keys,
// which nobody could have added but with an editor, are hidden.
func (n Notes) Prompt() string {
	shown, _ := workspace.HideSecrets(n.Text)
	shown = strings.TrimSpace(shown)
	if len(shown) <= MaxPrompt {
		return shown
	}
	fits := ""
	for rest := shown; ; {
		at := lastEntry(rest)
		if len(olderLeftOut)+len(shown)-at > MaxPrompt {
			break
		}
		rest, fits = rest[:at], shown[at:]
	}
	return strings.TrimSpace(olderLeftOut + fits)
}

// lastEntry returns where in a text, which is not empty, the last entry begins: at the last
// line with something at its beginning. What is indented below belongs to it.
func lastEntry(text string) int {
	for at := len(text); at > 0; {
		at = strings.LastIndexByte(text[:at-1], '\n') + 1
		if !strings.ContainsRune(" \t\r\n", rune(text[at])) {
			return at
		}
	}
	return 0
}
