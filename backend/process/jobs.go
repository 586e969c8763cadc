package process

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"fairlead/backend/sandbox"
)

var (
	// ErrNoJob says that no command of a call runs in the foreground.
	ErrNoJob = errors.New("no command of this call runs in the foreground")
	// ErrEnded is why a command ended that the user has ended.
	ErrEnded = errors.New("the user ended this command")
)

var (
	// errClosed is why a command does not start, or ends, when the session does.
	errClosed = errors.New("the session is closed")
	// errKilled is why a command ended that was killed.
	errKilled = errors.New("killed")
)

// Jobs are the commands of one session: those in the foreground, which somebody waits
// for, and those in the background. They are safe for concurrent use.
type Jobs struct {
	options JobsOptions
	start   starter
	// alive waits for the commands.
	alive sync.WaitGroup

	mu     sync.Mutex
	closed bool
	// last is the number of the id given last.
	last int
	// all are in the order of their start.
	all []*job
}

// JobsOptions say how a session's commands are run.
type JobsOptions struct {
	// Space returns what confines the next one; nil runs them with all the user's rights. It is called for every command, which is not run where it fails, and
	// may make the space for the first. That has to be open until Jobs are closed.
	Space func() (*sandbox.Space, error)
	// Changed is told, from any goroutine, that List says something else; may be nil.
	Changed func()
	// Kept is how long an ended command in the background is kept, with what it
	// wrote; 0 means 300 s (SPEC §13).
	Kept time.Duration
}

// defaultKept is how long an ended command in the background is kept.
const defaultKept = 300 * time.Second

// NewJobs returns the commands of a session that has none yet.
func NewJobs(o JobsOptions) *Jobs {
	if o.Kept == 0 {
		o.Kept = defaultKept
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	return &Jobs{options: o, start: start}
}

// Run does what the function Run does, in the session's space and with one more
// thing: when the command of the call is moved to the background meanwhile, Run
// returns at once with the job's id and the output so far. The command goes on then,
// also after ctx ends.
func (j *Jobs) Run(ctx context.Context, callID string, c Command) (Exit, error) {
	if ctx.Err() != nil {
		return Exit{Code: -1}, context.Cause(ctx)
	}
	b, err := j.startJob(callID, c, false)
	if err != nil {
		return Exit{Code: -1}, err
	}
	b.passOutput(ctx, b.moved, func(cause error) { j.stop(b, cause) })
	j.mu.Lock()
	id, before := b.id, b.before
	j.mu.Unlock()
	if id != "" {
		return Exit{Text: before, Moved: id}, nil
	}
	return b.exitResult()
}

// Start starts a command in the background and returns its id: p1, p2, … Its output
// is read with Read; nobody calls Command.Output.
func (j *Jobs) Start(callID string, c Command) (id string, err error) {
	b, err := j.startJob(callID, c, true)
	if err != nil {
		return "", err
	}
	return b.id, nil
}

// Move moves the command in the foreground that a call waits for to the background
// and returns its id, or ErrNoJob.
func (j *Jobs) Move(callID string) (id string, err error) {
	j.mu.Lock()
	at := slices.IndexFunc(j.all, func(b *job) bool {
		return b.callID == callID && b.id == "" && !b.stopped
	})
	if at < 0 {
		j.mu.Unlock()
		return "", ErrNoJob
	}
	b := j.all[at]
	j.nameJob(b)
	b.before = b.output.handOver()
	close(b.moved)
	j.mu.Unlock()
	j.options.Changed()
	return b.id, nil
}

// End ends the command of a call with all its processes, on behalf of the user, and
// waits for that. Run, if it waits for the command, returns ErrEnded. A command that
// has ended is left as it is. An error is a *NoJobError, or the cause of a ctx that
// ended first; the command ends all the same.
func (j *Jobs) End(ctx context.Context, callID string) error {
	b, _, err := j.findJob(callID)
	if err != nil {
		return err
	}
	j.mu.Lock()
	b.stopped = true
	j.mu.Unlock()
	b.cancel(ErrEnded)
	select {
	case <-b.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close ends all commands, waits for their end and forgets them. No command starts
// after it.
func (j *Jobs) Close() {
	j.mu.Lock()
	j.closed = true
	for _, b := range j.all {
		b.cancel(errClosed)
	}
	j.mu.Unlock()
	j.alive.Wait()
	j.mu.Lock()
	left := slices.Clone(j.all)
	j.mu.Unlock()
	for _, b := range left {
		j.forgetJob(b)
	}
}

// startInSpace starts a command in the session's space.
func (j *Jobs) startInSpace(c Command) (*execution, error) {
	if j.options.Space != nil {
		var err error
		if c.Space, err = j.options.Space(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotConfined, err)
		}
	}
	return startExecution(j.start, c, true)
}

// startJob starts a command.
func (j *Jobs) startJob(callID string, c Command, background bool) (*job, error) {
	if !j.enterStart() {
		return nil, errClosed
	}
	e, err := j.startInSpace(c)
	if err != nil {
		j.alive.Done()
		return nil, err
	}
	b := &job{execution: e, callID: callID, command: c, started: time.Now(), moved: make(chan struct{})}
	j.mu.Lock()
	if background {
		j.nameJob(b)
	}
	j.all = append(j.all, b)
	if j.closed {
		b.cancel(errClosed)
	}
	j.mu.Unlock()
	j.options.Changed()
	go func() {
		defer j.alive.Done()
		b.superviseCommand(func() { j.endJob(b) })
	}()
	return b, nil
}

// enterStart reports whether a command may start. One that may has to be done with, so that
// Close can wait for it.
func (j *Jobs) enterStart() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return false
	}
	j.alive.Add(1)
	return true
}

// nameJob gives a job in the background its id. The caller holds the lock.
func (j *Jobs) nameJob(b *job) {
	j.last++
	b.id = "p" + strconv.Itoa(j.last)
}

// stop has a command in the foreground end, unless it was moved.
func (j *Jobs) stop(b *job, cause error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if b.id == "" {
		b.stopped = true
		b.cancel(cause)
	}
}
