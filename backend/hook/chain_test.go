package hook_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/hook"
	"fairlead/backend/message"
)

func TestHK01_SmallerPrioritiesFirstTiesAsRegistered(t *testing.T) {
	for _, p := range points {
		t.Run(p.name, func(t *testing.T) {
			var order, seen []string
			var hooks []hook.Hook
			for _, one := range []struct {
				name     string
				priority int
			}{{"last", 101}, {"b", 0}, {"c", 100}, {"first", -5}, {"a", 99}, {"d", 0}} {
				hooks = append(hooks, hookAt(p, one.name, one.priority, func(text string) (string, error) {
					order, seen = append(order, one.name), append(seen, text)
					return text + "+" + one.name, nil
				}))
			}
			got, err := p.call(t.Context(), hook.NewChain(quiet, hooks...), "x")
			if err != nil {
				t.Fatal(err)
			}
			wantSeen, want := []string{"x", "x", "x", "x", "x", "x"}, "x"
			if p.alters {
				wantSeen = []string{"x", "x+first", "x+first+a", "x+first+a+b", "x+first+a+b+c", "x+first+a+b+c+d"}
				want = "x+first+a+b+c+d+last"
			}
			if diff := cmp.Diff([]string{"first", "a", "b", "c", "d", "last"}, order); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(wantSeen, seen); diff != "" {
				t.Errorf("what each saw (-want +got):\n%s", diff)
			}
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if hooks[0].Name != "last" {
				t.Error("the list of the caller was sorted")
			}
		})
	}
}

func TestHK01_ManyTiesStayAsRegistered(t *testing.T) {
	var hooks []hook.Hook
	want := ""
	for i := range 100 {
		name := fmt.Sprintf("%d ", i)
		want += name
		hooks = append(hooks, hook.Hook{Priority: i % 2 * hook.DefaultPriority, PostCall: func(_ context.Context, reply string) (string, error) {
			return reply + name, nil
		}})
	}
	if got, err := hook.NewChain(quiet, hooks...).PostCall(t.Context(), ""); got != want || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestHK01_NobodyIsCalledWhereNobodyIs(t *testing.T) {
	for name, chain := range map[string]*hook.Chain{
		"nil": nil, "empty": hook.NewChain(quiet), "a hook without functions": hook.NewChain(quiet, hook.Hook{Name: "h"}),
	} {
		for _, p := range points {
			if got, err := p.call(t.Context(), chain, "x"); got != "x" || err != nil {
				t.Errorf("%s, %s: got %q, %v", name, p.name, got, err)
			}
		}
	}
}

func TestHK01_AReplyThatNobodyWatchesCostsNothing(t *testing.T) {
	ctx := t.Context()
	for name, chain := range map[string]*hook.Chain{
		"nil": nil, "others": hook.NewChain(quiet, hookAt(points[0], "h", 0, func(text string) (string, error) { return text, nil })),
	} {
		if n := testing.AllocsPerRun(100, func() {
			chain.ReasoningChunk(ctx, hook.Chunk{Text: "x"})
			chain.ActingChunk(ctx, hook.ActingChunk{Text: "x"})
		}); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestHK01_TheHistoryStaysAsItIs(t *testing.T) {
	history := func() []message.Message {
		return []message.Message{{ID: "m", Parts: []message.Part{
			{Text: "text"},
			{Tool: &message.ToolUse{Name: "shell", State: message.State{Output: &message.Result{
				Content: message.Text("output"), Error: &message.ToolError{Message: "failed"}, Changes: []message.Change{{Path: "a"}},
			}}}},
		}}}
	}
	spoil := hook.Hook{Name: "h", PreReasoning: func(_ context.Context, m []message.Message) ([]message.Message, error) {
		m[0].ID, m[0].Parts[0].Text = "spoilt", "spoilt"
		use := m[0].Parts[1].Tool
		use.Name, use.State.Output.Content[0].Text, use.State.Output.Error.Message = "spoilt", "spoilt", "spoilt"
		use.State.Output.Changes[0].Path = "spoilt"
		return append(m[:1], message.Message{ID: "more"}), nil
	}}
	stored := make([]message.Message, 1, 2)
	copy(stored, history())
	got, err := hook.NewChain(quiet, spoil).PreReasoning(t.Context(), stored)
	if err != nil || len(got) != 2 || got[0].ID != "spoilt" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if diff := cmp.Diff(append(history(), message.Message{}), stored[:2]); diff != "" {
		t.Errorf("the history changed (-want +got):\n%s", diff)
	}
}
