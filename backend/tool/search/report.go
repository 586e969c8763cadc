package search

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

const (
	// maxCharacters bounds what one call gives to the model (SPEC §13).
	maxCharacters = 32_000
	// lineBytes is how much of one line is shown, around its match.
	lineBytes = 300
)

// report is the text of a search's result.
type report struct {
	text       strings.Builder
	characters int
	matches    int
	// hidden counts the secret values that marks stand for.
	hidden int
	// full says that matches were left out, cut that lines were shortened.
	full, cut bool
}

// addFile adds the matches of one file.
func (r *report) addFile(path string, blocks []block) {
	name := workspace.Shown(path)
	for _, b := range blocks {
		path := name
		if b.part != "" {
			path += " (" + b.part + ")"
		}
		if len(b.lines) > 1 && r.text.Len() > 0 {
			r.add("--\n")
		}
		for i, l := range b.lines {
			mark := "-"
			if l.at >= 0 {
				mark = ":"
				r.full = r.full || r.matches == maxMatches
			}
			if !r.add(fmt.Sprintf("%s%s%d%s %s\n", path, mark, b.first+i, mark, r.shortenLine(l))) {
				return
			}
			if l.at >= 0 {
				r.matches++
			}
			r.hidden += l.hidden
		}
	}
}

// add writes text if there is space for it.
func (r *report) add(text string) bool {
	count := utf8.RuneCountInString(text)
	if r.full || r.characters+count > maxCharacters {
		r.full = true
		return false
	}
	r.characters += count
	r.text.WriteString(text)
	return true
}

// shortenLine returns a line as valid UTF-8; of a long one the part around its match.
func (r *report) shortenLine(l line) string {
	if len(l.text) <= lineBytes {
		return strings.ToValidUTF8(string(l.text), "\uFFFD")
	}
	r.cut = true
	start := max(0, l.at-lineBytes/3)
	end := min(len(l.text), start+lineBytes)
	for start > 0 && !utf8.RuneStart(l.text[start]) {
		start--
	}
	for end < len(l.text) && end > start && !utf8.RuneStart(l.text[end]) {
		end--
	}
	text := strings.ToValidUTF8(string(l.text[start:end]), "\uFFFD")
	if start > 0 {
		text = "…" + text
	}
	if end < len(l.text) {
		text += "…"
	}
	return text
}

// collectNotices says what the result leaves out.
func (r *report) collectNotices(s *scan, walked workspace.Walked) []string {
	var notices []string
	if r.matches == 0 {
		notices = append(notices, fmt.Sprintf("no match in %d files", len(s.paths)))
	}
	if r.full {
		notices = append(notices, fmt.Sprintf("only the first %d matches: narrow the pattern, path or glob", r.matches))
	}
	if r.cut {
		notices = append(notices, "long lines are cut")
	}
	if r.hidden > 0 {
		notices = append(notices, tool.HiddenSecrets(r.hidden))
	}
	if n := s.longLines.Load(); n > 0 {
		notices = append(notices, fmt.Sprintf("%d lines searched only in their first %d KiB", n, maxLine>>10))
	}
	if n := s.tooLarge.Load(); n > 0 {
		notices = append(notices, fmt.Sprintf("%d files over %d MiB not searched: name one as path to search it", n, maxFile>>20))
	}
	if n := s.unreadDocuments.Load(); n > 0 {
		notices = append(notices, fmt.Sprintf("%d documents were not read in time: search again, or name one as path", n))
	}
	if n := s.unreadable.Load(); n > 0 {
		notices = append(notices, fmt.Sprintf("%d files could not be read", n))
	}
	notices = append(notices, walked.LeftOut()...)
	if walked.Capped {
		notices = append(notices, "the folder is too large: only a part was searched, name a path")
	}
	return notices
}
