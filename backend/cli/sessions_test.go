package cli

import (
	"bytes"
	"iter"
	"slices"
	"testing"
	"time"

	"fairlead/backend/message"
)

// each are messages as they are read.
func each(messages []message.Message) iter.Seq2[message.Message, error] {
	return func(yield func(message.Message, error) bool) {
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func TestASessionIsWrittenAsOneListOfMessages(t *testing.T) {
	line := sessionLine{ID: "s1", Workspace: "/work", Title: "<A & B>", CreatedAt: time.UnixMilli(1).UTC(), Reason: message.ReasonCompleted}
	said := func(id, text string) message.Message {
		return message.Message{ID: id, Role: message.User, Parts: []message.Part{{ID: "p" + id, Type: message.TextPart, Text: text}}}
	}
	all := []message.Message{said("1", "Hello\n<there>."), said("2", "And now?"), {ID: "3"}}
	for n := range len(all) + 1 {
		var want, got bytes.Buffer
		err := writeJSON(&want, struct {
			sessionLine
			Messages []message.Message `json:"messages"`
		}{line, slices.Clip(append([]message.Message(nil), all[:n]...))})
		if err != nil {
			t.Fatal(err)
		}
		if err := writeSession(&got, line, each(all[:n]), func(m message.Message) (message.Message, error) { return m, nil }); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%d messages: got\n%s\nwant\n%s", n, &got, &want)
		}
	}
}
