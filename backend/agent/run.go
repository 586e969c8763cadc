package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/hook"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// run is the state of one run. Only its owner goroutine writes it.
type run struct {
	Input
	// ctx ends with the run; pausing, for what only waits, with an interrupt too.
	ctx, pausing context.Context
	stop         context.CancelCauseFunc
	clock        *runClock
	limit        *runTimer
	phase        phase

	messages []message.Message
	before   int // how many of messages were there before the run
	offer    []llm.Tool
	callIDs  message.CallIDs

	started time.Time
	steps   int
	// announced is the last step that was published as started, at stepBegan.
	announced int
	stepBegan time.Time
	calls     []message.CallRecord
	usage     message.Usage
	times     Times
	lastText  string
	cut       llm.Pieces
	reminded  bool
	retries   llm.Retries

	// repeats are the calls so far, judged those of the round that it was told of, and
	// failedRounds counts the rounds in a row in which every call failed.
	repeats         callRepeats
	judged          []*pendingCall
	failedRounds    int
	tokens, dollars budgetGuard
	meter           *windowMeter
	// compactions counts those since the last reply.
	compactions int
	// refusal is what the provider said when the conversation was too long for it.
	refusal string
	// hookFault is why the run ends after the round: a hook failed in it.
	hookFault error
}

func newRun(ctx context.Context, in Input) *run {
	r := &run{Input: in, started: time.Now(), clock: newRunClock(in.Now), callIDs: map[string]bool{}}
	r.ctx, r.stop = context.WithCancelCause(ctx)
	pausing, interrupt := context.WithCancelCause(r.ctx)
	r.pausing = pausing
	in.Control.onInterrupt(interrupt)
	r.limit = r.clock.startTimer(in.Limits.RunTimeout, r.clock.workTime, func() { r.stop(errRunTimeout) })
	r.messages = message.Repair(in.History)
	r.before = len(r.messages)
	for i := range r.messages {
		for _, part := range r.messages[i].ToolParts() {
			r.callIDs[part.Tool.CallID] = true
		}
	}
	if in.Mode == React {
		for _, d := range in.Tools.Definitions() {
			r.offer = append(r.offer, llm.Tool{Name: d.Name, Description: d.Description, Parameters: d.Parameters})
		}
	}
	r.meter = newWindowMeter(in.Window, in.Parts, r.prefix())
	return r
}

// prefix is what stands before the messages of every request.
func (r *run) prefix() string {
	var text strings.Builder
	text.WriteString(r.System)
	for _, t := range r.offer {
		text.WriteString(t.Name + t.Description + string(t.Parameters))
	}
	return text.String()
}

// release lets go of everything the run held, on every path (SPEC LOOP-13).
func (r *run) release() {
	r.limit.stop()
	r.clock.close()
	r.stop(nil)
}

// loop runs steps until one of them ends the run.
func (r *run) loop() ending {
	r.Hooks.PreCall(r.ctx, hook.Start{RunID: r.RunID, SessionID: r.SessionID, Prompt: r.Prompt})
	for {
		r.enter(phaseCheck)
		if e, over := r.check(); over {
			return e
		}
		if r.Mode == React && r.steps == r.Limits.MaxSteps {
			return r.lastWord()
		}
		r.join()
		r.announceStep()
		if e, over := r.step(); over {
			return e
		}
	}
}

// announceStep publishes the step that begins, once: a reply that only earned a
// reminder does not use it up.
func (r *run) announceStep() {
	if r.announced > r.steps {
		return
	}
	r.announced, r.stepBegan = r.steps+1, time.Now()
	r.newRetries()
	r.Publish(event.StepStarted{Step: r.announced, MaxSteps: r.Limits.MaxSteps})
}

// check tests what can end a run between two steps, in this order: a cancel, an
// interrupt, the run's time limit, its budget (SPEC LOOP-05; the step limit, which
// comes last, is the loop's own).
func (r *run) check() (ending, bool) {
	cause := context.Cause(r.ctx)
	if cause != nil && !errors.Is(cause, errRunTimeout) {
		return r.stopped(cause, ""), true
	}
	if _, interrupted := r.Control.interruption(); interrupted {
		return r.interrupted(), true
	}
	if cause != nil {
		return r.stopped(cause, ""), true
	}
	return r.checkBudget()
}

