package sandbox

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// stringLimit is how many bytes one string of a profile holds at most. The reader of
// profiles descends from TinyScheme, which has space for 256 (STRBUFFSIZE in its
// scheme-private.h) and takes what is left of a longer string for rules.
const stringLimit = 200

// quoteText writes a text as an expression of the profile language.
func quoteText(text string) string {
	var quoted strings.Builder
	parts, size := 1, 0
	for _, r := range text {
		size += utf8.RuneLen(r)
		if size > stringLimit {
			quoted.WriteString(`" "`)
			parts, size = parts+1, utf8.RuneLen(r)
		}
		if r == '"' || r == '\\' {
			quoted.WriteByte('\\')
		}
		quoted.WriteRune(r)
	}
	if parts > 1 {
		return `(string-append "` + quoted.String() + `")`
	}
	return `"` + quoted.String() + `"`
}

// literalFilter matches one path, subpath a folder with all that is in it, and matching
// what a regular expression describes.
func literalFilter(path string) string     { return "(literal " + quoteText(path) + ")" }
func subpathFilter(path string) string     { return "(subpath " + quoteText(path) + ")" }
func regexFilter(expression string) string { return "(regex " + quoteText(expression) + ")" }

// filtersFor applies one of these to each path.
func filtersFor(kind func(string) string, paths ...string) []string {
	var all []string
	for _, path := range paths {
		all = append(all, kind(path))
	}
	return all
}

// foldedPattern is a regular expression for a path on a file system that does not tell upper
// from lower case. It knows no flags and no groups that capture nothing, because
// Seatbelt takes no notice of either. A name with other than ASCII characters is any
// name there: it has several forms that such a file system takes for the same.
func foldedPattern(path string) string {
	names := strings.Split(path, "/")
	for i, name := range names {
		names[i] = foldedName(name)
	}
	return strings.Join(names, "/")
}

func foldedName(name string) string {
	var expression strings.Builder
	for _, r := range name {
		switch {
		case r >= utf8.RuneSelf:
			return "[^/]+"
		case unicode.IsLetter(r):
			fmt.Fprintf(&expression, "[%c%c]", unicode.ToLower(r), unicode.ToUpper(r))
		case strings.ContainsRune(`\^$.|?*+()[]{}`, r):
			expression.WriteByte('\\')
			expression.WriteRune(r)
		default:
			expression.WriteRune(r)
		}
	}
	return expression.String()
}

// checkPath refuses a path that no rule is to be written for: one that could mean
// another place, that of everything, and one with characters that have no business in
// a profile.
func checkPath(name string) error {
	switch {
	case !path.IsAbs(name) || path.Clean(name) != name || name == "/":
		return fmt.Errorf("write a rule for %q: it is not the full path of a folder", name)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("write a rule for %q: its name has control characters, or is not text", name)
	}
	return nil
}

// foldersAbove are the folders that a path lies in, without the root.
func foldersAbove(name string) []string {
	var folders []string
	for dir := path.Dir(name); dir != "/" && dir != "."; dir = path.Dir(dir) {
		folders = append(folders, dir)
	}
	return folders
}
