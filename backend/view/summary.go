package view

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/message"
)

const (
	// askedLength is how much of one text the model is shown that writes the summary,
	// and askedInAll of all of them where its window is not known, in bytes.
	askedLength = 2_000
	askedInAll  = 200_000
	// goalLength is how much of one text of a person is kept to the letter, and
	// saidLength how much of all but the first, in bytes.
	goalLength = 8_000
	saidLength = 24_000
)

// Tail is where the newest messages begin that stay whole when the older ones are
// summed up: at least the last one, and never less than a whole call with its result,
// because both are in one message. 0 means that there is nothing older.
func (m *Meter) Tail(shown []message.Message) int {
	left := m.share(tail, tailPart)
	at := len(shown) - 1
	for left -= m.Size(&shown[at]); at > 0; at-- {
		if left -= m.Size(&shown[at-1]); left < 0 {
			break
		}
	}
	return at
}

// Told is a message that tells of older ones, for a model that is to sum them up. Long
// parts are shortened, and where that is not enough the oldest are left out, which are not
// even read.
func (m *Meter) Told(older []message.Message) (message.Message, error) {
	room := askedInAll
	if m.Window > 0 {
		room = m.Window // a token has more than a byte, so this leaves most of it free
	}
	var texts []string
	first := 0
	if len(older) > 0 && older[0].Covers() != "" {
		first = 1 // the memory of all before, which has a place of its own
	}
	for i := len(older) - 1; i >= first && room > 0; i-- {
		whole, err := m.parts.Whole(older[i])
		if err != nil {
			return message.Message{}, err
		}
		text := told(whole)
		room -= len(text)
		texts = append(texts, text)
	}
	if first == 1 {
		whole, err := m.parts.Whole(older[0])
		if err != nil {
			return message.Message{}, err
		}
		texts = append(texts, told(whole))
	}
	slices.Reverse(texts)
	text := message.Part{Type: message.TextPart, Text: strings.Join(texts, "\n\n")}
	return message.Message{Role: message.User, Parts: []message.Part{text}}, nil
}

// told writes a message as a text of its own, long parts shortened.
func told(m message.Message) string {
	var lines []string
	for i := range m.Parts {
		part := &m.Parts[i]
		switch {
		case part.Synthetic: // what is so at the moment
		case part.Covers != "":
			lines = append(lines, part.Text)
		case part.Type == message.TextPart && part.Text != "":
			lines = append(lines, string(m.Role)+": "+shorten(part.Text, askedLength))
		case part.Type == message.ToolPart:
			lines = append(lines, fmt.Sprintf("call of %s with %s gave: %s", part.Tool.Name,
				shorten(string(part.Tool.State.Input), askedLength), shorten(part.Tool.Seen(), askedLength)))
		}
	}
	return strings.Join(lines, "\n")
}

// Summary is what takes the place of a history up to and including the message that is
// named: what the user said and which files were changed, to the letter, and what the
// model wrote of the rest (SPEC CTX-02).
func (p *Parts) Summary(history []message.Message, covered, written string) (string, error) {
	older := history[:slices.IndexFunc(history, func(m message.Message) bool { return m.ID == covered })+1]
	said, err := p.said(older)
	if err != nil {
		return "", err
	}
	var files []string
	for i := range older {
		for _, part := range older[i].ToolParts() {
			if part.Tool.State.Output == nil {
				continue
			}
			for _, change := range part.Tool.State.Output.Changes {
				files = append(files, change.Kind+" "+change.Path)
			}
		}
	}
	sections := []string{
		"The messages before this one were summed up to save room.",
		section("said", strings.Join(said, "\n--\n")),
		section("files", strings.Join(slices.Compact(slices.Sorted(slices.Values(files))), "\n")),
		section("summary", strings.TrimSpace(written)),
	}
	return strings.Join(slices.DeleteFunc(sections, func(s string) bool { return s == "" }), "\n\n"), nil
}

// said is what the user said: the first text, which is the goal, and of the others as
// many of the last ones as there is room for.
func (p *Parts) said(older []message.Message) ([]string, error) {
	var prompts []message.Part
	for i := range older {
		if m := &older[i]; m.Role == message.User && !m.Synthetic && len(m.Parts) > 0 {
			prompts = append(prompts, m.Parts[0])
		}
	}
	var texts []string
	room := saidLength
	for i := len(prompts) - 1; i >= 0; i-- {
		if i > 0 && room <= 0 {
			continue
		}
		whole, err := p.whole(prompts[i])
		if err != nil {
			return nil, err
		}
		texts = append(texts, shorten(whole.Text, goalLength))
		room -= len(texts[len(texts)-1])
	}
	slices.Reverse(texts)
	return texts, nil
}

func section(name, text string) string {
	if text == "" {
		return ""
	}
	return "<" + name + ">\n" + text + "\n</" + name + ">"
}

// shorten keeps the beginning and the end of a text.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	half := limit / 2
	return strings.ToValidUTF8(text[:half], "") + "\n[…]\n" + strings.ToValidUTF8(text[len(text)-half:], "")
}