// step asks the model once and acts on the reply.
func (r *run) step() (ending, bool) {
	reply, parts, e, over := r.reason(r.offer)
	if over {
		return e, true
	}
	r.enter(phaseJudge)
	verdict := r.judge(reply)
	if verdict == verdictCalls {
		r.Publish(event.Decision{Reason: string(verdict)})
		r.cut = llm.Pieces{} // what was said beside calls is no answer
		return r.act(reply, parts)
	}
	if e, over := r.settle(verdict, reply, parts); over {
		r.Publish(event.Decision{Reason: string(verdict), Completed: true})
		return e, true
	}
	r.Publish(event.Decision{Reason: string(verdict)})
	return ending{}, false
}

// reason makes room in the window, asks the model, and lets the hooks see to the
// reply. It returns how the run ends where there is no reply to go on with.
func (r *run) reason(offer []llm.Tool) (llm.Reply, replyParts, ending, bool) {
	e, over := r.makeRoom()
	for !over {
		if cause := context.Cause(r.pausing); cause != nil {
			return llm.Reply{}, replyParts{}, r.stopped(cause, ""), true
		}
		r.enter(phaseAsk)
		shown, err := r.Parts.readShown(r.messages)
		if err != nil {
			return llm.Reply{}, replyParts{}, r.broken(message.CodeStorage, err.Error(), r.lastText), true
		}
		messages, err := r.Hooks.PreReasoning(r.ctx, shown)
		if err != nil {
			return llm.Reply{}, replyParts{}, r.hookFailed(err), true
		}
		reply, parts, err := r.ask(llm.Request{System: r.System, Messages: messages, Tools: offer, Sequential: r.Limits.Parallel <= 1}, r.tell)
		if err == nil {
			r.compactions = 0
			if reply.Usage != nil {
				r.meter.setUsed(reply.Usage.Prompt, len(shown))
			}
			if reply, parts, err = r.think(reply, parts); err != nil {
				reply.Calls = nil
				r.addReply(reply, parts, true)
				e = r.hookFailed(err)
			}
			return reply, parts, e, err != nil
		}
		if !r.outgrown(err) {
			return reply, parts, r.failed(err, reply, parts), true
		}
		e, over = r.compact()
	}
	return llm.Reply{}, replyParts{}, e, true
}

// act runs the calls of a reply as one round.
func (r *run) act(reply llm.Reply, parts replyParts) (ending, bool) {
	r.enter(phaseAct)
	before := len(r.calls)
	calls := r.addCalls(reply, parts)
	e, over := r.admit(calls)
	r.enter(phaseAct)
	stopped := r.round(calls)
	if r.ctx.Err() != nil && !stopped {
		return r.stopped(context.Cause(r.ctx), ""), true
	}
	r.steps++
	elapsed := time.Since(r.stepBegan)
	r.Publish(event.StepCompleted{
		Step: r.steps, MaxSteps: r.Limits.MaxSteps, ElapsedSeconds: elapsed.Seconds(), ToolCallCount: len(calls),
	})
	r.Log.Info("step", "run", r.RunID, "step", r.steps, "max", r.Limits.MaxSteps,
		"elapsedMs", elapsed.Milliseconds(), "calls", len(calls), "tokens", r.usage.Prompt+r.usage.Completion)
	switch {
	case over:
		return r.halted(e), true
	case r.hookFault != nil:
		return r.hookFailed(r.hookFault), true
	case stopped:
		return r.rejected(), true
	case !r.Limits.ContinueOnError && slices.ContainsFunc(r.calls[before:], message.CallRecord.Failed):
		return r.broken(message.CodeToolFailed, "a tool call failed and the run is set to stop then; "+
			"leave out --stop-on-tool-error to let the model deal with it", ""), true
	}
	if r.Limits.ContinueMessage {
		r.remind(reminderUrge)
	}
	return r.allFailed(r.calls[before:])
}
