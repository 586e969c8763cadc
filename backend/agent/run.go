package agent

import (
	"context"
	"errors"
	"slices"
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
	reminded  bool // the model was reminded since it last called tools
	retries   llm.Retries
	weakened  message.WeakenedParts // those that were told

	// nearby are instructions that the model is given after the round.
	nearby []NearbyText
	// repeats are the calls so far, judged those of the round that it was told of, and
	// failedRounds counts the rounds in a row in which every call failed.
	repeats         callRepeats
	judged          []*pendingCall
	failedRounds    int
	tokens, dollars budgetGuard
	meter           *windowMeter
	compactions     int // those since the last reply
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
	r.offerTools(in.Window)
	return r
}

// releaseAll lets go of everything the run held, on every path (SPEC LOOP-13).
func (r *run) releaseAll() {
	r.limit.stop()
	r.clock.close()
	r.stop(nil)
}

// loop runs steps until one of them ends the run.
func (r *run) loop() ending {
	r.Hooks.PreCall(r.ctx, hook.Start{RunID: r.RunID, SessionID: r.SessionID, Prompt: r.Prompt})
	for {
		if e, over := r.step(); over {
			return e
		}
	}
}

// step is one step of the loop, from its checks to the results of its calls. It reports
// whether the run is over, and how it ends then.
func (r *run) step() (e ending, over bool) {
	// What ends a run between two steps, the step limit last, and what the user said
	// meanwhile.
	r.enterPhase(phaseCheck)
	if e, over := r.checkEnds(); over {
		return e, true
	}
	if r.Mode == React && r.steps == r.Limits.MaxSteps {
		return r.askLastWord(), true
	}
	r.joinPrompts()
	r.announceStep()

	// The model is asked, with a view of the conversation that fits its window.
	reply, parts, e, over := r.askModel(r.offer)
	if over {
		return e, true
	}

	// Without calls the reply is the answer, or a reason to ask again.
	r.enterPhase(phaseJudge)
	verdict := r.judgeReply(reply)
	if verdict != verdictCalls {
		e, over := r.settleReply(verdict, reply, parts)
		r.Publish(event.Decision{Reason: string(verdict), Completed: over})
		return e, over
	}
	r.Publish(event.Decision{Reason: string(verdict)})
	r.cut = llm.Pieces{} // what was said beside calls is no answer

	// Its calls are looked at by guards and hooks, and run as one round.
	r.enterPhase(phaseAct)
	first := len(r.calls)
	calls := r.addCalls(reply, parts)
	e, halted := r.admitCalls(calls)
	r.enterPhase(phaseAct)
	rejected := r.runRound(calls)
	r.addNearby()
	if r.ctx.Err() != nil && !rejected {
		return r.endStopped(context.Cause(r.ctx), ""), true
	}

	// Every call has its result: the step is completed.
	r.completeStep(len(calls))
	r.reminded = false
	switch {
	case halted:
		return r.endHalted(e), true
	case r.hookFault != nil:
		return r.hookFailed(r.hookFault), true
	case rejected:
		return r.endRejected(), true
	case !r.Limits.ContinueOnError && slices.ContainsFunc(r.calls[first:], message.CallRecord.Failed):
		return r.endWithError(message.CodeToolFailed, "a tool call failed and the run is set to stop then; "+
			"leave out --stop-on-tool-error to let the model deal with it", ""), true
	}
	if r.Limits.ContinueMessage {
		r.addReminder(reminderUrge)
	}
	return r.checkAllFailed(r.calls[first:])
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

// checkEnds tests what can end a run between two steps, in this order: a cancel, an
// interrupt, the run's time limit, its budget (SPEC LOOP-05; the step limit, which
// comes last, is the loop's own).
func (r *run) checkEnds() (ending, bool) {
	cause := context.Cause(r.ctx)
	if cause != nil && !errors.Is(cause, errRunTimeout) {
		return r.endStopped(cause, ""), true
	}
	if _, interrupted := r.Control.interruption(); interrupted {
		return r.endInterrupted(), true
	}
	if cause != nil {
		return r.endStopped(cause, ""), true
	}
	return r.checkBudget()
}

// askModel makes the request fit the window, asks the model, and runs the hooks on the
// reply. It returns how the run ends where there is no reply to go on with.
func (r *run) askModel(offer []llm.Tool) (llm.Reply, replyParts, ending, bool) {
	e, over := r.fitWindow()
	for !over {
		if cause := context.Cause(r.pausing); cause != nil {
			return llm.Reply{}, replyParts{}, r.endStopped(cause, ""), true
		}
		r.enterPhase(phaseAsk)
		shown, err := r.Parts.readShown(r.messages)
		if err != nil {
			return llm.Reply{}, replyParts{}, r.endWithCause(message.CodeStorage, err, r.lastText), true
		}
		messages, err := r.Hooks.PreReasoning(r.ctx, shown)
		if err != nil {
			return llm.Reply{}, replyParts{}, r.hookFailed(err), true
		}
		reply, parts, err := r.tryAttempts(llm.Request{System: r.System, Messages: messages, Tools: offer, Sequential: r.Limits.Parallel <= 1}, r.publishDelta)
		if err == nil {
			r.compactions = 0
			if reply.Usage != nil {
				r.meter.setUsed(reply.Usage.Prompt, len(shown))
			}
			if reply, parts, err = r.runReplyHooks(reply, parts); err != nil {
				reply.Calls = nil
				r.addReply(reply, parts, true)
				e = r.hookFailed(err)
			}
			return reply, parts, e, err != nil
		}
		if !r.learnOverflow(err) {
			return reply, parts, r.endFailed(err, reply, parts), true
		}
		e, over = r.compact()
	}
	return llm.Reply{}, replyParts{}, e, true
}

// completeStep counts and publishes a step with so many calls.
func (r *run) completeStep(calls int) {
	r.steps++
	elapsed := time.Since(r.stepBegan)
	r.Publish(event.StepCompleted{
		Step: r.steps, MaxSteps: r.Limits.MaxSteps, ElapsedSeconds: elapsed.Seconds(), ToolCallCount: calls,
	})
	r.Log.Info("step", "run", r.RunID, "step", r.steps, "max", r.Limits.MaxSteps,
		"elapsedMs", elapsed.Milliseconds(), "calls", calls, "tokens", r.usage.Prompt+r.usage.Completion)
}
