package event

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoinedDeltasSayTheSame(t *testing.T) {
	events := []Event{
		{Seq: 1, Data: LifecycleStart{Prompt: "x"}},
		{Seq: 2, Data: AssistantDelta{"p1", "one "}},
		{Seq: 3, Data: AssistantDelta{"p1", "two "}},
		{Seq: 4, TS: 7, Data: AssistantDelta{"p1", "three"}},
		{Seq: 5, Data: AssistantDelta{"p2", "other"}},
		{Seq: 6, Data: ReasoningDelta{"p2", "thought"}},
		{Seq: 7, Data: ToolProgress{"c1", "a"}},
		{Seq: 8, Data: ToolProgress{"c1", "b"}},
		{Seq: 9, Data: ToolRunning{"c2"}},
		{Seq: 10, Data: ToolProgress{"c1", "c"}},
	}
	want := []Event{
		{Seq: 1, Data: LifecycleStart{Prompt: "x"}},
		{Seq: 4, TS: 7, Data: AssistantDelta{"p1", "one two three"}},
		{Seq: 5, Data: AssistantDelta{"p2", "other"}},
		{Seq: 6, Data: ReasoningDelta{"p2", "thought"}},
		{Seq: 8, Data: ToolProgress{"c1", "ab"}},
		{Seq: 9, Data: ToolRunning{"c2"}},
		{Seq: 10, Data: ToolProgress{"c1", "c"}},
	}
	if diff := cmp.Diff(want, Join(events)); diff != "" {
		t.Errorf("joined (- want, + got):\n%s", diff)
	}
	if got := Join(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
