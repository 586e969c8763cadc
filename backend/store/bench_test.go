package store

import (
	"encoding/json"
	"fmt"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

func BenchmarkKeep(b *testing.B) {
	folder := b.TempDir()
	s, _, err := Open(b.Context(), options(folder))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	r := s.Record(b.Context(), session("s1", "/work"))
	seq := int64(0)
	keep := func(data event.Data) {
		seq++
		if err := r.Keep([]event.Event{{Seq: seq, RunID: "r1", SessionID: "s1", TS: 1, Type: data.EventType(), Data: data}}, nil); err != nil {
			b.Fatal(err)
		}
	}
	keep(event.LifecycleStart{})
	b.Run("event", func(b *testing.B) {
		for b.Loop() {
			keep(event.StepStarted{Step: 1, MaxSteps: 50})
		}
	})
	b.Run("alternating", func(b *testing.B) {
		for b.Loop() {
			keep(event.StepStarted{Step: 1, MaxSteps: 50})
			keep(event.ToolResult{CallID: "c", Content: "x"})
		}
	})
	b.Run("step", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			id := fmt.Sprint(n)
			reply := message.Message{ID: "m" + id, SessionID: "s1", RunID: "r1", Role: message.Assistant, Parts: []message.Part{{
				ID: "p" + id, MessageID: "m" + id, Type: message.ToolPart,
				Tool: message.NewToolUse(message.Call{ID: "c" + id, Name: "read_file", Arguments: json.RawMessage(`{"path":"a"}`)}),
			}}}
			with := func(data event.Data, c ...event.Change) {
				seq++
				if err := r.Keep([]event.Event{{Seq: seq, RunID: "r1", SessionID: "s1", TS: 1, Type: data.EventType(), Data: data}}, c); err != nil {
					b.Fatal(err)
				}
			}
			with(event.StepStarted{Step: 1, MaxSteps: 50})
			with(event.Decision{Reason: "x"})
			with(event.ToolCall{CallID: "c"}, event.Change{Message: &reply})
			with(event.ToolRunning{CallID: "c"}, event.Change{Part: &reply.Parts[0]})
			with(event.ToolResult{CallID: "c", Content: "x"}, event.Change{Part: &reply.Parts[0]})
			with(event.StepCompleted{Step: 1})
		}
	})
	b.Run("synced", func(b *testing.B) {
		for b.Loop() {
			keep(event.ToolResult{CallID: "c", Content: "x"})
		}
	})
}
