package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// The library writes < and > of a text as entities, but leaves entities that the text
// shows as they are. Characters that stand for nothing (Unicode, section 23.7) carry
// them through, and those of signs that are to be escaped.
var (
	hidden = strings.NewReplacer("<", "\uFDD0", ">", "\uFDD1")
	shown  = newShown()
)

const (
	// signs mean something in Markdown wherever they stand, and starts only where a line
	// begins, the last two of them after a number.
	signs  = "<>\\`*_[]&~#|!"
	starts = "-+=.)"
	// firstHidden stands for the first of them.
	firstHidden rune = '\uFDD2'
)

// carrierOf is what stands for a sign that is escaped.
func carrierOf(sign rune) string {
	carrier := firstHidden
	for _, other := range signs + starts {
		if other == sign {
			break
		}
		carrier++
	}
	return string(carrier)
}

// newShown returns what puts back what was hidden: a sign that is escaped becomes a character
// reference, which means nothing but the character (CommonMark 0.31.2, section 2.5).
func newShown() *strings.Replacer {
	pairs := []string{"\uFDD0", "<", "\uFDD1", ">"}
	for _, sign := range signs + starts {
		pairs = append(pairs, carrierOf(sign), fmt.Sprintf("&#%d;", sign))
	}
	return strings.NewReplacer(pairs...)
}

// escaping returns what hides the signs that are to be escaped, and finds how a line begins that
// would mean something.
var escaping = sync.OnceValues(func() (*strings.Replacer, *regexp.Regexp) {
	var pairs []string
	for _, sign := range signs {
		pairs = append(pairs, string(sign), carrierOf(sign))
	}
	return strings.NewReplacer(pairs...), regexp.MustCompile(`^\s*(?:[-+=]|[0-9]{1,9}[.)])`)
})

// plain is a text of the page as the library is given it.
func (g *grower) plain(text string) string {
	if !g.escape || g.isWithin(preformatted) || g.isWithin(code) {
		return hidden.Replace(text)
	}
	inside, start := escaping()
	begin := ""
	if end := len(start.FindString(text)); end > 0 {
		begin, text = text[:end-1]+carrierOf(rune(text[end-1])), text[end:]
	}
	return begin + inside.Replace(text)
}
