package autorun

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// refusals are what programs say of a file that is kept from them, in lower case: in
// the words of the system, and by the names that Node.js has for them.
var refusals = []string{"read-only file system", "device or resource busy", "erofs", "ebusy"}

// Refused returns the notice about a file that a command tried to change and could not,
// because it is one of its pins, judged by what the command printed; false where
// nothing tells.
func Refused(output string, pins []string) (Notice, bool) {
	sorted := slices.SortedFunc(slices.Values(pins), func(a, b string) int { return len(b) - len(a) })
	for line := range strings.Lines(output) {
		folded := strings.ToLower(line)
		if !slices.ContainsFunc(refusals, func(refusal string) bool { return strings.Contains(folded, refusal) }) {
			continue
		}
		for _, pin := range sorted {
			name := strings.TrimSuffix(pin, "/")
			_, known := Reason(path.Base(name)) // a command may have gone into the folder above
			if mentionsPath(line, name) || known && mentionsPath(line, path.Base(name)) {
				kind, ok := Reason(name)
				if !ok {
					kind = Git
				}
				return Notice{Code: CodePinned, Kind: kind, Path: name}, true
			}
		}
	}
	return Notice{}, false
}

// mentionsPath reports whether a line has a path, or one below it, among its words.
func mentionsPath(line, name string) bool {
	for rest := line; ; {
		at := strings.Index(rest, name)
		if at < 0 {
			return false
		}
		before, after := rest[:at], rest[at+len(name):]
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if (before == "" || strings.ContainsRune(" '\"`/‘:=(", last)) && (after == "" || strings.ContainsRune(" '\"`/’:,)\n", next)) {
			return true
		}
		rest = after
	}
}
