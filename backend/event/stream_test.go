package event_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

func drain(t *testing.T, s *event.Stream) []event.Event {
	t.Helper()
	var all []event.Event
	for {
		events, err := s.After(t.Context(), int64(len(all)))
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, events...)
	}
}

func end() event.LifecycleEnd { return event.LifecycleEnd{Reason: message.ReasonCompleted} }

func TestStreamNumbersFromOneWithoutGaps(t *testing.T) {
	s := event.NewStream("r", "s")
	s.Publish(event.LifecycleStart{})
	s.Publish(event.StepStarted{Step: 1})
	s.Publish(end())
	s.Publish(event.StepStarted{Step: 2})
	all := drain(t, s)
	if len(all) != 3 {
		t.Fatalf("got %d events, want 3: nothing may follow the end", len(all))
	}
	for i, e := range all {
		if e.Seq != int64(i)+1 || e.RunID != "r" || e.SessionID != "s" {
			t.Errorf("event %d: %+v", i, e)
		}
	}
}

func TestStreamCoalescesDeltasAndKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := event.NewStream("r", "s")
		for range 100 {
			s.Publish(event.AssistantDelta{PartID: "p", Content: "ab"})
			<-time.After(time.Millisecond)
		}
		s.Publish(event.ReasoningDelta{PartID: "q", Content: "x"})
		s.Publish(event.ToolProgress{CallID: "c", Content: "y"})
		s.Publish(event.ToolResult{CallID: "c"})
		s.Publish(end())
		var text strings.Builder
		var order []string
		for _, e := range drain(t, s) {
			switch d := e.Data.(type) {
			case event.AssistantDelta:
				text.WriteString(d.Content)
			default:
				order = append(order, string(e.Type))
			}
		}
		if text.String() != strings.Repeat("ab", 100) {
			t.Errorf("text lost: %q", text.String())
		}
		if got := strings.Join(order, " "); got != "reasoning.delta tool.progress tool.result lifecycle.end" {
			t.Errorf("order: %s", got)
		}
		if n := len(drain(t, s)); n > 4+3 {
			t.Errorf("%d events for 100 ms of deltas: not coalesced", n)
		}
	})
}

func TestStreamLetsADeltaGoAfterTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := event.NewStream("r", "s")
		s.Publish(event.AssistantDelta{PartID: "p", Content: "1"})
		s.Publish(event.AssistantDelta{PartID: "p", Content: "2"})
		start := time.Now()
		events, err := s.After(t.Context(), 1)
		if err != nil || len(events) != 1 {
			t.Fatalf("got %v, %v", events, err)
		}
		if waited := time.Since(start); waited > 50*time.Millisecond {
			t.Errorf("second delta came after %v", waited)
		}
		s.Publish(end())
	})
}

// kept is a keeper that notes how many events it was given at once.
type kept struct{ batches []int }

func (k *kept) Keep(events []event.Event, _ []event.Change) error {
	k.batches = append(k.batches, len(events))
	return nil
}

func (k *kept) Kept(context.Context, string, int64) ([]event.Event, error) { return nil, nil }

// What others follow at once is saved with them, and without them soon.
func TestEventsThatNobodyWaitsForAreSavedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := &kept{}
		s := event.NewKeptStream("r", "s", k, func(fault *event.NotKeptError) { t.Error(fault) })
		s.Publish(event.StepStarted{Step: 1})
		s.Publish(event.StepCompleted{Step: 1})
		start := time.Now()
		if events, err := s.After(t.Context(), 1); err != nil || len(events) != 1 {
			t.Fatalf("got %v, %v", events, err)
		}
		if waited := time.Since(start); waited != 50*time.Millisecond {
			t.Errorf("it came after %v", waited)
		}
		s.Publish(event.UsageData{})
		s.Publish(event.Decision{})
		s.Publish(event.AssistantDelta{PartID: "p", Content: "I "})
		s.Publish(event.ToolCall{CallID: "c"})
		s.Publish(event.AssistantDelta{PartID: "p", Content: "see"})
		s.Publish(event.ToolRunning{CallID: "c"})
		s.Publish(event.StepCompleted{Step: 1})
		s.Publish(end())
		if diff := cmp.Diff([]int{1, 1, 3, 3, 2}, k.batches); diff != "" {
			t.Errorf("saved at once (- want, + got):\n%s", diff)
		}
		<-time.After(time.Second) // nothing more comes
		if len(k.batches) != 5 {
			t.Errorf("after the end: %v", k.batches[5:])
		}
	})
}

func TestEV04_AListenerThatReadsNothingDelaysNobodyAndGetsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := event.NewStream("r", "s")
		start := time.Now()
		for range 10_000 {
			s.Publish(event.ToolResult{CallID: "c", Content: "result"})
		}
		s.Publish(end())
		if time.Since(start) != 0 {
			t.Error("publishing waited for a listener")
		}
		<-time.After(time.Minute)
		if n := len(drain(t, s)); n != 10_001 {
			t.Errorf("got %d events, want 10001", n)
		}
	})
}

func TestStreamAfterEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := event.NewStream("r", "s").After(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
