package event

import (
	"errors"
	"iter"
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
	got, err := joined(events, nil)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("joined (- want, + got): %v\n%s", err, diff)
	}
	if got, err := joined(nil, nil); len(got) != 0 || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
	broken := errors.New("broken")
	if got, err := joined(events[:3], broken); !errors.Is(err, broken) || len(got) != 2 || got[1].Seq != 3 {
		t.Errorf("before an error: %v, %v", got, err)
	}
	for e, err := range Join(each(events, nil)) {
		if e.Seq == 4 || err != nil {
			break // a reader may end it early
		}
	}
}

// joined are events as Join gives them, and the error that it ends with.
func joined(events []Event, fault error) (all []Event, err error) {
	for e, err := range Join(each(events, fault)) {
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
	return all, nil
}

// each are events and then, if there is one, an error.
func each(events []Event, fault error) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
		if fault != nil {
			yield(Event{}, fault)
		}
	}
}
