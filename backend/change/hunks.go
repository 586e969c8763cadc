package change

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Hunk is a part of a unified diff between two texts.
type Hunk struct {
	// Header is the line that begins it, as "@@ -1,4 +1,5 @@": it names the hunk.
	Header string
	// From and To are the lines before and after that it is about, those around the change
	// too.
	From, To Span
}

// Span are lines of a text: Count of them from the one of index Start, the first being 0.
type Span struct{ Start, Count int }

// headerForm is the form of the line that begins a hunk.
var headerForm = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// Hunks are the hunks of the diff that UnifiedDiff gives.
func Hunks(before, after []byte) []Hunk {
	var hunks []Hunk
	left := Span{} // lines of the current hunk: before in Start, after in Count
	for line := range strings.Lines(unifiedHunks(string(before), string(after))) {
		if left.Start+left.Count > 0 {
			switch line[0] {
			case '-':
				left.Start--
			case '+':
				left.Count--
			case ' ':
				left.Start, left.Count = left.Start-1, left.Count-1
			}
			continue
		}
		if found := headerForm.FindStringSubmatch(line); found != nil {
			h := Hunk{Header: found[0], From: spanOf(found[1], found[2]), To: spanOf(found[3], found[4])}
			hunks, left = append(hunks, h), Span{h.From.Count, h.To.Count}
		}
	}
	return hunks
}

// spanOf are the lines that a header names. A missing count is 1; the lines of a side without
// any are named by the one before them.
func spanOf(start, count string) Span {
	span := Span{Count: 1}
	span.Start, _ = strconv.Atoi(start)
	if count != "" {
		span.Count, _ = strconv.Atoi(count)
	}
	if span.Count > 0 {
		span.Start--
	}
	return span
}

// WithoutHunks is what a text is after a change without the hunks that the headers name.
func WithoutHunks(before, after []byte, headers []string) []byte {
	old, now := splitLines(string(before)), splitLines(string(after))
	var out strings.Builder
	at := 0
	for _, h := range Hunks(before, after) {
		if !slices.Contains(headers, h.Header) {
			continue
		}
		addAll(&out, now[at:h.To.Start])
		addAll(&out, old[h.From.Start:h.From.Start+h.From.Count])
		at = h.To.Start + h.To.Count
	}
	addAll(&out, now[at:])
	return []byte(out.String())
}

func addAll(to *strings.Builder, lines []string) {
	for _, line := range lines {
		to.WriteString(line)
	}
}
