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
	warning string
	err     *message.RunError
}

// broken is an ending with an error; partial is the text of the last reply as
// far as it came.
func (r *run) broken(code message.FailCode, text, partial string) ending {
	return ending{reason: message.ReasonError, content: partial, err: &message.RunError{Code: code, Message: r.Redact(text)}}
}

// stopped is the ending of a run whose context, or whose model call's context,
// ended with cause.
func (r *run) stopped(cause error, partial string) ending {
	if partial == "" {
		partial = r.lastText
	}
	var e ending
	var notKept *event.NotKeptError
	switch {
	case errors.Is(cause, errInterrupted):
		return r.interrupted()
	case errors.Is(cause, errRunTimeout):
		e = r.broken(message.CodeTimeout, fmt.Sprintf("the run was stopped after %.1f s of work, its time limit; "+
			"give it more with --run-timeout", r.clock.workTime().Seconds()), partial)
		e.reason = message.ReasonTimeout
	case errors.As(cause, &notKept):
		e = r.broken(message.CodeStorage, notKept.Error(), partial)
	case errors.Is(cause, ErrCancelled), errors.Is(cause, context.Canceled):
		e = r.broken(message.CodeCancelled, "Cancelled by user", partial)
		e.reason = message.ReasonCancelled
	default:
		e = r.broken(message.CodeInternal, fmt.Sprintf("the model call failed inside: %v", cause), partial)
	}
	return e
}

// rejected is the ending after a rejection that stops the run.
func (r *run) rejected() ending {
	e := r.broken(message.CodeRejected, "stopped by your rejection", r.lastText)
	e.reason = message.ReasonRejected
	return e
}

// lastWord asks for an answer when the steps are used up: no tools are offered,
// and calls in the reply are never executed (SPEC LOOP-06).
func (r *run) lastWord() ending {
	detail := fmt.Sprintf("step limit of %d reached", r.Limits.MaxSteps)
	r.Publish(event.GuardWarning{Kind: message.GuardMaxSteps, Detail: detail})
	r.remind(reminderMaxSteps)
	r.newRetries()
	reply, parts, e, over := r.reason(nil)
	if over {
		return e
	}
	r.enter(phaseJudge)
	reply.Calls = nil
	content := reply.Text
	if strings.TrimSpace(content) != "" {
		var err error
		if content, reply, parts, err = r.conclude(reply, parts); err != nil {
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
		content = "The " + detail + " before there was an answer."
	}
	if also := warnings[reply.Finish]; also != "" {
		detail += "; " + also
	}
	return ending{reason: message.ReasonMaxSteps, content: content, warning: detail}
}

// halted is the ending of a run that a guard has stopped, or of one that was to stop
// while it asked.
func (r *run) halted(e ending) ending {
	if e.err != nil {
		return e
	}
	return r.stopped(context.Cause(r.pausing), "")
}

// interrupted is the ending after an interrupt. What the person gave with it is the
// run's reply (SPEC INT-01).
func (r *run) interrupted() ending {
	e := ending{reason: message.ReasonInterrupted, content: r.lastText}
	text, _ := r.Control.interruption()
	if text == "" {
		return e
	}
	r.cut = llm.Pieces{} // it is no piece of that answer
	_, reply, parts, err := r.conclude(llm.Reply{Text: text}, replyParts{})
	if err != nil {
		return r.hookFailed(err)
	}
	if parts.text == "" {
		parts.text = r.replace("", text)
	}
	r.addReply(reply, parts, false)
	e.content = reply.Text
	return e
}

// finish publishes the one terminal event and returns the result.
func (r *run) finish(e ending) Result {
	r.enter(phaseEnd)
	if e.err != nil {
		r.Hooks.Error(r.ctx, *e.err)
	}
	if last := len(r.cut.Parts) - 1; last > 0 && e.reason != message.ReasonCompleted {
		r.replace(r.cut.Parts[last], r.cut.Text, r.cut.Parts[:last]...)
	}
	ended := time.Now()
	duration := ended.Sub(r.started).Milliseconds()
	switch e.reason {
	case message.ReasonCompleted, message.ReasonMaxSteps, message.ReasonInterrupted:
		r.Publish(event.LifecycleEnd{
			Reason: e.reason, Content: e.content, Steps: r.steps, DurationMs: duration, Warning: e.warning,
		})
	default:
		r.Publish(event.LifecycleError{
			Reason: e.reason, Code: e.err.Code, Message: e.err.Message, PartialContent: e.content,
			Steps: r.steps, DurationMs: duration,
		})
	}
	r.Log.Info("run ended", "run", r.RunID, "reason", e.reason, "steps", r.steps, "elapsedMs", duration)
	r.times.Person = r.clock.userTime()
	return Result{
		Reason: e.reason, Content: e.content, Steps: r.steps, ToolCalls: r.calls, Usage: r.usage,
		StartedAt: r.started, EndedAt: ended, Times: r.times, Err: e.err, Messages: r.messages[r.before:], History: r.messages,
	}
}
