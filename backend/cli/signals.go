package cli

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"fairlead/backend/process"
)

// notice begins to take the signals that end the run, for the rest of the
// process's life.
func notice() <-chan os.Signal {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	// A reader that goes away is noticed by the write that fails, so that the
	// run can be ended in order. The signal would end the process at once, and
	// commands would inherit one that is ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return signals
}

// obeySignals cancels the run at work at the first interrupt and quits at the second,
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
