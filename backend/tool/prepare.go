package tool

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"fairlead/backend/message"
)

// Prepare works out what a checked call would do, without doing it. A *message.ToolError
// says that the call cannot succeed. A tool that does not return soon after ctx ended is
// left behind, with the cause as the error; what it prepares late is discarded.
//
// The functions of the plan never panic and return soon after their context ended. Discard
// does nothing once Run was called, and the other way round.
func (d *Dispatcher) Prepare(ctx context.Context, call message.Call) (Plan, error) {
	type prepared struct {
		plan Plan
		err  error
	}
	b, in := d.bound[call.Name], d.newInput(call)
	p, settled := runContained(ctx, call.Name, func() (p prepared) {
		p.plan, p.err = b.tool.Prepare(ctx, in)
		return p
	}, func(fault *message.ToolError) prepared {
		return prepared{err: fault}
	}, func(late prepared) {
		if late.err == nil {
			d.containPlan(call.Name, b.definition, late.plan).Discard()
		}
	})
	switch {
	case !settled:
		return Plan{}, context.Cause(ctx)
	case p.err != nil:
		return Plan{}, p.err
	case p.plan.Run == nil:
		return Plan{}, &message.ToolError{
			Code: message.ExecutionError, Message: fmt.Sprintf("the tool %s prepared nothing that can be run", call.Name),
		}
	}
	return d.containPlan(call.Name, b.definition, p.plan), nil
}

// containPlan returns the plan with functions that never panic and return soon after their
// context ended.
func (d *Dispatcher) containPlan(name string, definition Definition, plan Plan) Plan {
	var used atomic.Bool // it was run, or discarded
	contained := Plan{
		Preview: plan.Preview, Asks: definition.Confirm && plan.Asks, Limit: d.timeLimit(plan.Limit) + plan.Extra, Touches: plan.Touches,
	}
	if contained.Preview.Effect == "" {
		contained.Preview.Effect = definition.Effect
	}
	contained.Check = func(ctx context.Context) error {
		if plan.Check == nil {
			return nil
		}
		err, settled := runContained(ctx, name, func() error { return plan.Check(ctx) },
			func(fault *message.ToolError) error { return fault }, nil)
		if !settled {
			return context.Cause(ctx)
		}
		return err
	}
	contained.Run = func(ctx context.Context, progress func(string)) Outcome {
		if used.Swap(true) {
			return Outcome{Result: message.Fail(message.ExecutionError, fmt.Sprintf("the plan of %s was used before", name))}
		}
		return runPlan(ctx, name, plan.Run, progress)
	}
	contained.Discard = func() {
		if used.Swap(true) || plan.Discard == nil {
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // nobody waits for it longer than for a tool to settle
		runContained(ctx, name, func() struct{} { plan.Discard(); return struct{}{} },
			func(*message.ToolError) struct{} { return struct{}{} }, nil)
	}
	return contained
}

// timeLimit is the time limit of a call whose plan has own, or 0 for none.
func (d *Dispatcher) timeLimit(own time.Duration) time.Duration {
	switch {
	case own == 0:
		return cmp.Or(d.timeout, DefaultTimeout)
	case d.timeout > 0:
		return min(own, d.timeout)
	}
	return own
}

// runPlan runs a plan until it returns or ctx ends. A call that ctx ended fails with
// TOOL_TIMEOUT when the cause is ErrTimeout, else with CANCELLED and the cause's words;
// what it had put out by then is kept. progress takes live output, none of it empty and
// none after runPlan has returned.
func runPlan(ctx context.Context, name string, run func(context.Context, func(string)) Outcome, progress func(string)) Outcome {
	started := time.Now()
	output := &live{out: progress}
	defer output.close()
	outcome, _ := runContained(ctx, name, func() Outcome { return run(ctx, output.send) }, failedOutcome, func(late Outcome) {
		late.Changes.contain(name).drop(ctx)
	})
	outcome.Changes = outcome.Changes.contain(name)
	result := &outcome.Result
	result.Duration = time.Since(started)
	nothing := result.Error == nil && len(result.Content) == 0 && result.Data == nil && result.Changes == nil && outcome.Changes == nil
	switch {
	case ctx.Err() != nil && (nothing || result.Error != nil):
		*result = ended(ctx, *result)
	case nothing:
		result.Error = &message.ToolError{
			Code: message.ExecutionError, Message: fmt.Sprintf("the tool %s returned nothing", name),
		}
	}
	result.Content = result.Content.Map(validText)
	return outcome
}

func failedOutcome(fault *message.ToolError) Outcome {
	return Outcome{Result: message.Result{Error: fault}}
}

// contain returns the changes with functions that do the same; nil for none.
func (c *Changes) contain(name string) *Changes {
	if c == nil {
		return nil
	}
	var begun, used atomic.Bool // the rest was applied; they were applied, dropped or set aside
	once := func(ctx context.Context, used *atomic.Bool, do func() message.Result) message.Result {
		if used.Swap(true) {
			return message.Fail(message.ExecutionError, fmt.Sprintf("the changes of %s were decided about before", name))
		}
		started := time.Now()
		result, settled := runContained(ctx, name, do,
			func(fault *message.ToolError) message.Result { return message.Result{Error: fault} }, nil)
		if !settled {
			result = ended(ctx, message.Result{Duration: time.Since(started)})
		}
		result.Content = result.Content.Map(validText)
		return result
	}
	contained := &Changes{Preview: c.Preview, Held: c.Held}
	if c.ApplyRest != nil {
		contained.ApplyRest = func(ctx context.Context) message.Result {
			return once(ctx, &begun, func() message.Result { return c.ApplyRest(ctx) })
		}
	}
	contained.Apply = func(ctx context.Context, chosen message.Chosen) message.Result {
		return once(ctx, &used, func() message.Result { return c.Apply(ctx, chosen) })
	}
	end := func(do func(context.Context) message.Result) func(context.Context) message.Result {
		return func(ctx context.Context) message.Result {
			if ctx.Err() != nil {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), settleTime)
				defer cancel()
			}
			return once(ctx, &used, func() message.Result { return do(ctx) })
		}
	}
	contained.Drop = end(c.Drop)
	if c.SetAside != nil {
		contained.SetAside = end(c.SetAside)
	}
	return contained
}

// drop ends changes that nobody is asked about, if there are any.
func (c *Changes) drop(ctx context.Context) {
	if c != nil {
		c.End(ctx)
	}
}

// End sets the changes aside, or drops them where that cannot be.
func (c *Changes) End(ctx context.Context) (result message.Result, fate message.ChangesFate) {
	if c.SetAside != nil {
		return c.SetAside(ctx), message.ChangesSetAside
	}
	return c.Drop(ctx), message.ChangesDropped
}

func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
