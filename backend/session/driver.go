package session

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// Driver begins, follows and ends the runs of one open conversation, for an entry point.
// Its methods can be called from any goroutine.
//
// BeginRun, ContinueRun, QueuePrompt, SendPrompt and NextPrompt begin a run, or say why
// not, in the order in which they are called, and return when its first event is saved:
// they may wait for the disk, and for the end of a run whose last event was seen. The run
// itself is in goroutines of its own. Nothing else waits for the disk but Close, and
// SwitchGroup and what edits the queue, which save what they change. When a run has ended,
// NextPrompt begins the one that waits.
type Driver struct {
	*Session

	// found reports that it was saved before it was opened.
	found   bool
	outputs *workspace.Outputs
	objects *change.Objects
	// close gives back what it works with; nil for nothing.
	close func() error
	// unlock gives back the lock of a saved conversation; nil where it has none.
	unlock func() error
	// kept are the runs that only this process knows whole.
	kept struct {
		sync.Mutex
		runs []*Run
	}
	// left are the notices that nobody was told of when it was closed.
	left []message.Notice
}

// errOver refuses what is asked of a driver that begins no more runs.
var errOver = &message.Refusal{
	Code: message.InvalidState, Message: "the last run has ended or was cancelled; this prompt is not run",
}

// FollowRuns yields the runs that begin after its call, in order, until no more begin or
// ctx ends; each iteration begins with the first of them. Run.Follow reads their events.
func (d *Driver) FollowRuns(ctx context.Context) iter.Seq[*Run] { return d.begun.followRuns(ctx) }

// RunID names the run that began last; empty before the first.
func (d *Driver) RunID() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current != nil {
		return d.current.ID
	}
	return d.last.id
}

// currentRun returns the current run, which may have told of its end already; nil for none.
func (d *Driver) currentRun() *Run {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// KeptRuns are the runs that no store has whole, in order: the one that is running, those
// of a conversation that is not saved, and those that could not be saved.
func (d *Driver) KeptRuns() []*Run {
	d.kept.Lock()
	defer d.kept.Unlock()
	return slices.Clone(d.kept.runs)
}

// keepRun keeps a run that begins.
func (d *Driver) keepRun(run *Run) {
	d.kept.Lock()
	defer d.kept.Unlock()
	d.kept.runs = append(d.kept.runs, run)
}

// forgetSaved forgets the runs that have ended and that the store has whole.
func (d *Driver) forgetSaved() {
	d.kept.Lock()
	defer d.kept.Unlock()
	d.kept.runs = slices.DeleteFunc(d.kept.runs, func(run *Run) bool {
		return d.config.Store != nil && run.Events.Ended() && run.Events.Fault() == nil
	})
}

// NextPrompt begins the next run with the prompt that waits longest; nil where none waits
// that is not left to the user, a run is running, or nothing is to begin any more.
func (d *Driver) NextPrompt() (*Run, error) {
	d.forgetSaved()
	return d.Session.NextPrompt()
}

// Finish waits until the run that is running has ended, and begins those that wait one
// after the other, until none is left; no prompt is taken any more then. The error says why
// the next one could not begin.
func (d *Driver) Finish() error {
	for {
		if run := d.currentRun(); run != nil {
			run.Wait()
		}
		begun, err := d.nextOrLast()
		if !begun {
			return err
		}
	}
}

// nextOrLast begins the next run, or has none begin any more. It reports whether one is
// running now.
func (d *Driver) nextOrLast() (running bool, err error) {
	d.turn.Lock()
	defer d.turn.Unlock()
	if d.Running() {
		return true, nil // somebody began it
	}
	run, err := d.beginNext()
	if run == nil {
		d.beginNoMore()
	}
	return run != nil, err
}

// Cancel cancels the run that is running, and has none begin after it: what waits is left
// to the user. It waits for nothing. Where nothing was running, its refusal is that of
// Manager.CancelRun; nothing begins all the same.
func (d *Driver) Cancel() error {
	d.stop()
	_, err := d.manager.CancelRun(d.RunID())
	return err
}

// Cancelled is closed when nothing is to begin any more, by Cancel or by Close.
func (d *Driver) Cancelled() <-chan struct{} { return d.stopped }

// InterruptRun has the run that is running stop before its next model call, with reply as
// its own unless that is empty. The refusals are those of Manager.InterruptRun.
func (d *Driver) InterruptRun(reply string) error {
	_, err := d.manager.InterruptRun(d.RunID(), reply)
	return err
}

// RetryRun ends the wait of the run before its next attempt. The refusals are those of
// Manager.RetryRun.
func (d *Driver) RetryRun() error { return d.manager.RetryRun(d.RunID()) }

// Close cancels the run that is running, waits for its end as long as ctx allows, and gives
// back what the conversation works with, its lock last. A conversation whose run does not
// end keeps all of it, and the error says so. The full outputs of the calls are kept as
// long as the conversation is; of one that nobody can come back to they are deleted.
func (d *Driver) Close(ctx context.Context) error {
	d.stop()
	for over := false; ; over = true {
		if run := d.currentRun(); run != nil {
			run.cancel()
			select {
			case <-run.done:
			case <-ctx.Done():
				return fmt.Errorf("end run %s: %w", run.ID, ctx.Err())
			}
		}
		if over {
			return d.releaseAll()
		}
		d.turn.Lock()
		d.beginNoMore()
		d.turn.Unlock()
	}
}

// Left returns, once the conversation is closed, what its commands in the background have
// left in the folder that no result told of. The next run of a saved conversation is told.
func (d *Driver) Left() []message.Notice { return d.left }
