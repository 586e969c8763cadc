package openai

import (
	"encoding/json"
	"strings"
)

// maxScalar is the longest number or literal that is looked at, in bytes.
const maxScalar = 64

// completion is a JSON text that comes in pieces. It follows the text's structure as it
// grows, so that to ask whether the text is whole costs nothing however often it is
// asked: looking at all of it for each piece makes long arguments quadratic.
type completion struct {
	text strings.Builder
	// depth counts the objects and arrays that are open.
	depth             int
	inString, escaped bool
	// began says that the value is an object, an array or a string; ended that its last
	// character came, after which only white space may follow.
	began, ended bool
	// state is what is known of an ended text.
	state state
}

type state int

const (
	unknown state = iota
	valid
	invalid
)

// add takes the next piece.
func (c *completion) add(piece string) {
	c.text.WriteString(piece)
	for i := 0; i < len(piece); i++ {
		c.followByte(piece[i])
	}
}

func (c *completion) followByte(b byte) {
	switch {
	case c.escaped:
		c.escaped = false
	case c.inString && b == '\\':
		c.escaped = true
	case b == '"' && !c.ended:
		c.inString, c.began = !c.inString, true
		c.ended = !c.inString && c.depth == 0
	case c.inString, b == ' ', b == '\t', b == '\r', b == '\n':
	case c.ended:
		c.state = invalid
	case b == '{', b == '[':
		c.depth++
		c.began = true
	case b == '}', b == ']':
		c.depth--
		c.ended = c.depth <= 0
	}
}

// isWhole reports whether the text is one JSON value.
func (c *completion) isWhole() bool {
	if !c.began {
		return c.text.Len() <= maxScalar && json.Valid([]byte(c.text.String()))
	}
	if c.ended && c.state == unknown {
		c.state = invalid
		if json.Valid([]byte(c.text.String())) {
			c.state = valid
		}
	}
	return c.ended && c.state == valid
}
