package message_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func TestLOOP15_AnAnswerInPiecesIsOneText(t *testing.T) {
	said := func(run string, parts ...message.Part) message.Message {
		return message.Message{RunID: run, Role: message.Assistant, Parts: parts}
	}
	told := func(run, text string) message.Message {
		return message.Message{RunID: run, Role: message.User, Synthetic: true, Parts: []message.Part{{Type: message.TextPart, Text: text}}}
	}
	thought := message.Part{Type: message.ReasoningPart, Text: "Hm."}
	cut := func(text string) message.Part {
		return message.Part{Type: message.TextPart, Text: text, Interrupted: true}
	}
	rest := func(text string) message.Part {
		return message.Part{Type: message.TextPart, Text: text, Continues: true}
	}
	given := []message.Message{
		said("r1", cut("Once.")), told("r1", "again"),
		said("r2", thought, cut("Roses are r")), told("r2", "go on"),
		said("r2", message.Part{Type: message.TextPart, Text: "ed, ", Continues: true, Interrupted: true}), told("r2", "go on"),
		said("r2", thought, rest("violets are blue.")),
	}
	before := given[2].Parts[1].Text
	want := []message.Message{
		given[0], given[1], said("r2", thought), given[3], given[5],
		said("r2", thought, rest("Roses are red, violets are blue.")),
	}
	if diff := cmp.Diff(want, whole(t, given)); diff != "" {
		t.Errorf("whole (-want +got):\n%s", diff)
	}
	if given[2].Parts[1].Text != before || len(given) != 7 || given[6].Parts[1].Text != "violets are blue." {
		t.Error("what was given is changed")
	}
}

// whole are messages as Whole gives them.
func whole(t *testing.T, messages []message.Message) []message.Message {
	t.Helper()
	given := func(yield func(message.Message, error) bool) {
		for _, m := range messages {
			if !yield(m, nil) {
				return
			}
		}
	}
	var all []message.Message
	for m, err := range message.Whole(given) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}
