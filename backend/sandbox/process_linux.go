package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fairlead/backend/sandbox/supervisor"
)

// Process is a command that was started.
type Process struct {
	control *os.File
	done    chan struct{}
	report  supervisor.Report
	err     error
	// ended is closed with the last report. over is set where it was ended for what the guard
	// does not see.
	ended chan struct{}
	over  atomic.Pointer[LimitError]
	// begun is called once it begins; nil for nothing.
	begun func() error
	// running is closed once it begins: what the guard is told before that is not an order.
	running chan struct{}
	// protecting is held while an answer to OrderProtect is waited for, which comes on answers.
	protecting sync.Mutex
	answers    chan string

	mu sync.Mutex // held while an order is sent
}

// errEnded reports that there is nothing left to be kept from files.
var errEnded = errors.New("it has ended")

// newProcess is the command of a guard.
func newProcess(control int) *Process {
	return &Process{control: os.NewFile(uintptr(control), "control"), done: make(chan struct{}), ended: make(chan struct{}), answers: make(chan string, 1), running: make(chan struct{})}
}

// followReports reads what becomes of a command. told is the error of telling the guard about it.
func (p *Process) followReports(told error) {
	if told != nil {
		p.err = &SetUpError{fmt.Errorf("tell the guard what to run: %w", told)}
	}
	defer close(p.ended)
	// A guard that failed has said why, even if it did not read what it was told.
	err := supervisor.Read(p.control, &p.report)
	if err == nil && p.report.Begun {
		p.report = supervisor.Report{}
		close(p.running)
		if p.begun != nil {
			if err := p.begun(); err != nil {
				p.report, p.err = supervisor.Report{Code: -1}, &SetUpError{err}
				return
			}
		}
		if p.readLast() != nil {
			p.report, p.err = supervisor.Report{Code: -1}, ErrUnknown
			return
		}
	}
	if err != nil {
		if p.err == nil {
			p.err = &SetUpError{fmt.Errorf("the guard ended without a word: %w", err)}
		}
		return
	}
	p.err = nil
	if p.report.Failed != "" {
		p.err = &SetUpError{&guardError{p.report.Failed, syscall.Errno(p.report.Errno)}}
	}
	if over := p.report.Exceeded; over != nil {
		p.err = &LimitError{
			Memory: over.Memory, MostMemory: over.MostMemory, Processes: over.Processes, MostProcesses: over.MostProcesses,
			Processor: time.Duration(over.Processor), MostProcessor: time.Duration(over.MostProcessor), //nolint:gosec // the guard's
		}
	}
	if over := p.over.Load(); over != nil {
		p.err = over
	}
}

// readLast reads the last report, and passes on what comes before it.
func (p *Process) readLast() error {
	for {
		var report supervisor.Report
		if err := supervisor.Read(p.control, &report); err != nil {
			return err
		}
		if !report.Protected {
			p.report = report
			return nil
		}
		p.answers <- report.Failed
	}
}

// protect has the guard keep from the command what it has to be kept from now.
func (p *Process) protect(ctx context.Context, protection supervisor.Protection) error {
	select {
	case <-p.running:
	case <-p.ended:
		return errEnded
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.protecting.Lock()
	defer p.protecting.Unlock()
	p.mu.Lock()
	_, err := p.control.Write([]byte{supervisor.OrderProtect})
	if err == nil {
		err = supervisor.Write(p.control, &protection)
	}
	p.mu.Unlock()
	if err != nil {
		return fmt.Errorf("tell the guard: %w", err)
	}
	select {
	case failed := <-p.answers:
		if failed != "" {
			return errors.New(failed)
		}
		return nil
	case <-p.ended:
		return errEnded
	case <-ctx.Done():
		// The answer is not one to the next order.
		p.Kill()
		return context.Cause(ctx)
	}
}

// Done is closed when the command and all it started have ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Result returns how the command ended, once it is done. An error is a *SetUpError: the
// command was not run; ErrUnknown: it may have run, in part or to its end; or a
// *LimitError: it was ended, and code and signal say how.
func (p *Process) Result() (code int, signal syscall.Signal, err error) {
	return p.report.Code, syscall.Signal(p.report.Signal), p.err
}

// Opened lists those of Command.Cover that the command has read, files, or listed, folders, once
// it is done.
func (p *Process) Opened() []string { return p.report.Opened }

// Terminate asks all processes of the command to end.
func (p *Process) Terminate() { p.sendOrder(supervisor.OrderTerminate) }

// Kill kills them.
func (p *Process) Kill() { p.sendOrder(supervisor.OrderKill) }

func (p *Process) sendOrder(order byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = p.control.Write([]byte{order}) // it may have ended
}

// guardError is what went wrong in a guard.
type guardError struct {
	text  string
	errno syscall.Errno
}

func (e *guardError) Error() string { return e.text }

func (e *guardError) Unwrap() error { return e.errno }
