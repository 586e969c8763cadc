package openai

import "strings"

// thoughts are the tags in which models put their reasoning at the beginning of a
// text, where their server does not take it out.
var thoughts = []struct{ open, close string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
}

// maxBlank is how much white space is waited out before a tag, in bytes.
const maxBlank = 1 << 10

// content sorts what comes as the content of a reply: reasoning in tags at its
// beginning, text, and text in which calls may be written. Every byte comes out once,
// in order, but for the tags and the white space between reasoning and text.
type content struct {
	// written says that the text can hold calls.
	written bool

	stage stage
	// closing is the tag that ends the reasoning.
	closing string
	// held came in and cannot be sorted yet.
	held string
	// calls is the text from where a call may begin.
	calls strings.Builder
}

type stage int

const (
	// atBegin has seen white space, or the beginning of a tag.
	atBegin stage = iota
	inThought
	afterThought
	inText
	// inCalls keeps everything for the end.
	inCalls
)

// add takes what came and returns what is known of it by now.
func (c *content) add(piece string) (text, reasoning string) {
	if c.stage == inCalls {
		c.calls.WriteString(piece)
		return "", ""
	}
	c.held += piece
	for {
		before := c.stage
		said, thought := c.sortStage()
		text, reasoning = text+said, reasoning+thought
		if c.stage == before {
			return text, reasoning
		}
	}
}

// sortStage sorts what can be sorted at this stage.
func (c *content) sortStage() (text, reasoning string) {
	switch c.stage {
	case atBegin:
		c.sortBeginning()
	case inThought:
		thought, rest, ended := strings.Cut(c.held, c.closing)
		if ended {
			c.stage, c.held = afterThought, rest
			return "", thought
		}
		return "", c.releaseHeld(c.closing)
	case afterThought:
		c.held = strings.TrimLeft(c.held, " \t\r\n")
		if c.held != "" {
			c.beginText()
		}
	case inText:
		return c.textBeforeCall(), ""
	}
	return "", ""
}

// sortBeginning reports whether the content begins with reasoning.
func (c *content) sortBeginning() {
	trimmed := strings.TrimLeft(c.held, " \t\r\n")
	if len(c.held)-len(trimmed) > maxBlank {
		c.beginText()
		return
	}
	for _, tag := range thoughts {
		if rest, ok := strings.CutPrefix(trimmed, tag.open); ok {
			c.stage, c.closing, c.held = inThought, tag.close, rest
			return
		}
		if strings.HasPrefix(tag.open, trimmed) {
			return // not all of it has come, or nothing but white space
		}
	}
	c.beginText()
}

// beginText goes on to the text. A reply that may be nothing but a call is kept whole.
func (c *content) beginText() {
	c.stage = inText
	if c.written && writtenBare(c.held) {
		c.calls.WriteString(c.held)
		c.stage, c.held = inCalls, ""
	}
}

// textBeforeCall returns the text up to where a call may begin.
func (c *content) textBeforeCall() string {
	if !c.written {
		return c.releaseHeld()
	}
	if at := callBegins(c.held); at >= 0 {
		text := c.held[:at]
		c.calls.WriteString(c.held[at:])
		c.stage, c.held = inCalls, ""
		return text
	}
	return c.releaseHeld(writtenOpenings...)
}

// callBegins is the place of the first opening of a written call, or -1.
func callBegins(text string) int {
	first := -1
	for _, opening := range writtenOpenings {
		if at := strings.Index(text, opening); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// releaseHeld returns what is held, but for an end that could be the beginning of one of
// the marks.
func (c *content) releaseHeld(marks ...string) string {
	keep := 0
	for _, mark := range marks {
		for n := min(len(mark)-1, len(c.held)); n > keep; n-- {
			if strings.HasSuffix(c.held, mark[:n]) {
				keep = n
			}
		}
	}
	released := c.held[:len(c.held)-keep]
	c.held = c.held[len(released):]
	return released
}

// releaseRest returns what is held at the end: reasoning whose tag was never closed, or text.
func (c *content) releaseRest() (text, reasoning string) {
	text, c.held = c.held, ""
	if c.stage == inThought {
		return "", text
	}
	return text, ""
}
