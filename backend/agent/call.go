package agent

import (
	"context"
	"errors"
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// maxQuestions is how often one call is asked about, because it was edited or its file
// keeps changing, before it is given up: people stop long before, programs may not.
const maxQuestions = 100

// worker takes one call from its check to its result.
type worker struct {
	*run
	*pendingCall
	// pausing ends what waits, for a person or for its turn.
	pausing context.Context //nolint:containedctx // a worker lives as long as one call
	notes   chan<- note
	// places holds one value for each call that runs.
	places chan struct{}
	// before is closed when the calls before this one need no question any more.
	before <-chan struct{}
}

// work carries the call out and reports its result, whatever happens.
func (w worker) work(ctx context.Context) {
	result, stop := w.carryOut(ctx)
	w.notes <- note{of: w.pendingCall, kind: noteDone, result: result, stop: stop}
}

func (w worker) carryOut(ctx context.Context) (result message.Result, stop bool) {
	if w.fault != nil {
		return message.Result{Error: w.fault}, false
	}
	cleared := approved{call: w.call}
	if w.asks() {
		<-w.before
		if w.pausing.Err() != nil {
			return notStarted(w.pausing), false
		}
		// What was decided about the calls before it may have settled this one.
		if w.call.Written || w.Tools.Asks(w.call) {
			var refusal *refusal
			if cleared, refusal = w.confirm(w.pausing); refusal != nil {
				return refusal.result, refusal.stop
			}
		}
	}
	select {
	case w.places <- struct{}{}:
		defer func() { <-w.places }()
	case <-w.pausing.Done():
		return notStarted(w.pausing), false
	}
	if w.pausing.Err() != nil { // a free place and a cancel at once: the cancel counts
		return notStarted(w.pausing), false
	}
	return w.start(ctx, cleared), false
}

// start runs the call under its time limit.
func (w worker) start(ctx context.Context, cleared approved) message.Result {
	w.notes <- note{of: w.pendingCall, kind: noteRunning, call: cleared.call}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	limit := w.clock.startTimer(w.Tools.Limit(cleared.call), w.clock.awakeTime, func() { stop(tool.ErrTimeout) })
	defer limit.stop()
	live := func(text string) { w.notes <- note{of: w.pendingCall, kind: noteProgress, progress: w.Redact(text)} }
	result := w.Tools.Run(ctx, cleared.call, cleared.fingerprint, live)
	if cleared.edited {
		result.Content = result.Content.After("(the user edited this call before it ran)")
	}
	return result
}

// approved is a call as it was decided on, with the state of the files it was
// shown for.
type approved struct {
	call        message.Call
	fingerprint string
	edited      bool
}

// refusal is why a call does not run.
type refusal struct {
	result message.Result
	stop   bool
}

// confirm asks until there is a decision on exactly what will run: edited
// arguments are checked and shown again, and so is a file that changed while
// the person was thinking (SPEC HITL-03, HITL-09).
func (w worker) confirm(ctx context.Context) (approved, *refusal) {
	call, isEdited := w.call, false
	var cause *message.Cause
	if call.Written {
		cause = &message.Cause{Code: message.CauseWritten}
	}
	for range maxQuestions {
		preview, err := w.Tools.Preview(ctx, call)
		if err != nil {
			return approved{}, &refusal{result: previewFailed(ctx, err)}
		}
		preview.Edited = isEdited
		decision := w.decide(ctx, call, message.AskBefore(preview, cause))
		switch decision.Verdict {
		case message.Modify:
			edited := call
			edited.Arguments = message.LastOfEachKey(decision.Arguments)
			_, edited, fault := w.Tools.Check(edited)
			if fault != nil {
				cause = &message.Cause{Code: message.CauseEditUnfit, Data: message.CauseData{Error: fault}}
				continue
			}
			call, cause, isEdited = edited, &message.Cause{Code: message.CauseEdited}, true
		case message.Approve:
			if decision.Hash != call.Hash() {
				return approved{}, &refusal{result: message.Fail(message.Rejected, "the approval was for another call")}
			}
			now, err := w.Tools.Preview(ctx, call)
			if err != nil {
				return approved{}, &refusal{result: previewFailed(ctx, err)}
			}
			if now.Fingerprint == preview.Fingerprint {
				return approved{call: call, fingerprint: preview.Fingerprint, edited: isEdited}, nil
			}
			cause = &message.Cause{Code: message.CauseFileChanged, Data: message.CauseData{Path: now.Path}}
		default:
			return approved{}, &refusal{result: rejection(ctx, decision), stop: decision.Stop}
		}
	}
	code := message.Rejected // it was edited again and again
	if cause.Code == message.CauseFileChanged {
		code = message.StaleFile
	}
	return approved{}, &refusal{result: message.Fail(code,
		fmt.Sprintf("asked %d times without a decision that holds: %s", maxQuestions, cause))}
}

// decide asks the gate. The time it takes counts against no limit.
func (w worker) decide(ctx context.Context, call message.Call, question message.Question) message.Decision {
	defer w.clock.beginWait()()
	return w.Gate.Ask(ctx, call, question)
}

// rejection is the result of a call that was decided against.
func rejection(ctx context.Context, decision message.Decision) message.Result {
	if decision.By == message.ByCancel && ctx.Err() != nil {
		return notStarted(ctx)
	}
	return decision.Refused()
}

func previewFailed(ctx context.Context, err error) message.Result {
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
