//go:build !race

package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fairlead/backend/agent"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/store"
)

// TestPART03_ARunThatWasCutOffAnywhereIsBroughtToAnEnd cuts runs off after each of
// their events.
func TestPART03_ARunThatWasCutOffAnywhereIsBroughtToAnEnd(t *testing.T) {
	for _, name := range []string{
		"parallel-reads-one-fails", "writes-in-order", "retry-cut-stream", "text-beside-calls", "modify", "max-steps", "cancel-while-streaming",
		"repeated-call-ids", "invalid-json", "reject-with-stop", "reasoning-comes-late",
	} {
		t.Run(name, func(t *testing.T) {
			notes, result := record(t, name)
			for n := range notes {
				if n == 0 {
					continue // nothing was shown
				}
				s := openStore(t)
				keep(t, s, notes[:n])
				if recovered, err := session.Recover(t.Context(), s, counter()); err != nil || recovered != 1 {
					t.Fatalf("after %d events: recovered %d: %v", n, recovered, err)
				}
				checkRecovered(t, s, notes[:n])
				if again, err := session.Recover(t.Context(), s, counter()); err != nil || again != 0 {
					t.Errorf("after %d events: recovered %d a second time: %v", n, again, err)
				}
				if t.Failed() {
					t.Fatalf("after %d of %d events", n, len(notes))
				}
			}
			s := openStore(t)
			keep(t, s, notes)
			if recovered, err := session.Recover(t.Context(), s, counter()); err != nil || recovered != 0 {
				t.Errorf("recovered %d runs that had ended: %v", recovered, err)
			}
			history, err := messagesOf(t, s)
			if err != nil {
				t.Fatal(err)
			}
			sameTime := cmp.Comparer(func(a, b time.Time) bool { return a.UnixMilli() == b.UnixMilli() })
			if diff := cmp.Diff(result.Messages, history, sameTime); diff != "" {
				t.Errorf("messages (- of the run, + saved):\n%s", diff)
			}
		})
	}
}

// checkRecovered tests that a recovered run is a run as any other, and that nothing
// of what was shown is missing.
func checkRecovered(t *testing.T, s *store.Store, shown []note) {
	t.Helper()
	runs, err := s.Runs(t.Context(), "s1")
	if err != nil || len(runs) != 1 || runs[0].Reason != message.ReasonInterrupted {
		t.Fatalf("runs %+v: %v", runs, err)
	}
	events, err := s.Events(t.Context(), runs[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	history, err := messagesOf(t, s)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for _, e := range events {
		if done, ok := e.Data.(event.StepCompleted); ok {
			steps = done.Step
		}
	}
	checkInvariants(t, events, agent.Result{Steps: steps, Messages: history})
	texts, results := map[string]string{}, map[string]string{}
	for _, m := range history {
		for _, part := range m.Parts {
			texts[part.ID] = part.Text
			if part.Tool != nil {
				results[part.Tool.CallID] = part.Tool.State.Output.Text()
			}
		}
	}
	unshown := cmpopts.IgnoreFields(message.Preview{}, "Fingerprint")
	words := map[string]string{}
	for i, e := range eventsOf(shown) {
		if diff := cmp.Diff(e, events[i], unshown); diff != "" {
			t.Errorf("event %d (- shown, + saved):\n%s", i+1, diff)
		}
		switch d := e.Data.(type) {
		case event.LifecycleStart:
			if !strings.Contains(history[0].Text(), d.Prompt) {
				t.Errorf("the task %q is lost", d.Prompt)
			}
		case event.AssistantDelta:
			words[d.PartID] += d.Content
		case event.ReasoningDelta:
			words[d.PartID] += d.Content
		case event.AssistantFinal:
			if words[d.PartID] = d.Content; d.Content == "" {
				delete(words, d.PartID)
			}
		case event.LLMRetry:
			for _, id := range d.Discard {
				delete(words, id)
			}
		case event.ToolResult:
			if results[d.CallID] != d.Content {
				t.Errorf("the result of %s is %q, not %q", d.CallID, results[d.CallID], d.Content)
			}
		}
	}
	for id, text := range words {
		if texts[id] != text {
			t.Errorf("part %s is %q, not %q", id, texts[id], text)
		}
	}
}
