package protocol

import (
	"slices"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// writtenOpenings are the texts at which a written call may begin. A reply that is
// nothing but JSON has none of them: writtenBare tells it.
var writtenOpenings = formOpenings()

func formOpenings() []string {
	all := make([]string, len(writtenForms))
	for i, form := range writtenForms {
		all[i] = form.opening
	}
	return all
}

// writtenBare says that a reply that begins with text may be JSON and nothing else.
func writtenBare(text string) bool {
	text = strings.TrimLeft(text, whiteSpace)
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// writtenCalls takes the calls out of a text that begins where one may begin (SPEC
// MSG-08). rest is what is left, trimmed where a call stood. A tag makes a call of
// every tool, so that the model hears that there is none of that name; JSON in a fence
// or on its own only of one on offer, because it may as well be the answer. What
// cannot be read stays text; without a call rest is text.
func writtenCalls(text string, tools []llm.Tool) (calls []message.Call, rest string) {
	s := &scanner{text: text, tools: tools, mending: MaxRepair}
	if writtenBare(text) {
		calls = s.readObjects(false)
		if s.skipSpace(); s.atEnd() && len(calls) > 0 {
			return calls, ""
		}
	}
	return s.taggedCalls()
}

// familyCalls takes the calls out of a text that begins where one may begin in the forms of
// a model's own family (SPEC MOD-07). ok reports whether there are calls, all of them of
// tools on offer.
func familyCalls(text string, tools []llm.Tool, family llm.Marks) (calls []message.Call, rest string, ok bool) {
	s := &scanner{text: text, tools: tools, family: family, mending: MaxRepair}
	calls, rest = s.taggedCalls()
	for i := range calls {
		calls[i].Name = offeredName(calls[i].Name, tools)
		if !s.isOffered(calls[i].Name) {
			return nil, text, false
		}
	}
	return calls, rest, len(calls) > 0
}

// taggedCalls takes the calls out that tags mark.
func (s *scanner) taggedCalls() (calls []message.Call, rest string) {
	var left []string
	from := 0
	for {
		read, begin := s.next()
		if read == nil {
			break
		}
		found := read(s)
		if len(found) == 0 {
			continue
		}
		calls = append(calls, found...)
		left = append(left, s.text[from:begin])
		from = s.at
	}
	if len(calls) == 0 {
		return nil, s.text
	}
	return calls, joinParagraphs(append(left, s.text[from:]))
}

// joinParagraphs puts the pieces of a text, between which calls stood, together as paragraphs.
func joinParagraphs(pieces []string) string {
	var paragraphs []string
	for i, piece := range pieces {
		if i > 0 {
			piece = strings.TrimLeft(piece, whiteSpace)
		}
		if i < len(pieces)-1 {
			piece = strings.TrimRight(piece, whiteSpace)
		}
		if piece != "" {
			paragraphs = append(paragraphs, piece)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// offeredName returns the name of the tool on offer that a name means: models leave the
// marks of their own form around it, a namespace before and a channel or a number behind.
func offeredName(name string, tools []llm.Tool) string {
	offered := func(name string) bool {
		return slices.ContainsFunc(tools, func(t llm.Tool) bool { return t.Name == name })
	}
	plain, _, _ := strings.Cut(name, "<|")
	plain = strings.TrimSpace(plain)
	for _, namespace := range []string{"functions.", "functions/", "default_api.", "tools."} {
		plain = strings.TrimPrefix(plain, namespace)
	}
	if at := strings.LastIndexByte(plain, ':'); at > 0 && !offered(plain) {
		plain = plain[:at]
	}
	if !offered(name) && offered(plain) {
		return plain
	}
	return name
}
