package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// maxPlans is how often one call is prepared, because it was edited or its file keeps
// changing, before it is given up: people stop long before, programs may not.
const maxPlans = 100

// worker takes one call from its check to its result.
type worker struct {
	*run
	*pendingCall
	// pausing ends what waits, for the user or for its turn.
	pausing context.Context //nolint:containedctx // a worker lives as long as one call
	notes   chan<- note
}

// reportCall carries the call out and reports its result, whatever happens.
func (w worker) reportCall(ctx context.Context) {
	result, stop := w.runCall(ctx)
	w.open()
	w.notes <- note{of: w.pendingCall, kind: noteDone, result: result, stop: stop}
}

// runCall takes the call from its check to its result. It reports also whether the user
// wants the run to end with it. What runs ends with ctx, what waits with w.pausing.
func (w worker) runCall(ctx context.Context) (result message.Result, stop bool) { //nolint:funlen // the order of its parts is the point
	if !w.ahead {
		w.awaitTurn()
	}
	// A guard or a hook has refused it, or the tool or its arguments do not exist so.
	if w.fault != nil {
		return message.Result{Error: w.fault}, false
	}
	call, fault := w.Tools.Check(w.call)
	if fault != nil {
		return message.Result{Error: fault}, false
	}

	// It is prepared, and shown, until there is a decision on exactly what will run: edited
	// arguments are checked and shown again, and so is a file that changed while the user
	// was thinking (SPEC HITL-03, HITL-09).
	plan := tool.Plan{Discard: func() {}}
	defer func() { plan.Discard() }() // which does nothing once it was run
	var cause *message.Cause
	if call.Written {
		cause = &message.Cause{Code: message.CauseWritten}
	}
	asks, edited, approved := call.Written, false, false
	for plans := 1; ; plans++ {
		if over := w.over(ctx); over != nil {
			return notStarted(over), false
		}
		if plans > maxPlans {
			return gaveUp(cause), false
		}
		plan.Discard()
		next, err := w.prepare(call, asks)
		if err != nil {
			return prepareFailed(w.pausing, err), false
		}
		plan = next
		shown := false
		if asks = asks || plan.Asks; asks { // once asked about, it is asked about again
			plan.Preview.Edited = edited
			decision := w.askUser(call, message.AskBefore(plan.Preview, cause))
			if decision.Verdict == message.Modify {
				changed := call
				changed.Arguments = message.LastOfEachKey(decision.Arguments)
				if changed, fault = w.Tools.Check(changed); fault != nil {
					cause = &message.Cause{Code: message.CauseEditUnfit, Data: message.CauseData{Error: fault}}
					continue
				}
				call, cause, edited = changed, &message.Cause{Code: message.CauseEdited}, true
				continue
			}
			if decision.Verdict != message.Approve || decision.Hash != call.Hash() {
				return rejection(w.pausing, decision), decision.Stop
			}
			approved = decision.By != message.ByMode
			shown = w.ahead || approved
		}
		w.awaitTurn()
		if over := w.takeSlot(ctx); over != nil {
			return notStarted(over), false
		}
		if !shown || plan.Check(w.pausing) == nil {
			break // what nobody looked at was prepared this moment
		}
		<-w.slots
		cause = &message.Cause{Code: message.CauseFileChanged, Data: message.CauseData{Path: plan.Preview.Path}}
	}

	// It runs, within its time limit.
	w.touches = plan.Touches
	w.notes <- note{of: w.pendingCall, kind: noteRunning, call: call}
	limited, end := w.limitTime(ctx, plan.Limit)
	outcome := plan.Run(limited, w.showProgress)
	end()
	<-w.slots
	result = outcome.Result
	if edited {
		result.Content = result.Content.After("(the user edited this call before it ran)")
	}

	// Keys in the output of a command that nobody was asked about are shown to the user first.
	// What it has changed in a copy is applied where the mode lets it, or shown, in call order
	// too, and applied, dropped, or set aside where nobody decides.
	if outcome.Changes == nil && outcome.Withheld == nil {
		return result, false
	}
	w.notes <- note{of: w.pendingCall, kind: noteStopped}
	<-w.previousEnded
	result, stop = w.decideOutput(call, result, outcome.Withheld)
	if outcome.Changes == nil {
		return result, stop
	}
	result, stopped := w.decideChanges(ctx, call, plan.Limit, approved, result, outcome.Changes)
	return result, stop || stopped
}

// askUser asks the gate, about one call at a time unless the run asks ahead. The time that
// it takes counts against no limit.
func (w worker) askUser(call message.Call, question message.Question) message.Decision {
	w.questions <- struct{}{}
	defer func() { <-w.questions }()
	defer w.clock.beginWait()()
	w.awaitOthers()
	return w.Gate.Ask(w.pausing, call, question, w.open)
}

// takeSlot waits for a slot among the calls that run, which the caller frees; what ends the waiting is returned.
func (w worker) takeSlot(ctx context.Context) (over context.Context) {
	select {
	case w.slots <- struct{}{}:
	case <-w.pausing.Done():
		return w.pausing
	}
	if over = w.over(ctx); over != nil { // a free slot and a cancel at once: the cancel counts
		<-w.slots
	}
	return over
}

// over returns what keeps a call from beginning; nil for none. A cancel ends one context before the other.
func (w worker) over(ctx context.Context) context.Context {
	for _, one := range []context.Context{w.pausing, ctx} {
		if one.Err() != nil {
			return one
		}
	}
	return nil
}

// limitTime returns a context that ends with ErrTimeout after a time limit. The caller
// calls end.
func (w worker) limitTime(ctx context.Context, limit time.Duration) (limited context.Context, end func()) {
	limited, stop := context.WithCancelCause(ctx)
	timer := w.clock.startTimer(limit, w.clock.awakeTime, func() { stop(tool.ErrTimeout) })
	return limited, func() {
		timer.stop()
		stop(nil)
	}
}

// showProgress shows live output of the call.
func (w worker) showProgress(text string) {
	w.notes <- note{of: w.pendingCall, kind: noteProgress, progress: w.Redact(text)}
}

// rejection is the result of a call that was decided against.
func rejection(ctx context.Context, decision message.Decision) message.Result {
	switch {
	case decision.Verdict == message.Approve:
		return message.Fail(message.Rejected, "the approval was for another call")
	case decision.By == message.ByCancel && ctx.Err() != nil:
		return notStarted(ctx)
	}
	return decision.Refused()
}

// gaveUp is the result of a call that was prepared too often.
func gaveUp(cause *message.Cause) message.Result {
	code := message.Rejected // it was edited again and again
	if cause.Code == message.CauseFileChanged {
		code = message.StaleFile
	}
	return message.Fail(code, fmt.Sprintf("asked %d times without a decision that holds: %s", maxPlans, cause))
}

// prepareFailed is the result of a call that cannot succeed.
func prepareFailed(ctx context.Context, err error) message.Result {
	if ctx.Err() != nil {
		return notStarted(ctx)
	}
	var fault *message.ToolError
	if errors.As(err, &fault) {
		return message.Result{Error: fault}
	}
	return message.Fail(message.ExecutionError, err.Error())
}

// notStarted is the result of a call that the end of the run kept from running.
func notStarted(ctx context.Context) message.Result {
	return message.Fail(message.Cancelled, context.Cause(ctx).Error()+" before it was run")
}
