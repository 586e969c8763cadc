package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/sandbox"
)

const (
	// grace is what the processes of a cancelled command get to clean up, such
	// as to remove a lock file, between being asked to end and being killed.
	grace = 30 * time.Millisecond
	// killed is how long a killed shell may take to go. One that waits inside
	// the kernel for a dead disk takes longer and is left behind.
	killed = 300 * time.Millisecond
	// drain is how long output is awaited once the shell has ended: only a
	// process that left the tree can still hold the pipe then.
	drain = 500 * time.Millisecond
	// drainCancelled is the same after a cancel, which has to be quick.
	drainCancelled = 30 * time.Millisecond
)

// starter starts the tree of a command and returns where its output is read.
type starter func(c Command) (tree, io.ReadCloser, error)

// execution is a command that was started, up to its end.
type execution struct {
	tree   tree
	pipe   io.ReadCloser
	output *output
	// after is Command.Ended.
	after func(ctx context.Context)
	// ctx ends when the command shall end; cancel says why.
	ctx    context.Context
	cancel context.CancelCauseFunc
	// done is closed when it has ended. What follows is valid then.
	done chan struct{}
	// cut is why it was ended before its end; nil where it was not.
	cut error
	// code and signal say how the shell ended; err why it was not run, or that nobody
	// knows what became of it, and limit which limit it was ended at.
	code   int
	signal string
	err    error
	limit  *sandbox.LimitError
	// opened are those of Command.Cover that it has read.
	opened []string
}

// startExecution starts a command. The execution goes on once carry is called.
func startExecution(start starter, c Command, job bool) (*execution, error) {
	tree, pipe, err := start(c)
	if err != nil {
		return nil, fmt.Errorf("start shell in %s: %w", c.Dir, err)
	}
	registerTree(tree)
	e := &execution{tree: tree, pipe: pipe, output: newOutput(c, job), after: c.Ended, done: make(chan struct{}), code: -1}
	e.ctx, e.cancel = context.WithCancelCause(context.Background())
	return e, nil
}

// superviseCommand sees the command to its end, and calls over before others are told of it.
func (e *execution) superviseCommand(over func()) {
	defer close(e.done)
	defer e.cancel(nil)
	defer over()
	read, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		e.output.copy(e.pipe)
	}()
	go func() {
		defer close(ended)
		e.tree.awaitShell()
	}()

	select {
	case <-ended:
	case <-e.ctx.Done():
		e.cut = context.Cause(e.ctx)
		e.tree.terminateTree()
		closedWithin(grace, ended, read)
	}
	e.tree.killTree()
	unregisterTree(e.tree)
	if closedWithin(killed, ended) {
		e.code, e.signal, e.err = e.tree.reapShell()
		if errors.As(e.err, &e.limit) {
			e.err = nil
		}
		if covered, ok := e.tree.(coverer); ok {
			e.opened = covered.openedCovers()
		}
	} else {
		go func() {
			<-ended
			_, _, _ = e.tree.reapShell()
		}()
	}
	e.waitForOutput(read)
	if e.after != nil {
		e.after(e.ctx)
	}
}

// waitForOutput waits for the end of the output, but not for ever: closing the pipe
// ends the reading of one that a process outside the tree holds open.
func (e *execution) waitForOutput(read <-chan struct{}) {
	limit := drain
	if e.ctx.Err() != nil {
		limit = drainCancelled
	}
	stop := time.NewTimer(limit)
	defer stop.Stop()
	select {
	case <-read:
	case <-stop.C:
	case <-e.ctx.Done():
		closedWithin(drainCancelled, read)
	}
	e.pipe.Close()
	<-read
}

// passOutput passes the output on until the command has ended or was moved. When ctx
// ends, it has the command stopped, and goes on.
func (e *execution) passOutput(ctx context.Context, moved <-chan struct{}, stop func(cause error)) {
	live := e.output.live
	defer live.flush()
	cancelled := ctx.Done()
	var due <-chan time.Time
	for {
		select {
		case <-live.fresh:
			due = time.After(live.wait())
		case <-due:
			live.flush()
		case <-e.done:
			return
		case <-moved:
			return
		case <-cancelled:
			cancelled = nil
			stop(context.Cause(ctx))
		}
	}
}

// exitResult is what became of a command that has ended, for who has waited for it.
func (e *execution) exitResult() (Exit, error) {
	if e.cut != nil {
		return Exit{Code: -1, Text: e.output.currentText()}, e.cut
	}
	limit, exceeded := e.limitsReached()
	return Exit{Code: e.code, Signal: e.signal, Limit: limit, Exceeded: exceeded, Opened: e.opened, Text: e.output.currentText()}, e.err
}

// limitsReached says at which limit the command was ended, in words and for programs; nothing
// for one that was not.
func (e *execution) limitsReached() (string, *message.Exceeded) {
	if e.limit == nil {
		return "", nil
	}
	exceeded := e.limit.Exceeded()
	return e.limit.Error(), &exceeded
}

// closedWithin reports whether all the channels are closed before the time is over.
func closedWithin(limit time.Duration, all ...<-chan struct{}) bool {
	stop := time.NewTimer(limit)
	defer stop.Stop()
	for _, done := range all {
		select {
		case <-done:
		case <-stop.C:
			return false
		}
	}
	return true
}
