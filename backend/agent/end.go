package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// ending is how a run ends.
type ending struct {
	reason  message.Reason
	content string
	// warnings are what the user should know of an end that is none of these.
	warnings []message.Guard
	err      *message.RunError
}

// endWithError is an ending with an error; partial is the text of the last reply as
// far as it came.
func (r *run) endWithError(code message.FailCode, text, partial string) ending {
	return ending{reason: message.ReasonError, content: partial, err: &message.RunError{
		Code: code, Message: r.Redact(text), Data: &message.FailData{Cause: message.FailPlain},
	}}
}

// endWithCause is an ending with an error that somebody else's words tell of.
func (r *run) endWithCause(code message.FailCode, err error, partial string) ending {
	e := r.endWithError(code, err.Error(), partial)
	e.err.Data.Said = e.err.Message
	return e
}

// endStopped is the ending of a run whose context, or whose model call's context,
// ended with cause.
func (r *run) endStopped(cause error, partial string) ending {
	if partial == "" {
		partial = r.lastText
	}
	var e ending
	var notKept *event.NotKeptError
	switch {
	case errors.Is(cause, errInterrupted):
		return r.endInterrupted()
	case errors.Is(cause, errRunTimeout):
		e = r.endWithError(message.CodeTimeout, fmt.Sprintf("the run was stopped after %.1f s of work, its time limit; "+
			"give it more with --run-timeout", r.clock.workTime().Seconds()), partial)
		e.reason = message.ReasonTimeout
		e.err.Data = &message.FailData{Cause: message.FailRunLimit, LimitMs: r.clock.workTime().Milliseconds()}
	case errors.As(cause, &notKept):
		e = r.endWithCause(message.CodeStorage, notKept, partial)
	case errors.Is(cause, ErrCancelled), errors.Is(cause, context.Canceled):
		e = r.endWithError(message.CodeCancelled, "Cancelled by user", partial)
		e.reason = message.ReasonCancelled
	default:
		e = r.endWithCause(message.CodeInternal, fmt.Errorf("the model call failed inside: %w", cause), partial)
	}
	return e
}

// endRejected is the ending after a rejection that stops the run.
func (r *run) endRejected() ending {
	e := r.endWithError(message.CodeRejected, "stopped by your rejection", r.lastText)
	e.reason = message.ReasonRejected
	return e
}

// askLastWord asks for an answer when the steps are used up: no tools are offered,
// and calls in the reply are never executed (SPEC LOOP-06).
func (r *run) askLastWord() ending {
	guard := message.Guard{Kind: message.GuardMaxSteps, Data: message.GuardData{MaxSteps: r.Limits.MaxSteps}}
	r.warnOf(guard)
	r.addReminder(reminderMaxSteps)
	r.newRetries()
	reply, parts, e, over := r.askModel(nil)
	if over {
		return e
	}
	r.enterPhase(phaseJudge)
	reply.Calls = nil
	content := reply.Text
	if strings.TrimSpace(content) != "" {
		var err error
		if content, reply, parts, err = r.runFinalHooks(reply, parts); err != nil {
			e = r.hookFailed(err)
		}
	}
	r.addReply(reply, parts, reply.Finish == finishRepeats)
	r.Publish(event.Decision{Reason: "step_limit", Completed: true})
	if e.err != nil {
		return e
	}
	if strings.TrimSpace(content) == "" {
		content = r.lastText
	}
	if content == "" {
		content = "The " + guard.String() + " before there was an answer."
	}
	return ending{reason: message.ReasonMaxSteps, content: content, warnings: append([]message.Guard{guard}, warnings[reply.Finish]...)}
}

// endHalted is the ending of a run that a guard has stopped, or of one that was to stop
// while it asked.
func (r *run) endHalted(e ending) ending {
	if e.err != nil {
		return e
	}
	return r.endStopped(context.Cause(r.pausing), "")
}

// endInterrupted is the ending after an interrupt. What the user gave with it is the
// run's reply (SPEC INT-01).
func (r *run) endInterrupted() ending {
	e := ending{reason: message.ReasonInterrupted, content: r.lastText}
	text, _ := r.Control.interruption()
	if text == "" {
		return e
	}
	r.cut = llm.Pieces{} // it is no piece of that answer
	_, reply, parts, err := r.runFinalHooks(llm.Reply{Text: text}, replyParts{})
	if err != nil {
		return r.hookFailed(err)
	}
	if parts.text == "" {
		parts.text = r.publishFinal("", text)
	}
	r.addReply(reply, parts, false)
	e.content = reply.Text
	return e
}

// publishEnd publishes the one terminal event and returns the result.
func (r *run) publishEnd(e ending) Result {
	r.enterPhase(phaseEnd)
	if e.err != nil {
		e.err.Data = e.err.Data.Redacted(r.Redact)
		r.Hooks.Error(r.ctx, *e.err)
	}
	if last := len(r.cut.Parts) - 1; last > 0 && e.reason != message.ReasonCompleted {
		r.publishFinal(r.cut.Parts[last], r.cut.Text, r.cut.Parts[:last]...)
	}
	ended := time.Now()
	duration := ended.Sub(r.started).Milliseconds()
	switch e.reason {
	case message.ReasonCompleted, message.ReasonMaxSteps, message.ReasonInterrupted:
		r.Publish(event.LifecycleEnd{
			Reason: e.reason, Content: e.content, Steps: r.steps, DurationMs: duration,
			Warnings: e.warnings, Warning: message.JoinGuards(e.warnings),
		})
	default:
		r.Publish(event.LifecycleError{
			Reason: e.reason, Code: e.err.Code, Message: e.err.Message, Data: e.err.Data, PartialContent: e.content,
			Steps: r.steps, DurationMs: duration,
		})
	}
	r.Log.Info("run ended", "run", r.RunID, "reason", e.reason, "steps", r.steps, "elapsedMs", duration)
	r.times.User = r.clock.userTime()
	return Result{
		Reason: e.reason, Content: e.content, Steps: r.steps, ToolCalls: r.calls, Usage: r.usage,
		StartedAt: r.started, EndedAt: ended, Times: r.times, Err: e.err, Messages: r.messages[r.before:], History: r.messages,
	}
}
