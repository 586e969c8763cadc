package message_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// historyOf makes a history of bytes: each is a message of the user, or one of
// the model with calls that have come any way.
func historyOf(shape []byte) []message.Message {
	var history []message.Message
	for i, b := range shape {
		text := message.Part{Type: message.TextPart, Text: fmt.Sprintf("text %d", i)}
		if b%4 == 0 {
			history = append(history, message.Message{Role: message.User, Parts: []message.Part{text}})
			continue
		}
		m := message.Message{Role: message.Assistant}
		if b%8 > 4 {
			m.Parts = append(m.Parts, text)
		}
		for n := range int(b >> 3 & 3) {
			use := message.NewToolUse(message.Call{ID: fmt.Sprintf("c%d_%d", i, n), Name: "touch"})
			if b&32 != 0 {
				_ = use.Start(json.RawMessage(`{"name":"a"}`), time.Now())
			}
			if b&64 != 0 {
				_ = use.Finish(message.Fail(message.ExecutionError, "no"))
			}
			m.Parts = append(m.Parts, message.Part{Type: message.ToolPart, Tool: use})
		}
		history = append(history, m)
	}
	return history
}

func FuzzRepair(f *testing.F) {
	f.Add([]byte{0, 9, 4, 0x39, 0x79, 0x5d})
	f.Add([]byte{0xff, 0, 1, 2, 3})
	f.Fuzz(func(t *testing.T, shape []byte) {
		if len(shape) > 50 {
			return
		}
		history := historyOf(shape)
		repaired := message.Repair(history)
		if len(repaired) != len(history) {
			t.Fatalf("%d messages became %d", len(history), len(repaired))
		}
		for i := range history {
			if repaired[i].Text() != history[i].Text() {
				t.Fatalf("the text of message %d became %q", i, repaired[i].Text())
			}
		}
		server := llmtest.Script("text Fine.\n")
		model, err := openai.New(protocol.Config{BaseURL: "http://model/v1", Model: "any", Transport: server.RoundTripper()})
		if err != nil {
			t.Fatal(err)
		}
		next := message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: "And now?"}}}
		if _, err := model.Stream(t.Context(), llm.Request{Messages: append(repaired, next)}, func(llm.Delta) {}); err != nil {
			t.Fatalf("CAN-04: the next request is refused: %v %v", err, server.Faults())
		}
	})
}

func TestCAN04_RepairClosesOpenCallsOnly(t *testing.T) {
	done := message.NewToolUse(message.Call{ID: "c1", Name: "a"})
	if err := done.Start(json.RawMessage(`{}`), time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := done.Finish(message.Result{Content: message.Text("x")}); err != nil {
		t.Fatal(err)
	}
	running := message.NewToolUse(message.Call{ID: "c2", Name: "a"})
	if err := running.Start(json.RawMessage(`{}`), time.Now()); err != nil {
		t.Fatal(err)
	}
	history := []message.Message{
		{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: "hello"}}},
		{Role: message.Assistant, Parts: []message.Part{{Type: message.ToolPart, Tool: done}, {Type: message.ToolPart, Tool: running}}},
	}
	repaired := message.Repair(history)
	var states []string
	for _, part := range repaired[1].ToolParts() {
		states = append(states, fmt.Sprintf("%s %v", part.Tool.State.Status, part.Tool.State.Interrupted))
	}
	if !slices.Equal(states, []string{"completed false", "error true"}) {
		t.Errorf("got %v", states)
	}
	if repaired[0].Text() != "hello" || running.State.Status != message.Running {
		t.Error("more was changed than the open call")
	}
}
