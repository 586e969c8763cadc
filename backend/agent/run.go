package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// run is the state of one run. Only its owner goroutine writes it.
type run struct {
	Input
	ctx   context.Context
	stop  context.CancelCauseFunc
	clock *clock
	limit *timer

	messages []message.Message
	before   int // how many of messages were there before the run
	offer    []llm.Tool
	callIDs  map[string]bool

	started time.Time
	steps   int
	// announced is the last step that was published as started, at stepBegan.
	announced int
	stepBegan time.Time
	calls     []message.CallRecord
	usage     message.Usage
	times     Times
	lastText  string
	reminded  bool
}

func newRun(ctx context.Context, in Input) *run {
	r := &run{Input: in, started: time.Now(), clock: newClock(), callIDs: map[string]bool{}}
	r.ctx, r.stop = context.WithCancelCause(ctx)
	r.limit = r.clock.after(in.Limits.Run, r.clock.worked, func() { r.stop(errRunTimeout) })
	r.messages = append(r.messages, Repair(in.History)...)
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
	return r
}

// release lets go of everything the run held, on every path (SPEC LOOP-13).
func (r *run) release() {
	r.limit.stop()
	r.clock.close()
	r.stop(nil)
}

// loop runs steps until one of them ends the run.
func (r *run) loop() ending {
	for {
		if e, over := r.check(); over {
			return e
		}
		if r.Mode == React && r.steps == r.Limits.MaxSteps {
			return r.lastWord()
		}
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
	r.Publish(event.StepStarted{Step: r.announced, MaxSteps: r.Limits.MaxSteps})
}

// check tests what can end a run between two steps: a cancel, then the run's
// time limit (SPEC LOOP-05; the step limit is the loop's own).
func (r *run) check() (ending, bool) {
	if r.ctx.Err() == nil {
		return ending{}, false
	}
	return r.stopped(context.Cause(r.ctx), ""), true
}

// step asks the model once and acts on the reply.
func (r *run) step() (ending, bool) {
	reply, parts, err := r.ask(r.offer)
	if err != nil {
		return r.failed(err, reply, parts), true
	}
	verdict := r.judge(reply)
	if verdict == verdictCalls {
		r.Publish(event.Decision{Reason: string(verdict)})
		return r.act(reply, parts)
	}
	if e, over := r.settle(verdict, reply, parts); over {
		r.Publish(event.Decision{Reason: string(verdict), Completed: true})
		return e, true
	}
	r.Publish(event.Decision{Reason: string(verdict)})
	return ending{}, false
}

// act runs the calls of a reply as one round.
func (r *run) act(reply llm.Reply, parts replyParts) (ending, bool) {
	before := len(r.calls)
	tools := r.addCalls(reply, parts)
	stopped := r.round(tools)
	if r.ctx.Err() != nil && !stopped {
		return r.stopped(context.Cause(r.ctx), ""), true
	}
	r.steps++
	elapsed := time.Since(r.stepBegan)
	r.Publish(event.StepCompleted{
		Step: r.steps, MaxSteps: r.Limits.MaxSteps, ElapsedSeconds: elapsed.Seconds(), ToolCallCount: len(tools),
	})
	r.Log.Info("step", "run", r.RunID, "step", r.steps, "max", r.Limits.MaxSteps,
		"elapsedMs", elapsed.Milliseconds(), "calls", len(tools), "tokens", r.usage.Prompt+r.usage.Completion)
	switch {
	case stopped:
		return r.rejected(), true
	case r.Limits.StopOnToolError && toolFailed(r.calls[before:]):
		return r.broken(message.CodeToolFailed, "a tool call failed and the run is set to stop then; "+
			"leave out --stop-on-tool-error to let the model deal with it", ""), true
	}
	return ending{}, false
}

// toolFailed says whether one of these calls failed by itself. A call that the
// person refused did not.
func toolFailed(calls []message.CallRecord) bool {
	for i := range calls {
		err := calls[i].Result.Error
		if err != nil && err.Code != message.Rejected && err.Code != message.ConfirmTimeout {
			return true
		}
	}
	return false
}

// lastWord asks for an answer when the steps are used up: no tools are offered,
// and calls in the reply are never executed (SPEC LOOP-06).
func (r *run) lastWord() ending {
	detail := fmt.Sprintf("step limit of %d reached", r.Limits.MaxSteps)
	r.Publish(event.GuardWarning{Kind: message.GuardMaxSteps, Detail: detail})
	r.remind(reminderMaxSteps)
	reply, parts, err := r.ask(nil)
	if err != nil {
		return r.failed(err, reply, parts)
	}
	reply.Calls = nil
	r.addReply(reply, parts, false)
	r.Publish(event.Decision{Reason: "step_limit", Completed: true})
	content := reply.Text
	if strings.TrimSpace(content) == "" {
		content = r.lastText
	}
	if content == "" {
		content = "The " + detail + " before there was an answer."
	}
	return ending{reason: message.ReasonMaxSteps, content: content, warning: detail}
}
