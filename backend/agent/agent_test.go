package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/agent"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// touch is a tool that counts its runs and asks first.
type touch struct{ runs *atomic.Int64 }

type touchArguments struct {
	Name string `json:"name"`
}

func (touch) Definition() tool.Definition {
	return tool.Definition{
		Name: "touch", Description: "touch", Parameters: tool.Schema[touchArguments](),
		Confirm: true, Effect: message.EffectFiles, Group: "test",
	}
}

func (t touch) Prepare(context.Context, tool.Input) (tool.Plan, error) {
	return tool.Plan{Asks: true, Run: func(context.Context, func(string)) tool.Outcome {
		t.runs.Add(1)
		return tool.Outcome{Result: message.Result{Content: message.Text("touched")}}
	}}, nil
}

// gateFunc is a gate made of a function.
type gateFunc func(call message.Call) message.Decision

func (g gateFunc) Ask(_ context.Context, call message.Call, _ message.Question, _ func()) message.Decision {
	return g(call)
}

func (gateFunc) LetsChanges(bool) bool { return false }

func (g gateFunc) Decide(context.Context, string, message.Guard) message.GuardDecision {
	return message.GuardDecision{Verdict: message.GuardStop, By: message.ByMode}
}

// fixture is an agent's input with what a test looks at afterwards.
type fixture struct {
	agent.Input
	runs   *atomic.Int64
	server *llmtest.Server

	mu     sync.Mutex
	events []event.Data
}

func newFixture(t *testing.T, script string, gate agent.Gate) *fixture {
	t.Helper()
	f := &fixture{runs: &atomic.Int64{}, server: llmtest.Script(script)}
	registry, err := tool.NewRegistry(touch{f.runs})
	if err != nil {
		t.Fatal(err)
	}
	dispatcher, err := tool.NewDispatcher(registry, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := openai.New(protocol.Config{BaseURL: "http://model/v1", Model: "any", Transport: f.server.RoundTripper()})
	if err != nil {
		t.Fatal(err)
	}
	var ids atomic.Int64
	f.Input = agent.Input{
		RunID: "r1", SessionID: "s1", Prompt: "Do it.", System: "You are a test.", Mode: agent.React,
		Limits: message.Limits{
			MaxSteps: 10, RunTimeout: time.Hour, StepTimeout: time.Minute, Attempts: 3, Parallel: 4,
			ContinueOnError: true, DoomDetection: true, Compaction: true,
		},
		Model: model, ModelName: "any", Tools: dispatcher, Gate: gate,
		Publish: func(data event.Data) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.events = append(f.events, data)
		},
		AddMessage: func(message.Message) {}, SetPart: func(message.Part) {},
		Redact:  func(s string) string { return s },
		Control: &agent.Control{}, Prompts: func() []message.Prompt { return nil },
		Parts: agent.NewParts(func(s string) int { return len(s) / 4 }, nil, nil), LearnWindow: func(int) {}, Now: time.Now,
		NewID:  func() string { return fmt.Sprintf("id%d", ids.Add(1)) },
		Jitter: func() time.Duration { return 0 },
		Log:    slog.New(slog.DiscardHandler),
	}
	return f
}

func TestHITL08_AnApprovalServesForExactlyTheCallShown(t *testing.T) {
	script := "call c1 touch {\"name\":\"a\"}\n---\ntext Done.\n"
	other := message.Call{ID: "c1", Name: "touch", Arguments: json.RawMessage(`{"name":"b"}`)}
	for name, test := range map[string]struct {
		gate gateFunc
		runs int64
	}{
		"its own hash": {func(call message.Call) message.Decision {
			return message.Decision{Verdict: message.Approve, Hash: call.Hash()}
		}, 1},
		"the hash of other arguments": {func(message.Call) message.Decision {
			return message.Decision{Verdict: message.Approve, Hash: other.Hash()}
		}, 0},
		"no hash": {func(message.Call) message.Decision { return message.Decision{Verdict: message.Approve} }, 0},
		"no verdict": {func(call message.Call) message.Decision {
			return message.Decision{Hash: call.Hash()}
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, script, test.gate)
				result := agent.Run(t.Context(), f.Input)
				if f.runs.Load() != test.runs {
					t.Errorf("the tool ran %d times, want %d", f.runs.Load(), test.runs)
				}
				if refused := !result.ToolCalls[0].Result.Success(); refused == (test.runs == 1) {
					t.Errorf("result: %s", result.ToolCalls[0].Result.Text())
				}
			})
		})
	}
}

