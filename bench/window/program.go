package window

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"github.com/jezek/xgb/xproto"
)

const (
	// startTime is the most that a window may take until it shows something.
	startTime = time.Minute
	// endTime is the most that it may take to close.
	endTime = 20 * time.Second
)

// program is one that opens a window.
type program struct {
	name, path string
	// variables are added to its environment.
	variables []string
}

// inFolder is the program with its own files in a folder.
func (p program) inFolder(data string) program {
	// A question for a title would be measured as a part of the run.
	p.variables = []string{"FAIRLEAD_DATA_DIR=" + data, "FAIRLEAD_MODEL_TITLES=false"}
	return p
}

// opened is a program whose window shows something.
type opened struct {
	program
	command *exec.Cmd
	window  xproto.Window
	// paint is how long that took from its start.
	paint   time.Duration
	trouble *bytes.Buffer
}

// open starts a program and waits until its window shows something.
func (p program) open(ctx context.Context, d *desktop, s *screen) (*opened, error) {
	o := &opened{program: p, trouble: &bytes.Buffer{}}
	o.command = exec.CommandContext(ctx, p.path)
	o.command.Env = d.environmentWith(p.variables...)
	o.command.Stderr = o.trouble
	o.command.Cancel = func() error { return o.command.Process.Signal(syscall.SIGTERM) }
	o.command.WaitDelay = endTime
	ctx, stop := context.WithTimeout(ctx, startTime)
	defer stop()
	began := time.Now()
	if err := o.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	window, at, err := s.firstPaint(ctx, o.processID())
	if err != nil {
		return nil, o.failedError(err)
	}
	o.window, o.paint = window, at.Sub(began)
	return o, nil
}

func (o *opened) processID() int { return o.command.Process.Pid }

// failedError adds to an error what the program said, and closes it.
func (o *opened) failedError(err error) error {
	return errors.Join(fmt.Errorf("%s: %w", o.name, err), o.close())
}

// close ends the program as the system does at the end of a session.
func (o *opened) close() error {
	killer := time.AfterFunc(endTime, func() { _ = o.command.Process.Kill() })
	defer killer.Stop()
	_ = o.command.Process.Signal(syscall.SIGTERM) // it may have ended, which Wait tells
	if err := o.command.Wait(); err != nil {
		// A program that crashed says a lot; the beginning tells why.
		said := bytes.TrimSpace(o.trouble.Bytes())
		return fmt.Errorf("close %s: %w: %s", o.name, err, said[:min(len(said), 2000)])
	}
	return nil
}
