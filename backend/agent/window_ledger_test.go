package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/message"
)

// call is a message with one call that has ended.
func called(id, name, input string, result message.Result) message.Message {
	use := message.NewToolUse(message.Call{ID: id, Name: name, Arguments: json.RawMessage(input)})
	use.State.Output = &result
	return message.Message{ID: id, Role: message.Assistant, Parts: []message.Part{{ID: id + "p", Type: message.ToolPart, Tool: use}}}
}

func TestCHG12_TheLedgerHasWhatWasChangedAndRun(t *testing.T) {
	history := []message.Message{said("m0", "Do it.")}
	for i := range 30 {
		code := i % 3
		history = append(history,
			called(fmt.Sprint("w", i), "write_file", `{"path":"x"}`, message.Result{Changes: []message.Change{
				{Path: fmt.Sprintf("dir/file%d.txt", i), Kind: "created", Added: 2}, {Path: "a.txt", Kind: "modified", Added: 1, Removed: 1},
			}}),
			called(fmt.Sprint("c", i), "shell", fmt.Sprintf(`{"command":"make target%d"}`, i), message.Result{Data: &message.ResultData{ExitCode: &code}}))
	}
	display := func(name string) *message.Display {
		if name != "shell" {
			return nil
		}
		return &message.Display{Subject: message.Subject{Arguments: []string{"command"}, Kind: message.SubjectCommand}}
	}
	text, err := NewParts(count, nil, nil).joinSummary(history, history[len(history)-1].ID, "s", ledger{display: display})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"modified a.txt (+30 -30)\n", "created dir/file29.txt (+2 -0)", "make target29: exit 2", "make target10: exit 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %q", want)
		}
	}
	if strings.Contains(text, "target9:") {
		t.Error("it has more commands than the last ones")
	}
	// What the host knows wins: something may have been taken back.
	text, err = NewParts(count, nil, nil).joinSummary(history, history[len(history)-1].ID, "s", ledger{changed: []message.Change{{Path: "b.txt", Kind: "deleted"}}})
	if err != nil || !strings.Contains(text, "<files>\ndeleted b.txt\n</files>") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestCHG12_TheLedgerIsBounded(t *testing.T) {
	var history []message.Message
	for i := range 3000 {
		history = append(history, called(fmt.Sprint("w", i), "shell", fmt.Sprintf(`{"command":"%s %d"}`, strings.Repeat("long ", 500), i),
			message.Result{Changes: []message.Change{{Path: fmt.Sprintf("%s/%d", strings.Repeat("d", 60), i), Kind: "created"}}}))
	}
	parts := NewParts(count, nil, nil)
	display := func(string) *message.Display {
		return &message.Display{Subject: message.Subject{Arguments: []string{"command"}, Kind: message.SubjectCommand}}
	}
	text, err := parts.joinSummary(history, history[len(history)-1].ID, "s", ledger{display: display})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(text); n > 1_600 {
		t.Errorf("it takes %d tokens", n)
	}
	if !strings.Contains(text, "more before these") || !strings.Contains(text, "/2999") {
		t.Errorf("it has not the last ones: %.300s", text)
	}
}