func TestHITL03_EditingForEverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := newFixture(t, "call c1 touch {\"name\":\"a\"}\n---\ntext Done.\n", gateFunc(func(message.Call) message.Decision {
			asked++
			return message.Decision{Verdict: message.Modify, Arguments: json.RawMessage(`{"name":"b"}`), By: message.ByUser}
		}))
		result := agent.Run(t.Context(), f.Input)
		if asked != 100 || f.runs.Load() != 0 || result.ToolCalls[0].Result.Error.Code != message.Rejected {
			t.Errorf("asked %d times, ran %d times: %s", asked, f.runs.Load(), result.ToolCalls[0].Result.Text())
		}
	})
}

func TestHITL03_SomebodyMayEditManyTimesBeforeApproving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		f := newFixture(t, "call c1 touch {\"name\":\"a\"}\n---\ntext Done.\n", gateFunc(func(call message.Call) message.Decision {
			if asked++; asked < 10 {
				edit := fmt.Appendf(nil, `{"name":"b%d"}`, asked)
				return message.Decision{Verdict: message.Modify, Arguments: edit, By: message.ByUser}
			}
			return message.Decision{Verdict: message.Approve, Hash: call.Hash(), By: message.ByUser}
		}))
		result := agent.Run(t.Context(), f.Input)
		if f.runs.Load() != 1 || string(result.ToolCalls[0].Arguments) != `{"name":"b9"}` {
			t.Errorf("asked %d times, ran %d times: %s", asked, f.runs.Load(), result.ToolCalls[0].Result.Text())
		}
	})
}

func TestCAN03_ARunWhoseContextEndedBeforeItBeganIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(agent.ErrCancelled)
		f := newFixture(t, "", nil)
		result := agent.Run(ctx, f.Input)
		if result.Reason != message.ReasonCancelled || len(f.server.Requests()) != 0 {
			t.Errorf("%s after %d requests", result.Reason, len(f.server.Requests()))
		}
		for _, e := range f.events {
			if begun, ok := e.(event.StepStarted); ok {
				t.Errorf("step %d began", begun.Step)
			}
		}
	})
}

func TestLOOP10_TheHistoryThatComesInIsNotChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, "text One.\n", nil)
		open := message.Message{ID: "m1", Role: message.Assistant, Parts: []message.Part{
			{ID: "p1", Type: message.ToolPart, Tool: message.NewToolUse(message.Call{ID: "c0", Name: "touch"})},
		}}
		f.History = []message.Message{open}
		result := agent.Run(t.Context(), f.Input)
		if open.Parts[0].Tool.State.Status != message.Pending {
			t.Error("the caller's history was changed")
		}
		if len(result.Messages) != 2 {
			t.Errorf("the run added %d messages, want 2", len(result.Messages))
		}
		if faults := f.server.Faults(); len(faults) > 0 {
			t.Errorf("CAN-04: %v", faults)
		}
		body := string(f.server.Requests()[0].Body)
		if !strings.Contains(body, "CANCELLED: the program ended before this call did") {
			t.Errorf("CAN-04: the open call was not repaired: %s", body)
		}
	})
}

// stray is a tool that goes on sending live output after its call has ended.
type stray struct{ late chan<- func(string) }

func (stray) Definition() tool.Definition {
	return tool.Definition{Name: "stray", Description: "stray", Parameters: tool.Schema[touchArguments](), Effect: message.EffectNone}
}

func (s stray) Prepare(context.Context, tool.Input) (tool.Plan, error) {
	return tool.Plan{Run: func(_ context.Context, progress func(string)) tool.Outcome {
		progress("in time")
		s.late <- progress
		return tool.Outcome{Result: message.Result{Content: message.Text("done")}}
	}}, nil
}

func TestEV08_NoProgressFollowsTheResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := make(chan func(string), 1)
		f := newFixture(t, "call c1 stray {\"name\":\"a\"}\n---\ntext Done.\n", nil)
		registry, err := tool.NewRegistry(stray{late})
		if err != nil {
			t.Fatal(err)
		}
		if f.Tools, err = tool.NewDispatcher(registry, tool.Options{}); err != nil {
			t.Fatal(err)
		}
		agent.Run(t.Context(), f.Input)
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			(<-late)("too late")
		}()
		select {
		case <-sent:
		case <-time.After(time.Second):
			t.Error("late output blocks the tool")
		}
		for _, data := range f.events {
			if progress, ok := data.(event.ToolProgress); ok && progress.Content != "in time" {
				t.Errorf("published %q", progress.Content)
			}
		}
	})
}
