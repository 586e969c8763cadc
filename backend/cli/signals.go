package cli

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"fairlead/backend/process"
)

// interrupts are the signals that end the program: with the exit code of a cancel, also
// before there is a run to cancel.
type interrupts struct {
	signals chan os.Signal
	// taken is closed when a run takes them over, or nothing is left to end.
	taken   chan struct{}
	release func()

	mu sync.Mutex
	// undo is done before the program ends; nil for nothing.
	undo func()
}

// beforeEnd has something done before the program ends by a signal; nil for nothing any more.
func (i *interrupts) beforeEnd(undo func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.undo = undo
}

// noticeInterrupts takes the signals from now on.
func noticeInterrupts() *interrupts {
	i := &interrupts{signals: make(chan os.Signal, 2), taken: make(chan struct{})}
	i.release = sync.OnceFunc(func() { close(i.taken) })
	signal.Notify(i.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		select {
		case <-i.signals:
			process.KillAll()
			i.mu.Lock()
			if i.undo != nil {
				i.undo()
			}
			os.Exit(exitCancelled)
		case <-i.taken:
		}
	}()
	return i
}

// takeSignals gives the signals to a run, for the rest of the process's life.
func (i *interrupts) takeSignals() <-chan os.Signal {
	i.release()
	// A reader that goes away is noticed by the write that fails, so that the
	// run can be ended in order. The signal would end the process at once, and
	// commands would inherit one that is ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return i.signals
}

// obeySignals cancels the current run at the first interrupt and quits at the second,
// or when the end takes too long: a line to a standard error that nobody reads would
// take for ever.
func obeySignals(signals <-chan os.Signal, cancel func() error) {
	<-signals
	_ = cancel() // the run may have ended in this moment
	select {
	case <-signals:
	case <-time.After(quitTime):
	}
	process.KillAll()
	os.Exit(exitCancelled)
}
