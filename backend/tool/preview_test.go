package tool_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// prepared is a tool whose Prepare is a function.
type prepared struct {
	scripted
	prepare func(ctx context.Context) (tool.Plan, error)
}

func (p prepared) Definition() tool.Definition {
	d := p.scripted.Definition()
	d.Confirm, d.Effect = true, message.EffectFiles
	return d
}

func (p prepared) Prepare(ctx context.Context, _ tool.Input) (tool.Plan, error) {
	return p.prepare(ctx)
}

func nothing(context.Context, func(string)) tool.Outcome { return tool.Outcome{} }

func TestCAN01_APreparationThatIgnoresItsContextIsLeftBehindAndDiscarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("cancelled by the user")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		release := make(chan struct{})
		var discarded atomic.Int64
		stuck := prepared{scripted{name: "a"}, func(context.Context) (tool.Plan, error) {
			select {
			case <-release:
			case <-time.After(time.Hour):
			}
			return tool.Plan{Run: nothing, Discard: func() { discarded.Add(1) }}, nil
		}}
		start := time.Now()
		plan, err := dispatcher(t, nil, stuck).Prepare(ctx, call("a", `{"path":"p"}`))
		if !errors.Is(err, cause) || plan.Run != nil || time.Since(start) > time.Second {
			t.Errorf("got %+v, %v after %v", plan, err, time.Since(start))
		}
		close(release)
		synctest.Wait()
		if discarded.Load() != 1 {
			t.Errorf("the late plan was discarded %d times", discarded.Load())
		}
	})
}

func TestDSP01_APreparationAlwaysEnds(t *testing.T) {
	fault := &message.ToolError{Code: message.StaleFile, Message: "x"}
	for name, test := range map[string]struct {
		prepare func(context.Context) (tool.Plan, error)
		code    message.ToolCode
	}{
		"panic":          {func(context.Context) (tool.Plan, error) { panic("boom") }, message.ExecutionError},
		"error":          {func(context.Context) (tool.Plan, error) { return tool.Plan{}, fault }, message.StaleFile},
		"nothing to run": {func(context.Context) (tool.Plan, error) { return tool.Plan{}, nil }, message.ExecutionError},
		"a plan":         {func(context.Context) (tool.Plan, error) { return tool.Plan{Run: nothing}, nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := dispatcher(t, nil, prepared{scripted{name: "a"}, test.prepare}).Prepare(t.Context(), call("a", `{"path":"p"}`))
			var failure *message.ToolError
			if errors.As(err, &failure) != (test.code != "") || failure != nil && failure.Code != test.code {
				t.Errorf("got %+v, %v", plan, err)
			}
			if err == nil && plan.Preview.Effect != message.EffectFiles {
				t.Errorf("the effect is %q", plan.Preview.Effect)
			}
		})
	}
}

func TestTOOL07_APlanIsRunOrDiscardedOnce(t *testing.T) {
	var runs, discards int
	subject := prepared{scripted{name: "a"}, func(context.Context) (tool.Plan, error) {
		return tool.Plan{
			Run: func(context.Context, func(string)) tool.Outcome {
				runs++
				return tool.Outcome{Result: message.Result{Content: message.Text("ran")}}
			},
			Discard: func() { discards++ },
		}, nil
	}}
	d := dispatcher(t, nil, subject)
	for name, test := range map[string]struct {
		use            func(tool.Plan)
		runs, discards int
	}{
		"run, then discarded": {func(p tool.Plan) { p.Run(t.Context(), nil); p.Discard() }, 1, 0},
		"discarded twice":     {func(p tool.Plan) { p.Discard(); p.Discard() }, 0, 1},
		"discarded, then run": {func(p tool.Plan) {
			p.Discard()
			if got := code(p.Run(t.Context(), nil).Result); got != message.ExecutionError {
				t.Errorf("it ran: %q", got)
			}
		}, 0, 1},
	} {
		runs, discards = 0, 0
		plan, err := d.Prepare(t.Context(), call("a", `{"path":"p"}`))
		if err != nil {
			t.Fatal(err)
		}
		test.use(plan)
		if runs != test.runs || discards != test.discards {
			t.Errorf("%s: run %d times, discarded %d times", name, runs, discards)
		}
	}
}

func TestDSP01_AFaultyPlanDoesNoHarm(t *testing.T) {
	boom := func() { panic("boom") }
	subject := prepared{scripted{name: "a"}, func(context.Context) (tool.Plan, error) {
		return tool.Plan{
			Check: func(context.Context) error { boom(); return nil },
			Run: func(context.Context, func(string)) tool.Outcome {
				return tool.Outcome{Changes: &tool.Changes{
					Apply: func(context.Context, message.Chosen) message.Result { boom(); return message.Result{} },
					Drop:  func(context.Context) message.Result { boom(); return message.Result{} },
				}}
			},
			Discard: boom,
		}, nil
	}}
	d := dispatcher(t, nil, subject)
	plan, err := d.Prepare(t.Context(), call("a", `{"path":"p"}`))
	if err != nil {
		t.Fatal(err)
	}
	var fault *message.ToolError
	if err := plan.Check(t.Context()); !errors.As(err, &fault) || fault.Code != message.ExecutionError {
		t.Errorf("check: %v", err)
	}
	outcome := plan.Run(t.Context(), nil)
	if outcome.Result.Error != nil || outcome.Changes == nil {
		t.Fatalf("outcome: %+v", outcome)
	}
	if got := code(outcome.Changes.Apply(t.Context(), message.Chosen{})); got != message.ExecutionError {
		t.Errorf("apply: %q", got)
	}
	if got := code(outcome.Changes.Drop(t.Context())); got != message.ExecutionError {
		t.Errorf("drop after apply: %q", got)
	}
	if plan, err = d.Prepare(t.Context(), call("a", `{"path":"p"}`)); err != nil {
		t.Fatal(err)
	}
	plan.Discard()
}

func TestTOOL07_ChangesOfACallThatIsLeftBehindAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		dropped := make(chan error, 1)
		subject := prepared{scripted{name: "a"}, func(context.Context) (tool.Plan, error) {
			return tool.Plan{Run: func(context.Context, func(string)) tool.Outcome {
				<-release
				return tool.Outcome{Changes: &tool.Changes{
					Apply: func(context.Context, message.Chosen) message.Result { t.Error("applied"); return message.Result{} },
					Drop:  func(ctx context.Context) message.Result { dropped <- ctx.Err(); return message.Result{} },
				}}
			}}, nil
		}}
		plan, err := dispatcher(t, nil, subject).Prepare(t.Context(), call("a", `{"path":"p"}`))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if outcome := plan.Run(ctx, func(string) {}); code(outcome.Result) != message.Cancelled || outcome.Changes != nil {
			t.Errorf("outcome: %+v", outcome)
		}
		close(release)
		if err := <-dropped; err != nil {
			t.Errorf("dropped with a context that had ended: %v", err)
		}
	})
}
