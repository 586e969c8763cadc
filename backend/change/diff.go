package change

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"znkr.io/diff"
	"znkr.io/diff/textdiff"
)

// The time of a good diff grows faster than the texts, so longer ones get a
// plainer one. Both limits are lines of the old and new text together, set where
// texts with nothing to hold on to took some 0.2 s.
const (
	goodDiffLines = 10_000
	fastDiffLines = 2_000_000
)

// contextLines is how many unchanged lines surround a change.
const contextLines = 3

// UnifiedDiff returns the unified diff between two contents of files, of which one may not
// be there and has no path, and how many lines it adds and removes.
func UnifiedDiff(from, to string, before, after []byte) (text string, added, removed int) {
	hunks := unifiedHunks(string(before), string(after))
	for line := range strings.Lines(hunks) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return "--- " + diffSide("a/", from) + "\n+++ " + diffSide("b/", to) + "\n" + hunks, added, removed
}

// diffSide is the name of one side of a diff.
func diffSide(prefix, local string) string {
	if local == "" {
		return "/dev/null"
	}
	return DiffName(prefix + local)
}

// DiffName quotes a name that would break the header's line, as git does.
func DiffName(name string) string {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

// unifiedHunks returns the hunks that lead from before to after, in bounded time.
func unifiedHunks(before, after string) string {
	switch lines := strings.Count(before, "\n") + strings.Count(after, "\n"); {
	case lines <= goodDiffLines:
		return textdiff.Unified(before, after)
	case lines <= fastDiffLines:
		return textdiff.Unified(before, after, diff.Fast())
	default:
		return oneHunk(before, after)
	}
}

// oneHunk returns the hunk from the first line that differs to the last.
func oneHunk(before, after string) string {
	if before == after {
		return ""
	}
	start := commonStart(before, after)
	end := commonEnd(before[start:], after[start:])
	head, tail := before[:start], before[len(before)-end:]
	from, skipped := start, strings.Count(head, "\n")
	for range contextLines {
		if from == 0 {
			break
		}
		from = strings.LastIndexByte(head[:from-1], '\n') + 1
		skipped--
	}
	until := 0
	for range contextLines {
		if next := strings.IndexByte(tail[until:], '\n'); next >= 0 {
			until += next + 1
		} else {
			until = len(tail)
		}
	}
	var hunk strings.Builder
	same := addLines(&hunk, ' ', head[from:])
	removed := addLines(&hunk, '-', before[start:len(before)-end])
	added := addLines(&hunk, '+', after[start:len(after)-end])
	same += addLines(&hunk, ' ', tail[:until])
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", skipped+1, same+removed, skipped+1, same+added) + hunk.String()
}

// addLines adds the lines of text to a hunk and returns how many they are.
func addLines(hunk *strings.Builder, mark byte, text string) int {
	lines := 0
	for line := range strings.Lines(text) {
		hunk.WriteByte(mark)
		hunk.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			hunk.WriteString("\n\\ No newline at end of file\n")
		}
		lines++
	}
	return lines
}

// commonStart returns the length of the whole lines that both texts begin with.
func commonStart(a, b string) int {
	shorter := min(len(a), len(b))
	same := 0
	for same < shorter && a[same] == b[same] {
		same++
	}
	return strings.LastIndexByte(a[:same], '\n') + 1
}

// commonEnd returns the length of the whole lines that both texts end with.
func commonEnd(a, b string) int {
	shorter := min(len(a), len(b))
	same := 0
	for same < shorter && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	if beginsLine(a, len(a)-same) && beginsLine(b, len(b)-same) {
		return same
	}
	tail := a[len(a)-same:]
	if cut := strings.IndexByte(tail, '\n'); cut >= 0 {
		return len(tail) - cut - 1
	}
	return 0
}

// beginsLine reports whether a line begins at an offset of text.
func beginsLine(text string, offset int) bool {
	return offset == 0 || text[offset-1] == '\n'
}
