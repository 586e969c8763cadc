// Package process runs command lines of the system's shell: with the whole
// process tree under control, a small fixed environment, no input, and an
// output that stays bounded however much a program writes.
//
// A command is not confined: it can do what the person who runs Fairlead can.
package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

const (
	// grace is what the processes of a cancelled command get to clean up, such
	// as to remove a lock file, between being asked to end and being killed.
	grace = 50 * time.Millisecond
	// killed is how long a killed shell may take to go. One that waits inside
	// the kernel for a dead disk takes longer and is left behind.
	killed = 300 * time.Millisecond
	// drain is how long output is awaited once the shell has ended: only a
	// process that left the tree can still hold the pipe then.
	drain = 500 * time.Millisecond
	// drainCancelled is the same after a cancel, which has to be quick.
	drainCancelled = 30 * time.Millisecond
)

// Command is one command line to run.
type Command struct {
	// Line is what the shell is given: sh -c on Unix, cmd.exe /d /s /c on Windows.
	Line string
	// Dir is the folder the command starts in.
	Dir string
	// Env is the whole environment as KEY=value; nil means Environment().
	Env []string
	// Spill opens the place that takes the whole text of an output too long for
	// Exit. It is called at most once, and only for such an output; nil means
	// that what does not fit is lost.
	Spill func() (io.WriteCloser, error)
	// Output takes the text as it comes, one call at a time and at most 20 a
	// second; of a program that writes faster than 16 KiB a call, the newest
	// text. It should return quickly, a cancel waits for it. May be nil.
	Output func(text string)
}

// Exit is what became of a command.
type Exit struct {
	// Code is the exit code, -1 when a signal ended the shell or the command was
	// cut short.
	Code int
	// Signal names the signal that ended the shell, such as SIGKILL.
	Signal string
	// Text is what the command wrote.
	Text Text
}

// Run runs a command to its end and returns what it wrote, standard output and
// standard error in the order written, and how it ended. A command that fails is
// no error. When ctx ends first, the tree is asked to end, killed 50 ms later,
// and Run returns the output so far with the cause of ctx.
//
// Nothing of the tree outlives Run: what the shell left in the background is
// killed when the shell ends. A process that made a session of its own is out of
// reach, but it delays Run by half a second at most.
func Run(ctx context.Context, c Command) (Exit, error) {
	if ctx.Err() != nil {
		return Exit{Code: -1}, context.Cause(ctx)
	}
	tree, pipe, err := start(c)
	if err != nil {
		return Exit{Code: -1}, fmt.Errorf("start shell in %s: %w", c.Dir, err)
	}
	keep(tree)
	live := newLive(c.Output)
	record := newRecord(c.Spill)
	read, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		copyOutput(pipe, record, live)
	}()
	go func() {
		defer close(ended)
		tree.await()
	}()

	cause := watch(ctx, ended, live)
	if cause != nil {
		tree.terminate()
		within(grace, ended, read)
	}
	tree.kill()
	forget(tree)
	exit := Exit{Code: -1}
	if within(killed, ended) {
		exit.Code, exit.Signal = tree.reap()
	} else {
		go func() {
			<-ended
			tree.reap()
		}()
	}
	finish(ctx, pipe, read)
	live.flush()
	exit.Text = record.text()
	if cause != nil {
		exit.Code, exit.Signal = -1, ""
	}
	return exit, cause
}

// watch passes the output on until the shell ends, or ctx does: then it returns
// the cause.
func watch(ctx context.Context, ended <-chan struct{}, live *live) error {
	var due <-chan time.Time
	for {
		select {
		case <-live.fresh:
			due = time.After(live.wait())
		case <-due:
			live.flush()
		case <-ended:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// finish waits for the end of the output, but not for ever: closing the pipe
// ends the reading of one that a process outside the tree holds open.
func finish(ctx context.Context, pipe *os.File, read <-chan struct{}) {
	limit := drain
	if ctx.Err() != nil {
		limit = drainCancelled
	}
	stop := time.NewTimer(limit)
	defer stop.Stop()
	select {
	case <-read:
	case <-stop.C:
	case <-ctx.Done():
		within(drainCancelled, read)
	}
	pipe.Close()
	<-read
}

// within says whether all the channels are closed before the time is over.
func within(limit time.Duration, all ...<-chan struct{}) bool {
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

// copyOutput reads the pipe to its end or until it is closed. Both ends look the
// same here: what was read is all there is.
func copyOutput(pipe io.Reader, record *record, live *live) {
	text := newCleaner(func(text []byte) {
		record.add(text)
		live.add(text)
	})
	out := decoder(text)
	buffer := make([]byte, 32<<10)
	for {
		n, err := pipe.Read(buffer)
		record.raw += int64(n)
		// Neither the decoder nor the cleaner can fail to write.
		_, _ = out.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	_ = out.Close()
	text.end()
	record.close()
}
