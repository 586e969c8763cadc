package agent

import (
	"strings"
	"testing"

	"fairlead/backend/message"
)

// instructed is a message with the text of a file of instructions.
func instructed(id, path, text string) message.Message {
	m := said(id, NearbyText{File: message.InstructionsFile{Path: path, SHA256: text, Bytes: len(text)}, Text: text}.section())
	m.Synthetic = true
	m.Parts[0].Instructions = &message.InstructionsFile{Path: path, SHA256: text, Bytes: len(text)}
	return m
}

func TestEXT05_InstructionsStayToTheLetterWhenTheRestIsSummedUp(t *testing.T) {
	history := []message.Message{
		said("1", "Mend it."), instructed("2", "pkg/AGENTS.md", "Speak Latin."), instructed("3", "pkg/a/AGENTS.md", "Speak Greek."),
		instructed("4", "pkg/AGENTS.md", "Speak Dutch."),
	}
	text := summed(t, history, "It was mended.")
	for part, times := range map[string]int{"Speak Latin.": 0, "Speak Dutch.": 1, "Speak Greek.": 1, "Mend it.": 1, "from pkg/AGENTS.md": 1} {
		if got := strings.Count(text, part); got != times {
			t.Errorf("%q is there %d times, want %d:\n%s", part, got, times, text)
		}
	}
	question, err := meter(0, "").retellMessages(history)
	if err != nil || strings.Contains(question.Text(), "Speak") {
		t.Errorf("the model is to sum up the instructions: %v\n%s", err, question.Text())
	}
	if given := givenInstructions(history); len(given) != 3 || given[1].Path != "pkg/a/AGENTS.md" {
		t.Errorf("given: %+v", given)
	}
}

func TestEXT05_InstructionsHaveTheirShareOfTheWindow(t *testing.T) {
	history := []message.Message{said("1", "Mend it."), instructed("2", "pkg/AGENTS.md", strings.Repeat("Speak Latin. ", 100))}
	shares, err := NewParts(count, nil, nil).Contents(history, 0)
	if err != nil || len(shares) != 2 || shares[0].Kind != ContentInstructions || shares[0].Tokens < 300 || shares[1].Tokens > 30 {
		t.Errorf("%v %+v", err, shares)
	}
}
