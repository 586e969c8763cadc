// Package agent is the ReAct loop: the model reasons, calls tools, reads their results, and
// goes on until a typed end.
//
// A run goes this way:
//
//  1. Run appends the prompt to the history and publishes lifecycle.start. A model with a
//     small window is offered fewer tools (window_small.go). Run then repeats steps (step in
//     run.go) until one of them ends the run.
//  2. A step begins with checks: is the run cancelled, interrupted, out of time, out of
//     budget (guard_budget.go), out of steps (end.go)? Prompts that wait are joined.
//  3. What the model is shown is made to fit its window: older outputs are pruned, older
//     messages are summed up (compact.go).
//  4. The model is asked, in as many attempts as it takes; a reply that repeats its words
//     without end is given up (attempt.go).
//  5. The reply is judged: calls, a final text, nothing, or cut off (reply.go).
//  6. Its calls make a round (round.go). In call order, each passes the guard against
//     repeated calls (guard_doom.go) and the hooks (hooks.go). They then run: reads and
//     commands side by side, file changes one at a time.
//  7. A call (runCall in call.go) is checked against the allow-list, the presets and the
//     schema. It is prepared, and shown to the user where its plan asks for that, until
//     there is a decision on exactly what will run. It runs within its time limit. Changes
//     that it made in a copy are shown as well, and applied or dropped (changes.go).
//  8. When every call has its result, the step is completed; back to 2.
//  9. The run ends with one terminal event, and a Result that holds everything (end.go).
//
// Compact is a run of one thing: it sums up what was said (window_compact.go).
//
// The loop stands on the run's clock (clock.go), on what others tell a run (control.go), on
// the detection of repetition (repeat_calls.go, repeat_reply.go, repeat_words.go) and on
// the view of a conversation that fits a model's window (window.go).
//
// At each moment a run is in one phase (phase.go):
//
//	check    guard, compact, ask, end
//	guard    check, act, end
//	compact  wait, ask, end
//	ask      wait, compact, judge, end
//	wait     ask, compact, end
//	judge    check, act, end
//	act      guard, check, end
//	end
//
// The package is pure: no files, no network, no processes. One goroutine owns a
// run; calls that run side by side report to it and never write the history, and
// others steer a run that is going on through its Control.
package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/hook"
	"fairlead/backend/llm"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// Mode is how the loop uses tools.
type Mode string

// The modes.
const (
	// React loops over tools until the model answers without calls.
	React Mode = "react"
	// Single asks the model once and offers no tools.
	Single Mode = "single"
)

// Gate decides about the calls of a run.
type Gate interface {
	// Ask returns a decision on exactly this call, by what the question shows. It calls
	// opened once the question is open, if it has to be. It returns
	// at once when ctx ends. It is called for several calls at once with Input.AskAhead.
	Ask(ctx context.Context, call message.Call, question message.Question, opened func()) message.Decision
	// LetsChanges reports whether what a call has changed in a copy is applied without a
	// question, where nothing holds it. approved reports whether the user approved the call.
	LetsChanges(approved bool) bool
	// Decide returns whether a run that a guard has paused may go on. It returns at
	// once when ctx ends.
	Decide(ctx context.Context, guardID string, guard message.Guard) message.GuardDecision
}

