package agent

import (
	"context"
	"slices"
	"sync"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/hook"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// pendingCall is a call of the round under way.
type pendingCall struct {
	call message.Call
	part *message.Part
	// definition is the tool's, as far as it may be called, and fault why the call is not
	// run.
	definition tool.Definition
	fault      *message.ToolError
	order
	// running is set while its tool works, not while the user is asked about its changes.
	running bool
	// touches are the files and folders that it was about, once it runs.
	touches []string
}

// admitCalls has the guard and the hooks look at the calls of a round, in call order and
// before any of them runs. Where the run ends instead, every call is given a reason why it
// does not run.
func (r *run) admitCalls(calls []*pendingCall) (ending, bool) {
	r.judged = r.judged[:0]
	for _, c := range calls {
		e, over := r.checkDoom(c)
		if !over && c.fault == nil {
			if err := r.runCallHooks(c); err != nil {
				e, over = r.hookFailed(err), true
			}
		}
		if over {
			for _, other := range calls {
				if other.fault == nil {
					other.fault = &message.ToolError{Code: message.Cancelled, Message: "the run ended before it was run"}
				}
			}
			return e, true
		}
		if c.fault == nil {
			c.definition, _ = r.Tools.Definition(c.call.Name)
		}
	}
	return ending{}, false
}

// note is what a call reports to the run's owner while it is carried out.
type note struct {
	of       *pendingCall
	kind     noteKind
	call     message.Call   // running: the call as it runs
	progress string         // progress
	result   message.Result // done
	stop     bool           // done: the user stops the run
}

type noteKind int

const (
	noteRunning noteKind = iota
	noteStopped
	noteProgress
	noteDone
)

// runRound runs the calls of one reply and gives each its result. Reads and
// commands run side by side; a call that changes files runs alone, after those
// before it and before those after it (SPEC DSP-05). What only waits ends with pausing,
// what runs with ctx. It reports whether a rejection stops the run.
func (r *run) runRound(calls []*pendingCall) (stopped bool) {
	ctx, stop := context.WithCancelCause(r.ctx)
	defer stop(nil)
	pausing, pause := context.WithCancelCause(r.pausing)
	defer pause(nil)
	end := func(why error) {
		pause(why) // first: nothing may begin any more
		stop(why)
	}
	notes := make(chan note)
	var workers sync.WaitGroup
	groups := r.orderCalls(calls)
	for _, c := range calls {
		w := worker{run: r, pendingCall: c, pausing: pausing, notes: notes}
		workers.Go(func() { w.reportCall(ctx) })
	}
	stopped = r.takeNotes(ctx, groups, notes, end)
	workers.Wait()
	for _, c := range calls {
		r.recordCall(c)
	}
	results := make([]string, len(r.judged))
	for i, c := range r.judged {
		results[i] = c.part.Tool.Seen()
	}
	r.repeats.setResults(results)
	return stopped
}

// takeNotes has the groups begin one after the other and takes what their calls report until
// all have ended.
func (r *run) takeNotes(ctx context.Context, groups []*group, notes <-chan note, stop func(error)) (stopped bool) {
	var busy stopwatch
	for _, g := range groups {
		close(g.begin)
		for g.left > 0 { // a call of a later group may end before
			stopped = r.takeNote(ctx, <-notes, &busy, stop) || stopped
		}
	}
	r.times.Tools += busy.total
	return stopped
}

// takeNote takes what a call reports. It reports whether that stops the run.
func (r *run) takeNote(ctx context.Context, n note, busy *stopwatch, stop func(error)) (stopped bool) {
	switch n.kind {
	case noteRunning:
		busy.enter()
		n.of.running = true
		r.startCall(n)
		close(n.of.asked)
	case noteStopped:
		busy.leave()
		n.of.running = false
	case noteProgress:
		r.Publish(event.ToolProgress{CallID: n.of.call.ID, Content: n.progress})
		r.Hooks.ActingChunk(ctx, hook.ActingChunk{CallID: n.of.call.ID, Text: n.progress})
	case noteDone:
		n.of.group.left--
		started := n.of.part.Tool.State.Status == message.Running
		if err := r.endCall(n); err != nil {
			r.hookFault = err
			stop(errHookFailed)
		}
		if n.stop {
			stopped = true
			stop(errStopDecided)
		}
		if n.of.running {
			busy.leave()
		}
		if !started {
			close(n.of.asked)
		}
		close(n.of.ended)
	}
	return stopped
}

// startCall marks a call as running.
func (r *run) startCall(n note) {
	if err := n.of.part.Tool.Start(n.call.Arguments, time.Now()); err != nil {
		r.Log.Error("begin call", "run", r.RunID, "error", err)
	}
	r.SetPart(*n.of.part)
	r.Publish(event.ToolRunning{CallID: n.call.ID})
}

// endCall gives a call its one result, after the hooks may have changed it. The error is that
// of a failed hook, after which nobody knows whether the result may be shown.
func (r *run) endCall(n note) error {
	use := n.of.part.Tool
	changed, fault := r.Hooks.PostActing(r.ctx, n.of.call, n.result)
	if fault != nil {
		changed.Content, changed.Data = nil, nil
		code := message.ExecutionError
		if n.result.Error != nil {
			code = n.result.Error.Code
		}
		changed.Error = &message.ToolError{Code: code, Message: fault.Error()}
	}
	n.result = changed
	n.result.Notices = append(slices.Clip(n.result.Notices), r.lookNearby(n.of.touches)...)
	if err := use.Finish(n.result); err != nil {
		r.Log.Error("end call", "run", r.RunID, "error", err)
	}
	r.SetPart(*n.of.part)
	r.Publish(event.ResultOf(use.CallID, n.result))
	return fault
}

// recordCall keeps a finished call for the result of the run.
func (r *run) recordCall(c *pendingCall) {
	use := c.part.Tool
	result := *use.State.Output
	r.calls = append(r.calls, message.CallRecord{
		ID: use.CallID, Name: use.Name, Arguments: string(use.State.Input), Result: result,
		StartedAt: use.State.StartedAt, Duration: result.Duration,
	})
}
