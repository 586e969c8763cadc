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
	// askedLength is how much of one text the model is shown that writes the summary,
	// and askedInAll of all of them where its window is not known, in bytes.
	askedLength = 2_000
	askedInAll  = 200_000
	// goalLength is how much of one text of the user is kept to the letter, and
	// saidLength how much of all but the first, in bytes.
	goalLength = 8_000
	saidLength = 24_000
)

const summarySystem = `You sum up the work on a task so that somebody else can go on with it. You are shown what was said and done so far; parts of long texts are left out. Write what was found out, what was decided and why, what was done, what is left to do and what comes next. Name files, functions, commands and figures exactly. Write only what you were shown, without greeting or comment, in at most 800 words.`

// writtenSummary stands in the place of older messages.
type writtenSummary struct {
	message message.Message
	// whole says that the model gave all of it; finish is how its reply ended.
	whole  bool
	finish llm.Finish
	// before and after are the tokens that a request takes without and with it, by estimate.
	before, after int
}

// sumUp has the model sum up what is shown before tail. It returns how the run ends where there
// is no reply.
func (r *run) sumUp(shown []message.Message, tail int) (sum writtenSummary, e ending, over bool) {
	r.meter.forgetSizes() // both sizes are to be estimates
	sum.before = r.meter.requestTokens(shown)
	question, err := r.meter.retellMessages(shown[:tail])
	if err != nil {
		return sum, r.endWithCause(message.CodeStorage, err, r.lastText), true
	}
	reply, _, err := r.tryAttempts(llm.Request{System: summarySystem, Messages: []message.Message{question}}, nil)
	if err != nil {
		return sum, r.endFailed(err, llm.Reply{}, replyParts{}), true
	}
	sum.finish = reply.Finish
	cut := slices.Contains([]llm.Finish{llm.FinishLength, llm.FinishFilter, finishRepeats}, reply.Finish)
	if sum.whole = strings.TrimSpace(reply.Text) != "" && !cut; !sum.whole {
		return sum, ending{}, false
	}
	known := ledger{display: r.Tools.Display}
	if r.Changed != nil {
		if known.changed, err = r.Changed(); err != nil {
			return sum, r.endWithCause(message.CodeStorage, err, r.lastText), true
		}
	}
	text, err := r.Parts.joinSummary(r.messages, shown[tail-1].ID, reply.Text, known)
	if err != nil {
		return sum, r.endWithCause(message.CodeStorage, err, r.lastText), true
	}
	m := r.newMessage(message.User)
	m.Synthetic = true
	m.Parts = []message.Part{r.newPart(m, message.TextPart, text)}
	m.Parts[0].Covers = shown[tail-1].ID
	if r.Context != "" {
		m.Parts = append(m.Parts, r.newPart(m, message.TextPart, r.Context))
	}
	sum.message, sum.after = m, r.meter.requestTokens(append([]message.Message{m}, shown[tail:]...))
	return sum, ending{}, false
}

// useSummary puts a summary in the place of the messages that it covers.
func (r *run) useSummary(sum writtenSummary) {
	r.appendMessage(sum.message)
	r.Publish(event.ContextCompacted{Before: sum.before, After: sum.after, Mode: event.Compact})
}

// tailStart is where the newest messages begin that stay whole when the older ones are
// summed up: at least the last one, and never less than a whole call with its result,
// because both are in one message. 0 means that there is nothing older.
func (m *windowMeter) tailStart(shown []message.Message) int {
	left := m.sizeOrShare(tailTokens, tailPart)
	at := len(shown) - 1
	for left -= m.messageTokens(&shown[at]); at > 0; at-- {
		if left -= m.messageTokens(&shown[at-1]); left < 0 {
			break
		}
	}
	return at
}

