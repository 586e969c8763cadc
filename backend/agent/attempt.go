package agent

import (
	"context"
	"errors"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/hook"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// replyParts are the ids of the parts that an attempt streamed, "" where there was
// nothing of the kind, and whether something of a call came.
type replyParts struct {
	text, reasoning string
	calls           bool
}

func (p replyParts) ids() []string {
	ids := []string{}
	for _, id := range []string{p.reasoning, p.text} {
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// listener takes what an attempt streams.
type listener func(parts *replyParts, delta llm.Delta)

// tryAttempts makes attempts at one model call until one succeeds, fails for good, or
// the attempts are used up. An attempt is not a step (SPEC LOOP-04).
func (r *run) tryAttempts(request llm.Request, tell listener) (llm.Reply, replyParts, error) {
	defer func(began time.Time) { r.times.Model += time.Since(began) }(time.Now())
	asking := r.phase
	for number := 1; ; number++ {
		reply, parts, err := r.attemptReply(request, tell)
		if err == nil {
			r.addUsage(request, reply)
			return reply, parts, nil
		}
		failure, wait := r.retries.After(number, err)
		if failure == nil {
			return reply, parts, err
		}
		r.enterPhase(phaseWait)
		pause := r.Control.beginPause(wait) // before the event: who sees it may act at once
		r.Publish(event.LLMRetry{
			Attempt: number + 1, MaxAttempts: r.retries.Most, DelayMs: wait.Milliseconds(), Code: failure.FailCode(),
			Message: r.Redact(err.Error()), Data: failure.Data().Redacted(r.Redact), Discard: parts.ids(),
		})
		if err := pause(r.pausing); err != nil {
			return llm.Reply{}, replyParts{}, err
		}
		r.enterPhase(asking)
	}
}

// newRetries forgets what failed in the step before.
func (r *run) newRetries() { r.retries = llm.Retries{Most: r.Limits.Attempts, Jitter: r.Jitter} }

// attemptReply streams one reply and tells of it as it comes.
func (r *run) attemptReply(request llm.Request, tell listener) (llm.Reply, replyParts, error) {
	ctx, stop := context.WithCancelCause(r.ctx)
	defer stop(nil)
	defer r.clock.watchStandstill(func() { stop(errStoodStill) })()
	silence := r.clock.startSilence(r.Limits.StepTimeout, func(length time.Duration, alive bool) { stop(llm.SilentFor(length, alive)) })
	defer silence.stop()
	var parts replyParts
	heard := replyRepeats{again: r.retries.Repeated}
	reply, err := r.Model.Stream(ctx, request, func(delta llm.Delta) {
		if parts.calls = parts.calls || delta.Call; delta.Kind == llm.Activity && !delta.Call {
			silence.addSign()
		} else {
			silence.addWord()
		}
		over := false
		if r.Limits.DoomDetection && delta.Text != "" && delta.Kind != llm.TextRecalled {
			delta.Text, over = heard.addPiece(delta.Text, delta.Kind == llm.ReasoningDelta)
		}
		if tell != nil && (delta.Text != "" || delta.Kind == llm.RequestWeakened) {
			tell(&parts, delta)
		}
		if over {
			stop(errRepeats)
		}
	})
	var own *llm.Error // why the loop gave the attempt up
	if (err != nil || heard.isOver()) && errors.As(context.Cause(ctx), &own) {
		err = own
	}
	if own == errRepeats {
		reply.Text = reply.Text[:min(heard.countedBytes(), len(reply.Text))]
	}
	switch {
	case own == errRepeats && heard.isCut():
		reply.Calls, reply.Finish, err = nil, finishRepeats, nil
	case r.retries.TakesLeak(err):
		reply.Finish, err = llm.FinishLeaked, nil
	default:
		return reply, parts, err
	}
	if tell != nil {
		r.warnOf(warnings[reply.Finish][0])
	}
	return reply, parts, err
}

// publishDelta publishes a piece of the reply.
func (r *run) publishDelta(parts *replyParts, delta llm.Delta) {
	switch delta.Kind {
	case llm.TextDelta:
		parts.text = r.idOnce(parts.text)
		r.Publish(event.AssistantDelta{PartID: parts.text, Content: delta.Text})
	case llm.ReasoningDelta:
		parts.reasoning = r.idOnce(parts.reasoning)
		r.Publish(event.ReasoningDelta{PartID: parts.reasoning, Content: delta.Text})
	case llm.TextRecalled:
		r.Publish(event.AssistantFinal{PartID: parts.text})
		parts.text, parts.reasoning = "", r.idOnce(parts.reasoning)
		r.Publish(event.ReasoningDelta{PartID: parts.reasoning, Content: delta.Text})
		return
	case llm.RequestWeakened:
		if r.weakened.AddOnce(delta.Weakened) {
			r.Publish(event.RequestWeakened(delta.Weakened))
		}
		return
	}
	r.Hooks.ReasoningChunk(r.ctx, hook.Chunk{Reasoning: delta.Kind == llm.ReasoningDelta, Text: delta.Text})
}

// learnOverflow reports whether a call failed because the conversation is longer than the model
// takes, and that something can be done about it. What the provider said of its
// window is remembered.
func (r *run) learnOverflow(err error) bool {
	var failure *llm.Error
	if !errors.As(err, &failure) || failure.Class != llm.ContextOverflow || !r.Limits.Compaction {
		return false
	}
	r.refusal = failure.Message
	if failure.Window == 0 && r.meter.window == 0 {
		r.meter.window = r.meter.requestTokens(shownMessages(r.messages)) // it is no larger than what was refused
	}
	r.learnWindow(failure.Window)
	return true
}

func (r *run) idOnce(id string) string {
	if id != "" {
		return id
	}
	return r.NewID()
}

// endFailed ends the run after a model call that failed for good. What came of the
// last attempt is kept (SPEC RET-03, CAN-03).
func (r *run) endFailed(err error, reply llm.Reply, parts replyParts) ending {
	reply.Calls = nil // nothing of an unfinished reply is ever executed
	var failure *llm.Error
	if errors.As(err, &failure) && failure.Class == llm.TooLarge {
		reply = llm.Reply{} // it is dropped (SPEC SEC-11)
	}
	r.addReply(reply, parts, true)
	r.cut.Add(reply.Text, parts.text)
	if failure == nil {
		return r.endStopped(err, r.cut.Text)
	}
	e := r.endWithError(failure.FailCode(), failure.Error(), r.cut.Text)
	e.err.Data = failure.Data()
	switch failure.Class {
	case llm.ContextOverflow:
		e.reason = message.ReasonContextOverflow
	case llm.Filtered:
		e.reason = message.ReasonFiltered
	case llm.Silent:
		e.reason = message.ReasonTimeout
	default:
		e.err.Message += failure.ComeBack(time.Now())
	}
	return e
}
