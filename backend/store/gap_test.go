package store

import (
	"reflect"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

func TestREL02_WhatCannotBeReadIsMarkedInItsPlace(t *testing.T) {
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "one")
	_, whole := talk(t, s, session("s1", "/work"), "r2", "two")
	for _, statement := range []string{
		"UPDATE events SET data = x'7b' WHERE run_id = 'r2' AND seq = 2",
		"DELETE FROM events WHERE run_id = 'r2' AND seq IN (3, 4)",
		"UPDATE events SET data = x'00' WHERE run_id = 'r2' AND type = 'lifecycle.end'",
		"UPDATE parts SET body = x'00' WHERE id = 'r1-p3'",
		"DELETE FROM messages WHERE id = 'r2-m1'",
	} {
		if _, err := s.writer.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	run, err := s.Run(t.Context(), "r2")
	if err != nil {
		t.Fatal(err)
	}
	events, err := s.Events(t.Context(), run, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64]event.Data{
		2: event.RecordGap{From: 2, Reason: event.GapUnreadable},
		4: event.RecordGap{From: 3, Reason: event.GapMissing},
		6: lostEnd(message.ReasonCompleted),
	}
	for _, e := range events {
		if want[e.Seq] != nil && (!reflect.DeepEqual(e.Data, want[e.Seq]) || e.Type != e.Data.EventType()) {
			t.Errorf("event %d: got %+v", e.Seq, e)
		}
	}
	if len(events) != 5 || events[0].Data == nil || events[3].Seq != 5 || !reflect.DeepEqual(events[3].Data, whole[4].Data) {
		t.Errorf("events: %+v", events)
	}
	messages, err := messagesOf(t, s, "s1")
	if err != nil || len(messages) != 4 {
		t.Fatalf("messages: %+v, %v", messages, err)
	}
	for i, words := range map[int]string{1: "cannot be read", 2: "A message is missing here"} {
		part := messages[i].Parts[0]
		if !part.Lost || !strings.Contains(part.Text, words) || part.MessageID != messages[i].ID || part.ID == "" {
			t.Errorf("message %d: %+v", i, messages[i])
		}
	}
	if messages[0].Text() != "one\n\nsurroundings" || messages[3].ID != "r2-m2" {
		t.Errorf("the rest: %+v", messages)
	}
	if messages[2].Role != message.User || !messages[2].Synthetic {
		t.Error("words of nobody are taken for somebody's")
	}
}