// retellMessages returns a message that tells of older ones, for a model that is to sum them
// up. Long parts are shortened, and where that is not enough the oldest are left out, which
// are not even read.
func (m *windowMeter) retellMessages(older []message.Message) (message.Message, error) {
	space := askedInAll
	if m.window > 0 {
		space = m.window // a token has more than a byte, so this leaves most of it free
	}
	var texts []string
	first := 0
	if len(older) > 0 && older[0].Covers() != "" {
		first = 1 // the memory of all before, which has a place of its own
	}
	for i := len(older) - 1; i >= first && space > 0; i-- {
		whole, err := m.parts.WholeMessage(older[i])
		if err != nil {
			return message.Message{}, err
		}
		text := retell(whole)
		space -= len(text)
		texts = append(texts, text)
	}
	if first == 1 {
		whole, err := m.parts.WholeMessage(older[0])
		if err != nil {
			return message.Message{}, err
		}
		texts = append(texts, retell(whole))
	}
	slices.Reverse(texts)
	text := message.Part{Type: message.TextPart, Text: strings.Join(texts, "\n\n")}
	return message.Message{Role: message.User, Parts: []message.Part{text}}, nil
}

// retell writes a message as a text of its own, long parts shortened.
func retell(m message.Message) string {
	var lines []string
	for i := range m.Parts {
		part := &m.Parts[i]
		switch {
		case part.Synthetic, part.Instructions != nil: // what is so at the moment, and what stays to the letter
		case part.Covers != "":
			lines = append(lines, part.Text)
		case part.Said() != "":
			lines = append(lines, string(m.Role)+": "+shortenMiddle(part.Said(), askedLength))
		case part.Type == message.ToolPart:
			lines = append(lines, fmt.Sprintf("call of %s with %s gave: %s", part.Tool.Name,
				shortenMiddle(string(part.Tool.State.Input), askedLength), shortenMiddle(part.Tool.Seen(), askedLength)))
		}
	}
	return strings.Join(lines, "\n")
}

// joinSummary returns the text that replaces a history up to and including the message with
// the id covered: what the user said, which files were changed and which commands were run, to
// the letter, as are the instructions of the workspace that it was given, and what the model wrote of
// the rest (SPEC CTX-02).
func (p *Parts) joinSummary(history []message.Message, covered, written string, known ledger) (string, error) {
	older := history[:slices.IndexFunc(history, func(m message.Message) bool { return m.ID == covered })+1]
	said, err := p.userTexts(older)
	if err != nil {
		return "", err
	}
	if known.changed == nil {
		known.changed = changedFiles(older)
	}
	commands, err := p.listCommands(older, known.display)
	if err != nil {
		return "", err
	}
	nearby, err := p.nearbyTexts(older)
	if err != nil {
		return "", err
	}
	sections := []string{
		"The messages before this one were summed up to save space.",
		strings.Join(nearby, "\n"),
		summarySection("said", strings.Join(said, "\n--\n")),
		summarySection("files", p.listFiles(known.changed)),
		summarySection("commands", commands),
		summarySection("summary", strings.TrimSpace(written)),
	}
	return strings.Join(slices.DeleteFunc(sections, func(s string) bool { return s == "" }), "\n\n"), nil
}

// userTexts returns what the user said: the first text, which is the goal, and of the
// others as many of the last ones as there is space for.
func (p *Parts) userTexts(older []message.Message) ([]string, error) {
	var prompts []message.Part
	for i := range older {
		if m := &older[i]; m.Role != message.User || m.Synthetic {
			continue
		}
		for _, part := range older[i].Parts {
			if !part.Synthetic {
				prompts = append(prompts, part)
			}
		}
	}
	var texts []string
	space := saidLength
	for i := len(prompts) - 1; i >= 0; i-- {
		if i > 0 && space <= 0 {
			continue
		}
		whole, err := p.wholePart(prompts[i])
		if err != nil {
			return nil, err
		}
		texts = append(texts, shortenMiddle(whole.Said(), goalLength))
		space -= len(texts[len(texts)-1])
	}
	slices.Reverse(texts)
	return texts, nil
}

func summarySection(name, text string) string {
	if text == "" {
		return ""
	}
	return "<" + name + ">\n" + text + "\n</" + name + ">"
}

// shortenMiddle keeps the beginning and the end of a text.
func shortenMiddle(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	half := limit / 2
	return strings.ToValidUTF8(text[:half], "") + "\n[…]\n" + strings.ToValidUTF8(text[len(text)-half:], "")
}
