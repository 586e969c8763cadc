package search

import (
	"bytes"
	"regexp"
	"regexp/syntax"
)

// maxLine is how much of one line is searched, in bytes. It bounds how long one
// match can take before the context is looked at again.
const maxLine = 64 << 10

// pattern finds lines. The expression sees each line without its line ending.
type pattern struct {
	line *regexp.Regexp
	// literal is set when the expression is a plain text.
	literal []byte
	// several is the expression for many lines at once: where it finds nothing,
	// no single line matches. It is nil for an expression about the ends of the
	// text, which lines have and a piece of a file has not.
	several *regexp.Regexp
}

// compilePattern returns the pattern of an expression, or INVALID_ARGUMENTS naming what
// is wrong with it.
func compilePattern(expression string) (*pattern, error) {
	line, err := regexp.Compile(expression)
	if err != nil {
		return nil, invalidArguments("pattern: " + err.Error())
	}
	p := &pattern{line: line}
	// A flag of its own, not a group around the expression: in \Qf( the group's
	// end would be part of the text.
	multiline := "(?m)" + expression
	tree, err := syntax.Parse(multiline, syntax.Perl)
	switch {
	case err != nil:
		return nil, invalidArguments("pattern: " + err.Error())
	case tree.Op == syntax.OpLiteral && tree.Flags&syntax.FoldCase == 0:
		p.literal = []byte(string(tree.Rune))
	case !aboutEnds(tree):
		p.several = regexp.MustCompile(multiline)
	}
	return p, nil
}

// aboutEnds reports whether an expression has \A, \z or the like.
func aboutEnds(tree *syntax.Regexp) bool {
	if tree.Op == syntax.OpBeginText || tree.Op == syntax.OpEndText {
		return true
	}
	for _, sub := range tree.Sub {
		if aboutEnds(sub) {
			return true
		}
	}
	return false
}

// canMatch reports whether a piece of whole lines can have a match. The piece has LF
// line endings.
func (p *pattern) canMatch(piece []byte) bool {
	switch {
	case p.literal != nil:
		return bytes.Contains(piece, p.literal)
	case p.several != nil && len(piece) <= 2*maxLine:
		return p.several.Match(piece)
	default:
		return true
	}
}

// find returns where a line has its first match in its first maxLine bytes, or
// nil.
func (p *pattern) find(line []byte) []int {
	line = line[:min(len(line), maxLine)]
	if p.literal == nil {
		return p.line.FindIndex(line)
	}
	if at := bytes.Index(line, p.literal); at >= 0 {
		return []int{at, at + len(p.literal)}
	}
	return nil
}
