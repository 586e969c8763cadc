package protocol

import (
	"strings"

	"fairlead/backend/llm"
)

// maxBlank is how much white space is waited out before a tag, in bytes.
const maxBlank = 1 << 10

// content sorts what comes as the content of a reply: reasoning in tags, text, and text in
// which calls may be written. Every byte comes out once, but for the marks and the white
// space between reasoning and text.
type content struct {
	// written is set where the text can hold calls in any form.
	written bool
	// family are the forms of the model's family, and marks their texts.
	family llm.Marks
	marks  []mark

	stage stage
	// closing is the tag that ends the reasoning.
	closing string
	// held came in and cannot be sorted yet.
	held string
	// code is where in the text that was sorted there is code.
	code inCode
	// thought is set once there was reasoning in tags.
	thought bool
	// calls is the text from where a call may begin.
	calls strings.Builder
}

type stage int

const (
	// atBegin has seen white space, or the beginning of a tag.
	atBegin stage = iota
	inThought
	afterThought
	// inBareThought is reasoning of gpt-oss whose marks were taken out.
	inBareThought
	inText
	// inCalls keeps everything for the end.
	inCalls
)

// newContent returns a sorter for the content of a reply in a dialect. tools is set where
// tools are on offer.
func newContent(dialect llm.Dialect, tools bool) content {
	c := content{written: dialect.WrittenCalls && tools, family: dialect.Marks}
	if !c.written {
		c.marks = familyMarks(dialect.Marks, tools)
	}
	return c
}

// sorted is the text and the reasoning that are known by now. recalled is set where all
// text before it was reasoning, too.
type sorted struct {
	text, reasoning string
	recalled        bool
}

// add takes what came and returns what is known of it by now.
func (c *content) add(piece string) sorted {
	var all sorted
	if c.stage == inCalls {
		c.calls.WriteString(piece)
		return all
	}
	c.held += piece
	for {
		before, left := c.stage, len(c.held)
		said := c.sortStage()
		if said.recalled {
			all = sorted{reasoning: all.reasoning + all.text, recalled: true}
		}
		all.text, all.reasoning = all.text+said.text, all.reasoning+said.reasoning
		if c.stage == before && len(c.held) == left {
			return all
		}
	}
}

// sortStage sorts what can be sorted at this stage.
func (c *content) sortStage() sorted {
	switch c.stage {
	case atBegin:
		c.sortBeginning()
	case inThought:
		c.thought = true
		thought, rest, ended := strings.Cut(c.held, c.closing)
		if ended {
			c.stage, c.held = afterThought, rest
			return sorted{reasoning: thought}
		}
		return sorted{reasoning: c.releaseHeld(c.closing)}
	case afterThought:
		if c.held = strings.TrimLeft(c.held, whiteSpace); c.held != "" {
			c.sortBeginning()
		}
	case inBareThought:
		return c.sortBareThought()
	case inText:
		return c.sortText()
	}
	return sorted{}
}

// sortBeginning finds out whether reasoning begins here, or text.
func (c *content) sortBeginning() {
	trimmed := strings.TrimLeft(c.held, whiteSpace)
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
	if c.family&llm.MarkHarmony != 0 {
		rest, bare := strings.CutPrefix(trimmed, bareThought)
		switch {
		case strings.HasPrefix(bareThought, trimmed):
			return
		case bare && rest[0] >= 'A' && rest[0] <= 'Z':
			c.stage, c.held = inBareThought, rest
			return
		}
	}
	c.beginText()
}

// What is left of gpt-oss's channels where a server takes out their marks: the name of a
// channel, and the next message's role and channel.
const (
	bareThought = "analysis"
	bareText    = "assistantfinal"
	bareCall    = "assistantcommentary"
)

// sortBareThought waits for the end of reasoning without marks. Until then it may be a
// text that begins with the word.
func (c *content) sortBareThought() sorted {
	for _, next := range []string{bareText, bareCall} {
		thought, rest, ended := strings.Cut(c.held, next)
		if !ended {
			continue
		}
		c.thought = true
		c.stage, c.held = inText, rest
		if next == bareCall {
			c.held = bareCall[len("assistant"):] + rest
		}
		return sorted{reasoning: thought}
	}
	return sorted{}
}

// beginText goes on to the text. A reply that may be nothing but a call is kept whole.
func (c *content) beginText() {
	c.stage = inText
	if c.written && writtenBare(c.held) {
		c.calls.WriteString(c.held)
		c.stage, c.held = inCalls, ""
	}
}

// sortText sorts text up to the next mark.
func (c *content) sortText() sorted {
	if c.written {
		return sorted{text: c.textBeforeCall()}
	}
	if len(c.marks) == 0 {
		return sorted{text: c.releaseHeld()}
	}
	text, found := c.textBeforeMark()
	if found == nil {
		return sorted{text: text}
	}
	switch found.kind {
	case opensThought:
		c.stage, c.closing = inThought, found.closing
	case closesThought:
		c.stage = afterThought
		if !c.thought {
			c.thought = true
			return sorted{reasoning: text, recalled: true}
		}
	case opensCall:
		c.calls.WriteString(found.text + c.held)
		c.stage, c.held = inCalls, ""
	case framesText:
	}
	return sorted{text: text}
}

// textBeforeMark takes the text up to the first mark outside code, and that mark.
func (c *content) textBeforeMark() (text string, found *mark) {
	at := 0
	for at < len(c.held) {
		if c.held[at] == '`' {
			ticks := len(c.held) - at - len(strings.TrimLeft(c.held[at:], "`"))
			if at+ticks == len(c.held) {
				break // more of them may come
			}
			c.code.addTicks(ticks)
			at += ticks
			continue
		}
		if !c.code.isCode() {
			mark, begins := findMark(c.marks, c.held[at:])
			if mark != nil {
				text, c.held = c.held[:at], c.held[at+len(mark.text):]
				return text, mark
			}
			if begins {
				break
			}
		}
		c.code.addByte(c.held[at])
		at++
	}
	text, c.held = c.held[:at], c.held[at:]
	return text, nil
}

// textBeforeCall returns the text up to where a call may begin.
func (c *content) textBeforeCall() string {
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
	switch c.stage {
	case inThought:
		return "", text
	case inBareThought:
		return bareThought + text, ""
	}
	return text, ""
}
