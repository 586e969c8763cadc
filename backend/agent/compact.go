package agent

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

const (
	// compactionsInARow is how often the view may be compacted without a reply
	// between, and leastSaving how much smaller it must get each time, in percent.
	compactionsInARow = 2
	leastSaving       = 30
	// tailTokens of the newest messages stay whole; of a small window it is a part.
	tailTokens, tailPart = 20_000, 4
	// askedLength is how much of one text the model is shown that writes the summary,
	// and askedInAll of all of them where the window is not known, in bytes.
	askedLength = 2_000
	askedInAll  = 200_000
	// goalLength is how much of a person's words is kept to the letter, in bytes.
	goalLength = 8_000
)

const summarySystem = `You sum up the work on a task so that somebody else can go on with it. You are shown what was said and done so far; parts of long texts are left out. Write what was found out, what was decided and why, what was done, what is left to do and what comes next. Name files, functions, commands and figures exactly. Write only what you were shown, without greeting or comment, in at most 800 words.`

// compact puts a summary by the model in the place of the older messages. What the
// person said and which files were changed stays to the letter. It returns how the
// run ends when the view does not get smaller (SPEC CTX-02).
func (r *run) compact() (ending, bool) {
	r.enter(phaseCompact)
	shown := view(r.messages)
	tail := r.tail(shown)
	if r.compactions == compactionsInARow || tail == 0 {
		return r.overflow("nothing more can be summed up"), true
	}
	r.compactions++
	before := r.used()
	reply, _, err := r.ask(llm.Request{System: summarySystem, Messages: []message.Message{r.question(shown[:tail])}}, nil)
	if err != nil {
		return r.failed(err, llm.Reply{}, replyParts{}), true
	}
	m := r.newMessage(message.User)
	m.Synthetic = true
	m.Parts = []message.Part{r.newPart(m, message.TextPart, r.summary(shown[:tail], reply.Text))}
	m.Parts[0].Covers = shown[tail-1].ID
	r.meter.shrunk()
	after := r.meter.used(append([]message.Message{m}, shown[tail:]...), r.prefix())
	if after > before*(100-leastSaving)/100 {
		return r.overflow(fmt.Sprintf("a summary takes it from %d to %d tokens only", before, after)), true
	}
	r.add(m)
	r.Publish(event.ContextCompacted{Before: before, After: after, Mode: event.Compact})
	return ending{}, false
}

// overflow is the ending of a run whose conversation is longer than the model takes.
func (r *run) overflow(why string) ending {
	said := ""
	if r.refusal != "" {
		said = fmt.Sprintf(" (%q)", r.refusal)
	}
	e := r.broken(message.CodeContextOverflow, fmt.Sprintf("the conversation is longer than the model takes%s, and %s; most of it is %s; "+
		"begin a new conversation, or use a model with a larger window", said, why, r.biggest()), r.lastText)
	e.reason = message.ReasonContextOverflow
	return e
}

// tail is where the newest messages begin that stay whole: at least the last one, and
// never less than a whole call with its result, because both are in one message.
func (r *run) tail(shown []message.Message) int {
	left := part(r.meter.window, tailTokens, tailPart)
	at := len(shown) - 1
	for left -= r.meter.size(&shown[at]); at > 0; at-- {
		if left -= r.meter.size(&shown[at-1]); left < 0 {
			break
		}
	}
	return at
}

// question is what the model is shown that writes the summary.
func (r *run) question(older []message.Message) message.Message {
	room := askedInAll
	if r.meter.window > 0 {
		room = r.meter.window // about as many bytes as half the window has tokens, and more
	}
	var texts []string
	for i := len(older) - 1; i >= 0 && room > 0; i-- {
		text := told(older[i])
		room -= len(text)
		texts = append(texts, text)
	}
	slices.Reverse(texts)
	m := message.Message{ID: r.NewID(), SessionID: r.SessionID, RunID: r.RunID, Role: message.User}
	m.Parts = []message.Part{{Type: message.TextPart, Text: strings.Join(texts, "\n\n")}}
	return m
}

// told writes a message as a text of its own, long parts shortened.
func told(m message.Message) string {
	var lines []string
	for i := range m.Parts {
		part := &m.Parts[i]
		switch {
		case part.Type == message.TextPart && part.Text != "":
			limit := askedLength
			if m.Covers() != "" {
				limit = len(part.Text) // an earlier summary is the memory of all before
			}
			lines = append(lines, string(m.Role)+": "+shorten(part.Text, limit))
		case part.Type == message.ToolPart:
			lines = append(lines, fmt.Sprintf("call of %s with %s gave: %s", part.Tool.Name,
				shorten(string(part.Tool.State.Input), askedLength), shorten(part.Tool.Seen(), askedLength)))
		}
	}
	return strings.Join(lines, "\n")
}

// summary is what takes the place of the older messages: what the person said, which
// files were changed, and what the model wrote of the rest.
func (r *run) summary(older []message.Message, written string) string {
	var said, files []string
	for i := range older {
		m := &older[i]
		if m.Covers() != "" {
			said = append(said, kept(m.Parts[0].Text, "said")...)
			files = append(files, kept(m.Parts[0].Text, "files")...)
		}
		if m.Role == message.User && !m.Synthetic {
			said = append(said, shorten(m.Parts[0].Text, goalLength))
		}
		for _, part := range m.ToolParts() {
			if part.Tool.State.Output == nil {
				continue
			}
			for _, change := range part.Tool.State.Output.Changes {
				files = append(files, change.Kind+" "+change.Path)
			}
		}
	}
	files = slices.Compact(slices.Sorted(slices.Values(files)))
	sections := []string{"The messages before this one were summed up to save room."}
	sections = append(sections, section("said", said), section("files", files), section("summary", []string{strings.TrimSpace(written)}))
	return strings.Join(slices.DeleteFunc(sections, func(s string) bool { return s == "" }), "\n\n")
}

// between is what parts the entries of a section.
const between = "\n--\n"

func section(name string, entries []string) string {
	if len(entries) == 0 {
		return ""
	}
	return "<" + name + ">\n" + strings.Join(entries, between) + "\n</" + name + ">"
}

// kept reads the entries of a section back.
func kept(text, name string) []string {
	_, rest, found := strings.Cut(text, "<"+name+">\n")
	entries, _, ended := strings.Cut(rest, "\n</"+name+">")
	if !found || !ended {
		return nil
	}
	return strings.Split(entries, between)
}

// shorten keeps the beginning and the end of a text.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	half := limit / 2
	return strings.ToValidUTF8(text[:half], "") + "\n[…]\n" + strings.ToValidUTF8(text[len(text)-half:], "")
}