// Input is everything a run starts from. The loop keeps nothing else.
type Input struct {
	RunID     string
	SessionID string
	Prompt    string
	// Blocks go with the prompt, each as a part of its own.
	Blocks []message.Block
	// Continues is the run that this one goes on with; the prompt is Fairlead's own
	// then, and not shown as the user's. It is empty where the user gave a task.
	Continues string
	// Context is what the model should know at this point beside the prompt, such
	// as the date; it goes to the end of the request, so that what stands before
	// it stays the same to the byte.
	Context string
	// Changed lists what the conversation has changed in its folder and what was not taken
	// back, each path once; nil where only the history tells.
	Changed func() ([]message.Change, error)
	// Nearby returns the instructions of the workspace for files and folders that a call was
	// about, without those that given has; nil where there are none.
	Nearby func(touched []string, given []message.InstructionsFile) Nearby
	// Notices are what the user is told at the start; Context says the same.
	Notices []message.Notice
	// History is the conversation so far.
	History []message.Message
	// System is the system prompt.
	System string
	Mode   Mode
	Limits message.Limits
	Model  llm.Model
	// ModelName is what the events call the model.
	ModelName string
	// Window is how many tokens the model takes at once, 0 where nobody knows, and
	// LearnWindow takes what the provider told of it. AskWindow asks a server on this
	// computer, of the kind that Server names, for how many it has loaded the model, 0
	// where it does not say; nil and empty for another model.
	Window      int
	LearnWindow func(tokens int)
	AskWindow   func(context.Context) int
	Server      string
	// Price is what the model's tokens cost; the zero Price where nobody knows.
	Price message.Price
	// Parts knows the parts of the conversation.
	Parts *Parts
	Tools *tool.Dispatcher
	Gate  Gate
	// AskAhead has the questions about all calls of a reply open at once, to be answered in
	// any order; without it they come one at a time. Calls run in their order anyway.
	AskAhead bool
	// Hooks watch and alter the run; nil for none.
	Hooks *hook.Chain
	// Control is how others steer the run while it is going on.
	Control *Control
	// Prompts takes the prompts that wait for the next step, once.
	Prompts func() []message.Prompt
	// Publish takes the events; safe for concurrent use.
	Publish func(event.Data)
	// AddMessage takes a message that was added to the history, and SetPart a part
	// of one that changed, each before the event that tells of it.
	AddMessage func(message.Message)
	SetPart    func(message.Part)
	// Redact hides known keys in what is shown while it happens, and in errors.
	Redact func(string) string
	// NewID returns a new unique id; safe for concurrent use.
	NewID func() string
	// Now returns the time.
	Now func() time.Time
	// Jitter is added to each wait before another attempt: 0 to 1 s.
	Jitter func() time.Duration
	// Log takes one line a step.
	Log *slog.Logger
}

// Result is how a run ended, and what it did.
type Result struct {
	Reason message.Reason
	// Content is the final reply, or the last text there was.
	Content string
	// Steps counts completed tool rounds.
	Steps     int
	ToolCalls []message.CallRecord
	Usage     message.Usage
	StartedAt time.Time
	EndedAt   time.Time
	// Times say where the time between the two went.
	Times Times
	// Err is what went wrong; nil when the run ended well.
	Err *message.RunError
	// Messages are what the run added to the history. Every call in them has
	// exactly one result, however the run ended (SPEC CAN-04).
	Messages []message.Message
	// History is the whole conversation, of which outputs may have been pruned.
	History []message.Message
}

// Times are parts of a run's duration that are not the loop's own. They overlap
// where a tool runs while the user is asked about another call.
type Times struct {
	// Model is the time spent in model calls and in waits between attempts.
	Model time.Duration
	// Tools is the time in which at least one tool ran.
	Tools time.Duration
	// User is the time in which the user was waited for.
	User time.Duration
}

// ErrCancelled is the cause to cancel a run's context with when the user
// cancels it.
var ErrCancelled = errors.New("cancelled by the user")

// The causes of a context that ended for a reason of the loop's own.
var (
	errRunTimeout  = errors.New("stopped by the time limit of the run")
	errStopDecided = errors.New("the run was stopped by a rejection")
	errHookFailed  = errors.New("a hook failed")
)

// The causes of an attempt's context that ended for a reason of the loop's own.
var (
	errStoodStill = &llm.Error{
		Class: llm.Network, Cause: message.FailStoodStill,
		Message: "the stream was dropped because the computer or the program stood still",
	}
	errRepeats = &llm.Error{
		Class: llm.Repeats, Cause: message.FailRepeats, Message: "the model repeats the same words over and over", Hint: "try again, or use another model",
	}
)

// Run works on the prompt until a typed end. It returns after everything it
// started has ended.
func Run(ctx context.Context, in Input) Result {
	r := newRun(ctx, in)
	defer r.releaseAll()
	r.addPrompt()
	r.Publish(event.LifecycleStart{
		Prompt: in.Prompt, Blocks: event.BlocksOf(in.Blocks), Model: in.ModelName, MaxSteps: in.Limits.MaxSteps, Continues: in.Continues, Notices: in.Notices,
	})
	r.fitOffer()
	e := r.loop()
	// The reply given with an interrupt is the last word, also where the run ended by
	// itself meanwhile.
	if text, _ := r.Control.interruption(); text != "" && e.err == nil && e.reason != message.ReasonInterrupted {
		e = r.endInterrupted()
	}
	return r.publishEnd(e)
}
