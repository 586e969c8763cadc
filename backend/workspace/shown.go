package workspace

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Shown returns a path as it is shown to models and users, and accepted back from them:
// in printable UTF-8, each different path in another form. A name with other bytes is
// quoted as in Go, such as "a\xffb", and so is one that begins with a quotation mark,
// which would look like one. The slashes between names stay.
func Shown(local string) string {
	if !strings.ContainsFunc(local, isUnusual) {
		return local
	}
	names := strings.Split(local, "/")
	for i, name := range names {
		if !utf8.ValidString(name) || strings.ContainsFunc(name, isUnprintable) || strings.HasPrefix(name, `"`) {
			names[i] = strconv.Quote(name)
		}
	}
	return strings.Join(names, "/")
}

func isUnusual(r rune) bool { return r == utf8.RuneError || r == '"' || isUnprintable(r) }

func isUnprintable(r rune) bool { return !strconv.IsPrint(r) }

// intendedPath returns the path that is meant by one that a model or the user wrote. What is
// quoted stands for its bytes, in a name or in a whole path as errors quote them; a file
// whose name looks like that is meant by the form in which it is shown. All rules for
// paths are for what this returns.
func intendedPath(written string) string {
	if !strings.Contains(written, `"`) {
		return written
	}
	var path strings.Builder
	for rest := written; ; {
		quoted, err := strconv.QuotedPrefix(rest)
		if err == nil && quoted[0] == '"' && (len(quoted) == len(rest) || rest[len(quoted)] == '/') {
			text, _ := strconv.Unquote(quoted) // it was found to be quoted
			path.WriteString(text)
			rest = rest[len(quoted):]
		}
		name, below, more := strings.Cut(rest, "/")
		path.WriteString(name)
		if !more {
			return path.String()
		}
		path.WriteByte('/')
		rest = below
	}
}
