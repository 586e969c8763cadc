package session

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// titleLength is how long a title is at most, in characters.
const titleLength = 60

// titleOf is the beginning of a task as a title: its first line, cut between two
// words where there are any.
func titleOf(prompt string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	words := strings.Join(strings.Fields(message.Visible(line)), " ")
	if utf8.RuneCountInString(words) <= titleLength {
		return words
	}
	cut := string([]rune(words)[:titleLength])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 {
		cut = cut[:space]
	}
	return cut + "…"
}

// titleSystem is what a model is told that looks for a title.
const titleSystem = "You name conversations. Answer with a title of at most six words for the one you are shown, " +
	"in its own language, and with nothing else: no quotes, no full stop."

// shownOfTask and shownOfReply are how much of each a title is looked for in, in
// characters.
const (
	shownOfTask  = 2000
	shownOfReply = 1000
)

// FindTitle asks the model for a title and keeps it. It does nothing, and says so,
// where the conversation is running, is not saved, or has a title that is more than
// the first words of its task.
func (s *Session) FindTitle(ctx context.Context) (found bool, err error) {
	s.mu.Lock()
	model, redact, kept := s.config.Model, s.config.Redact, s.config.Store
	task, answer := s.titleSource()
	s.mu.Unlock()
	asked, err := s.titleQuestion(task, answer)
	if err != nil || asked == "" {
		return false, err
	}
	reply, err := model.Stream(ctx, llm.Request{
		System:   titleSystem,
		Messages: []message.Message{{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: asked}}}},
	}, func(llm.Delta) {})
	if err != nil {
		return false, fmt.Errorf("ask for a title: %w", err)
	}
	name := titleOf(unquoteTitle(redact(reply.Text)))
	if name == "" {
		return false, nil
	}
	if err := kept.Retitle(ctx, s.ID, name); err != nil {
		return false, err
	}
	s.mu.Lock()
	s.saved.Titled = true
	s.mu.Unlock()
	return true, nil
}

// titleSource are the task and the last reply, for which a title is to be found; empty where
// none is wanted. The caller holds mu.
func (s *Session) titleSource() (task, reply message.Message) {
	if s.config.Store == nil || s.current != nil || s.saved.Titled {
		return message.Message{}, message.Message{}
	}
	for _, m := range s.history {
		switch {
		case m.Role == message.Assistant:
			reply = m
		case task.ID == "" && len(m.Parts) > 0:
			task = m
			task.Parts = m.Parts[:1] // what the user said
		}
	}
	return task, reply
}

// titleQuestion is what the model is shown that looks for a title; empty where there is
// not enough to find one for.
func (s *Session) titleQuestion(task, reply message.Message) (string, error) {
	var texts [2]string
	for i, m := range []message.Message{task, reply} {
		whole, err := s.parts.WholeMessage(m)
		if err != nil {
			return "", err
		}
		if texts[i] = whole.Text(); texts[i] == "" {
			return "", nil
		}
	}
	return "<task>\n" + firstCharacters(texts[0], shownOfTask) + "\n</task>\n<reply>\n" + firstCharacters(texts[1], shownOfReply) + "\n</reply>", nil
}

// firstCharacters returns the first characters of a text.
func firstCharacters(text string, length int) string {
	if utf8.RuneCountInString(text) <= length {
		return text
	}
	return string([]rune(text)[:length]) + "…"
}

// unquoteTitle removes what models put around a title although they were told not to.
func unquoteTitle(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.Trim(line, " \t#*`\"'“”‘’「」『』《》.。")
}
