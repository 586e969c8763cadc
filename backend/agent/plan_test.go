package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"

	"fairlead/backend/agent"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// planned is a tool that counts what becomes of its plans.
type planned struct {
	prepared, ran, discarded int
	// stale is how many checks of its plans fail.
	stale int
}

func (*planned) Definition() tool.Definition { return touch{}.Definition() }

func (c *planned) Prepare(context.Context, tool.Input) (tool.Plan, error) {
	c.prepared++
	return tool.Plan{
		Preview: message.Preview{Effect: message.EffectFiles, Path: "a"}, Asks: true,
		Check: func(context.Context) error {
			if c.stale--; c.stale >= 0 {
				return errors.New("it changed")
			}
			return nil
		},
		Run: func(context.Context, func(string)) tool.Outcome {
			c.ran++
			return tool.Outcome{Result: message.Result{Content: message.Text("ran")}}
		},
		Discard: func() { c.discarded++ },
	}, nil
}

func TestTOOL07_APlanThatIsNotRunIsDiscarded(t *testing.T) {
	approve := func(call message.Call) message.Decision {
		return message.Decision{Verdict: message.Approve, By: message.ByUser, Hash: call.Hash()}
	}
	for name, test := range map[string]struct {
		// decide answers the questions, which are counted from 1.
		decide        func(question int, call message.Call, cancel func()) message.Decision
		stale         int
		prepared, ran int
	}{
		"approved": {func(_ int, call message.Call, _ func()) message.Decision { return approve(call) }, 0, 1, 1},
		"rejected": {func(int, message.Call, func()) message.Decision {
			return message.Decision{Verdict: message.Reject, By: message.ByUser}
		}, 0, 1, 0},
		"approved for another call": {func(int, message.Call, func()) message.Decision {
			return message.Decision{Verdict: message.Approve, By: message.ByUser, Hash: "another"}
		}, 0, 1, 0},
		"edited": {func(question int, call message.Call, _ func()) message.Decision {
			if question == 1 {
				return message.Decision{Verdict: message.Modify, By: message.ByUser, Arguments: json.RawMessage(`{"name":"b"}`)}
			}
			return approve(call)
		}, 0, 2, 1},
		"edited so that it does not fit": {func(question int, call message.Call, _ func()) message.Decision {
			if question == 1 {
				return message.Decision{Verdict: message.Modify, By: message.ByUser, Arguments: json.RawMessage(`{"b":1}`)}
			}
			return approve(call)
		}, 0, 2, 1},
		"changed twice while it was asked about": {func(_ int, call message.Call, _ func()) message.Decision { return approve(call) }, 2, 3, 1},
		"changing without end":                   {func(_ int, call message.Call, _ func()) message.Decision { return approve(call) }, 1000, 100, 0},
		"cancelled while it was asked about": {func(_ int, call message.Call, cancel func()) message.Decision {
			cancel()
			return approve(call)
		}, 0, 1, 0},
		"passed by the mode": {func(_ int, call message.Call, _ func()) message.Decision {
			return message.Decision{Verdict: message.Approve, By: message.ByMode, Hash: call.Hash()}
		}, 1, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				questions := 0
				f := newFixture(t, "call c1 touch {\"name\":\"a\"}\n---\ntext Done.\n", gateFunc(func(call message.Call) message.Decision {
					questions++
					return test.decide(questions, call, func() { cancel(agent.ErrCancelled) })
				}))
				subject := &planned{stale: test.stale}
				registry, err := tool.NewRegistry(subject)
				if err != nil {
					t.Fatal(err)
				}
				if f.Tools, err = tool.NewDispatcher(registry, tool.Options{}); err != nil {
					t.Fatal(err)
				}
				agent.Run(ctx, f.Input)
				if subject.prepared != test.prepared || subject.ran != test.ran || subject.discarded != test.prepared-test.ran {
					t.Errorf("%d prepared, %d ran, %d discarded; want %d and %d", subject.prepared, subject.ran, subject.discarded, test.prepared, test.ran)
				}
			})
		})
	}
}
