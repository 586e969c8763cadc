package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// piece is one fragment of a tool call as it comes in. Providers leave out,
// repeat or exchange every field of it.
type piece struct {
	index     *int
	id        string
	name      string
	arguments string
	extra     json.RawMessage
}

// draft is a call that is being put together.
type draft struct {
	// index is the last index a piece of it carried; nil for none.
	index     *int
	id        string
	name      string
	arguments completion
	extra     json.RawMessage
	// latest is the last piece of the arguments, and restated counts the pieces in a row
	// that began with all of the piece before.
	latest   string
	restated int
}

// assembler groups the pieces of an answer into calls: by id where there is one,
// else by index, else with the call opened last.
type assembler struct {
	drafts []*draft
	// size is how much came for all calls, in bytes.
	size int
	// news counts what was new: pieces that only repeat what is known are not.
	news int
}

// add takes one piece. A repeated name is the same name; another is the rest of it. It
// fails when the calls exceed what a reply may hold.
func (a *assembler) add(p piece) error {
	d := a.find(p)
	if d == nil {
		if len(a.drafts) == protocol.MaxCalls {
			return protocol.TooLarge("more", protocol.MaxCalls, "calls")
		}
		d = &draft{}
		a.drafts = append(a.drafts, d)
		a.news++
	}
	if p.name != "" && p.name != d.name || p.arguments != "" || p.extra != nil {
		a.news++
	}
	if p.index != nil {
		d.index = p.index
	}
	if d.id == "" {
		d.id = p.id
	}
	if p.name != d.name {
		d.name += p.name
	}
	if p.extra != nil {
		d.extra = p.extra
	}
	if p.arguments != "" {
		if d.latest != "" && len(p.arguments) > len(d.latest) && strings.HasPrefix(p.arguments, d.latest) {
			d.restated++
		} else {
			d.restated = 0
		}
		d.latest = p.arguments
	}
	d.arguments.add(p.arguments)
	a.size += len(p.arguments) + len(p.extra)
	switch {
	case len(d.name) > protocol.MaxCallName:
		return protocol.TooLarge("a call with a longer name", protocol.MaxCallName>>10, "KiB")
	case d.arguments.text.Len() > protocol.MaxArguments:
		return protocol.TooLarge("a call with longer arguments", protocol.MaxArguments>>20, "MiB")
	case a.size > protocol.MaxAllArguments:
		return protocol.TooLarge("calls with longer arguments together", protocol.MaxAllArguments>>20, "MiB")
	}
	return nil
}

// find returns the draft that p belongs to, nil for a new one.
func (a *assembler) find(p piece) *draft {
	switch {
	case p.id != "":
		return a.byID(p)
	case p.index != nil:
		return unlessOpened(a.latestDraft(func(d *draft) bool { return sameIndex(d, p) }), p)
	case len(a.drafts) > 0:
		return unlessOpened(a.drafts[len(a.drafts)-1], p)
	}
	return nil
}

// byID finds the call with p's id. Small servers repeat one id for several calls;
// others give the id only after the first piece.
func (a *assembler) byID(p piece) *draft {
	known := a.latestDraft(func(d *draft) bool { return d.id == p.id })
	if known == nil {
		return a.latestDraft(func(d *draft) bool { return d.id == "" && p.index != nil && sameIndex(d, p) })
	}
	if p.index == nil || sameIndex(known, p) {
		return known
	}
	return unlessOpened(known, p)
}

// unlessOpened returns d, or nil when p opens a call of its own: d is whole, and p
// begins another object or has another name.
func unlessOpened(d *draft, p piece) *draft {
	if d == nil {
		return nil
	}
	begins := p.name != "" && (p.name != d.name || strings.HasPrefix(strings.TrimLeft(p.arguments, " \t\r\n"), "{"))
	if begins && d.arguments.isWhole() {
		return nil
	}
	return d
}

func (a *assembler) latestDraft(fits func(*draft) bool) *draft {
	for i := len(a.drafts) - 1; i >= 0; i-- {
		if fits(a.drafts[i]) {
			return a.drafts[i]
		}
	}
	return nil
}

func sameIndex(d *draft, p piece) bool {
	return d.index != nil && p.index != nil && *d.index == *p.index
}

// finishCalls returns the calls in the order in which they were opened. mayRepair says
// that the answer they came in is known to be whole.
func (a *assembler) finishCalls(mayRepair bool) []message.Call {
	var calls []message.Call
	for _, d := range a.drafts {
		for i, arguments := range d.wholeArguments() {
			made := protocol.NewCall(d.id, d.name, arguments, mayRepair)
			made.Extra = d.extra
			if i > 0 {
				made.ID = "" // the loop gives it one
			}
			calls = append(calls, made)
		}
	}
	return calls
}

// fewestRestated is how many pieces in a row must restate those before until it is no
// chance.
const fewestRestated = 2

// wholeArguments are the arguments that the pieces make, of one call or of several that
// came as one. Some gateways have each piece restate all so far, send the arguments twice,
// or send an empty object first.
func (d *draft) wholeArguments() []string {
	raw := d.arguments.text.String()
	if json.Valid([]byte(raw)) {
		return []string{raw}
	}
	if d.restated >= fewestRestated && protocol.IsObject(d.latest) {
		return []string{d.latest}
	}
	if objects := differentObjects(raw); len(objects) > 0 {
		return objects
	}
	return []string{raw}
}

// differentObjects returns the objects of a text that consists of several, each once and
// without empty ones; nil for any other text.
func differentObjects(text string) []string {
	var objects []string
	for decoder := json.NewDecoder(strings.NewReader(text)); decoder.More(); {
		var value json.RawMessage
		if decoder.Decode(&value) != nil || value[0] != '{' {
			return nil
		}
		said := string(value)
		if strings.TrimSpace(said[1:len(said)-1]) != "" && !slices.Contains(objects, said) {
			objects = append(objects, said)
		}
	}
	return objects
}
