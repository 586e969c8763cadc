package extract

import (
	"fmt"
	"strings"
)

// flow is text that runs on from line to line: each paragraph is a line, and what a reader has to
// see as apart has an empty one before it.
type flow struct {
	text strings.Builder
	// apart says that the next line has an empty one before it.
	apart bool
	// notes are what is written below it: footnotes and comments.
	notes []string
}

// line adds a paragraph. One without text is left out.
func (f *flow) line(text string) {
	text = strings.TrimRight(text, " \t\r\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	if f.apart && f.text.Len() > 0 {
		f.text.WriteByte('\n')
	}
	f.apart = false
	f.text.WriteString(text)
	f.text.WriteByte('\n')
}

// heading adds a heading of a level from 1, as Markdown has it.
func (f *flow) heading(level int, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	f.apart = true
	f.line(strings.Repeat("#", min(max(level, 1), 6)) + " " + strings.Join(strings.Fields(text), " "))
}

// table adds a table.
func (f *flow) table(t *table) {
	f.apart = true
	f.line(t.String())
	f.apart = true
}

// note adds a note below the text, and returns the mark that leads to it.
func (f *flow) note(text string) string {
	mark := fmt.Sprintf("[^%d]", len(f.notes)+1)
	f.notes = append(f.notes, mark+": "+strings.Join(strings.Fields(text), " "))
	return mark
}

// String is the text with its notes.
func (f *flow) String() string {
	notes := f.notes
	f.notes, f.apart = nil, true
	for _, note := range notes {
		f.line(note)
		f.apart = false
	}
	return f.text.String()
}

// plain is the text of a part of a document that stands where there is space for one paragraph.
func (f *flow) plain() string { return strings.TrimSpace(f.text.String()) }
