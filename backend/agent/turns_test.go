package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/agent"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// written is a tool that writes a file of a folder in memory, which its plan has looked at.
type written struct {
	mu    sync.Mutex
	files map[string]string
	order []string
}

type writtenArguments struct {
	Path string `json:"path"`
	Text string `json:"text"`
	// Needs is a file that has to be there.
	Needs string `json:"needs,omitempty"`
}

func (*written) Definition() tool.Definition {
	return tool.Definition{
		Name: "write", Description: "write", Parameters: tool.Schema[writtenArguments](),
		Confirm: true, Effect: message.EffectFiles, Group: "test",
		Display: message.Display{Title: "Write", Subject: message.Subject{Arguments: []string{"path"}, Kind: message.SubjectPath}},
	}
}

func (w *written) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	var args writtenArguments
	if err := json.Unmarshal(in.Arguments, &args); err != nil {
		return tool.Plan{}, err
	}
	args.Path = strings.TrimPrefix(args.Path, "same as ")
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.files[args.Needs]; args.Needs != "" && !ok {
		return tool.Plan{}, errors.New("nothing is there")
	}
	before := w.files[args.Path]
	return tool.Plan{
		Preview: message.Preview{Effect: message.EffectFiles, Path: args.Path, Fingerprint: before}, Asks: true,
		Check: func(context.Context) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.files[args.Path] != before {
				return errors.New("it changed")
			}
			return nil
		},
		Run: func(context.Context, func(string)) tool.Outcome {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.files[args.Path] = before + args.Text
			w.order = append(w.order, args.Path+" "+args.Text)
			return tool.Outcome{Result: message.Result{Content: message.Text("written")}}
		},
		Discard: func() {},
	}, nil
}

// openGate keeps the questions that are open, by call.
type openGate struct {
	mu   sync.Mutex
	open map[string]chan message.Decision
	// asked lists the calls of all questions, with what each was asked on.
	asked []string
}

func (g *openGate) Ask(ctx context.Context, call message.Call, question message.Question, opened func()) message.Decision {
	answer := make(chan message.Decision, 1)
	g.mu.Lock()
	g.open[call.ID] = answer
	g.asked = append(g.asked, fmt.Sprintf("%s on %q", call.ID, question.Preview.Fingerprint))
	g.mu.Unlock()
	opened()
	select {
	case decision := <-answer:
		decision.Hash = call.Hash()
		return decision
	case <-ctx.Done():
		return message.Decision{Verdict: message.Reject, By: message.ByCancel}
	}
}

func (*openGate) LetsChanges(bool) bool { return false }

func (*openGate) Decide(context.Context, string, message.Guard) message.GuardDecision {
	return message.GuardDecision{Verdict: message.GuardStop, By: message.ByMode}
}

// waiting are the calls that are asked about, once nothing goes on any more.
func (g *openGate) waiting() string {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	var ids []string
	for id := range g.open {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

func (g *openGate) answer(id string, verdict message.Verdict) {
	g.give(id, message.Decision{Verdict: verdict, By: message.ByUser})
}

// stop rejects a call and stops the run.
func (g *openGate) stop(id string) {
	g.give(id, message.Decision{Verdict: message.Reject, By: message.ByUser, Stop: true})
}

func (g *openGate) give(id string, decision message.Decision) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[id] <- decision
	delete(g.open, id)
}

// playAhead runs calls that are asked about ahead, which a function answers, and returns in what
// order they were carried out, and what was asked.
func playAhead(t *testing.T, calls []string, answer func(g *openGate)) (order, asked []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		gate := &openGate{open: map[string]chan message.Decision{}}
		f := newFixture(t, strings.Join(calls, "\n")+"\n---\ntext Done.\n", gate)
		writes := &written{files: map[string]string{}}
		registry, err := tool.NewRegistry(writes)
		if err != nil {
			t.Fatal(err)
		}
		if f.Tools, err = tool.NewDispatcher(registry, tool.Options{}); err != nil {
			t.Fatal(err)
		}
		f.AskAhead = true
		var result agent.Result
		done := make(chan struct{})
		go func() {
			defer close(done)
			result = agent.Run(t.Context(), f.Input)
		}()
		answer(gate)
		select {
		case <-done:
		case <-time.After(time.Hour):
			t.Fatalf("the run goes on; it asks about %s", gate.waiting())
		}
		if len(result.ToolCalls) != len(calls) {
			t.Errorf("%d calls have a result, want %d", len(result.ToolCalls), len(calls))
		}
		order, asked = writes.order, gate.asked
	})
	return order, asked
}

