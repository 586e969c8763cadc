package protocol

import (
	"strings"

	"fairlead/backend/llm"
)

// thoughts are the tags in which models put their reasoning, where their server does not
// take it out: at the beginning of a text those of every model, later those of the
// model's own family.
var thoughts = []struct {
	open, close string
	family      llm.Marks
}{
	{"<think>", "</think>", llm.MarkThink},
	{"<thinking>", "</thinking>", 0},
	{"<thought>", "</thought>", 0},
	{"<reasoning>", "</reasoning>", 0},
	{"◁think▷", "◁/think▷", 0},
	{"[THINK]", "[/THINK]", llm.MarkMistral},
	{"<seed:think>", "</seed:think>", llm.MarkSeed},
	{"<|channel>thought\n", "<channel|>", llm.MarkGemma},
	{"<|channel|>analysis<|message|>", "<|end|>", llm.MarkHarmony},
}

// harmonyFrame are the marks around the text of gpt-oss.
var harmonyFrame = []string{
	"<|start|>assistant", "<|channel|>final<|message|>", "<|channel|>commentary<|message|>", "<|end|>", "<|return|>",
}

// mark is a text that means something in a reply of the family.
type mark struct {
	text string
	kind markKind
	// closing ends the reasoning that the mark opens.
	closing string
}

type markKind int

const (
	// opensThought begins reasoning, and closesThought ends what was reasoning all along.
	opensThought markKind = iota
	closesThought
	// opensCall begins a written call.
	opensCall
	// framesText stands around text and means nothing by itself.
	framesText
)

// familyMarks are the marks of these forms. Those of calls count where there are tools.
func familyMarks(family llm.Marks, tools bool) []mark {
	var all []mark
	for _, thought := range thoughts {
		if thought.family&family != 0 {
			all = append(all, mark{thought.open, opensThought, thought.close}, mark{thought.close, closesThought, ""})
		}
	}
	if family&llm.MarkHarmony != 0 {
		for _, text := range harmonyFrame {
			all = append(all, mark{text, framesText, ""})
		}
	}
	for _, form := range writtenForms {
		if tools && form.family&family != 0 {
			all = append(all, mark{form.opening, opensCall, ""})
		}
	}
	return all
}

// findMark returns the mark that a text begins with; nil for none. begins reports whether
// the text may be the beginning of one.
func findMark(marks []mark, text string) (found *mark, begins bool) {
	for i := range marks {
		if strings.HasPrefix(text, marks[i].text) {
			return &marks[i], false
		}
		begins = begins || strings.HasPrefix(marks[i].text, text)
	}
	return nil, begins
}

// inCode follows a text through its code spans and fences, where marks mean nothing.
type inCode struct {
	// fence is how many backticks opened the fence, and span the span; 0 outside.
	fence, span int
	// within is set once the line holds more than white space.
	within bool
}

func (c inCode) isCode() bool { return c.fence > 0 || c.span > 0 }

// addTicks takes a run of backticks.
func (c *inCode) addTicks(n int) {
	switch {
	case c.fence > 0:
		if !c.within && n >= c.fence {
			c.fence = 0
		}
	case c.span > 0:
		if n == c.span {
			c.span = 0
		}
	case !c.within && n >= 3:
		c.fence = n
	default:
		c.span = n
	}
	c.within = true
}

// addByte takes any other byte. A span ends with its line at the latest: a backtick that
// stands alone opens none for the rest of the text.
func (c *inCode) addByte(b byte) {
	switch b {
	case '\n':
		c.within, c.span = false, 0
	case ' ', '\t':
	default:
		c.within = true
	}
}