func write(id, path, text, needs string) string {
	args, err := json.Marshal(writtenArguments{path, text, needs})
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("call %s write %s", id, args)
}

func TestDESK03_CallsOfOneReplyAreDecidedInAnyOrderAndRunInTheirs(t *testing.T) {
	calls := []string{write("c1", "a", "1", ""), write("c2", "b", "2", ""), write("c3", "c", "3", "")}
	order, asked := playAhead(t, calls, func(g *openGate) {
		if got := g.waiting(); got != "c1 c2 c3" {
			t.Errorf("asked about %s", got)
		}
		g.answer("c3", message.Approve)
		g.answer("c2", message.Reject)
		if got := g.waiting(); got != "c1" {
			t.Errorf("asked about %s then", got)
		}
		g.answer("c1", message.Approve)
	})
	if diff := cmp.Diff([]string{"a 1", "c 3"}, order); diff != "" {
		t.Errorf("carried out (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`c1 on ""`, `c2 on ""`, `c3 on ""`}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestDESK03_WhatNeedsAnotherCallIsAskedAboutAfterIt(t *testing.T) {
	for name, calls := range map[string][]string{
		"the same file":       {write("c1", "a", "1", ""), write("c2", "./a", "2", "")},
		"a file in a folder":  {write("c1", "a", "1", ""), write("c2", "a/b", "2", "")},
		"a file not there":    {write("c1", "a", "1", ""), write("c2", "b", "2", "a")},
		"the folder of it":    {write("c1", "a/b", "1", ""), write("c2", "a", "2", "")},
		"one that was edited": {write("c1", "a", "1", ""), write("c2", "a", "2", "a")},
	} {
		t.Run(name, func(t *testing.T) {
			order, asked := playAhead(t, calls, func(g *openGate) {
				for _, id := range []string{"c1", "c2"} {
					if got := g.waiting(); got != id {
						t.Errorf("asked about %s, want %s", got, id)
					}
					g.answer(id, message.Approve)
				}
			})
			if len(order) != 2 || len(asked) != 2 {
				t.Errorf("carried out %q after %q", order, asked)
			}
		})
	}
}

func TestDESK03_WhatChangedSinceItWasApprovedIsAskedAboutAgain(t *testing.T) {
	// Nothing in the calls says that the second one is about the file of the first.
	calls := []string{write("c1", "a", "1", ""), write("c2", "same as a", "2", "")}
	for _, by := range []message.Decider{message.ByUser, message.ByMode} {
		yes := message.Decision{Verdict: message.Approve, By: by}
		order, asked := playAhead(t, calls, func(g *openGate) {
			g.waiting()
			g.give("c2", yes)
			g.give("c1", yes)
			if got := g.waiting(); got != "c2" {
				t.Errorf("by %s: asked about %q again", by, got)
			}
			g.give("c2", yes)
		})
		if diff := cmp.Diff([]string{"a 1", "a 2"}, order); diff != "" {
			t.Errorf("by %s: carried out (-want +got):\n%s", by, diff)
		}
		if diff := cmp.Diff([]string{`c1 on ""`, `c2 on ""`, `c2 on "1"`}, asked); diff != "" {
			t.Errorf("by %s: asked (-want +got):\n%s", by, diff)
		}
	}
}

func TestDESK03_AStopVoidsWhatWasApprovedAndDidNotBegin(t *testing.T) {
	calls := []string{write("c1", "a", "1", ""), write("c2", "b", "2", "")}
	order, _ := playAhead(t, calls, func(g *openGate) {
		g.waiting()
		g.answer("c2", message.Approve)
		g.stop("c1")
	})
	if len(order) != 0 {
		t.Errorf("carried out %q", order)
	}
}
