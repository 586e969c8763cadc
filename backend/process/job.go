package process

import (
	"errors"
	"time"

	"fairlead/backend/message"
)

// Job is how a command of a session is.
type Job struct {
	// ID is p1, p2, … in the order in which commands were moved to the background; empty
	// for one in the foreground.
	ID string
	// CallID is the call that started it.
	CallID string
	// Command is its command line.
	Command string
	// Level is what the system promises of its confinement.
	Level message.Level
	// Network says that it has the network.
	Network bool
	// Background says that nobody waits for it.
	Background bool
	// Running says that it has not ended.
	Running bool
	// StartedAt is when it began, EndedAt when it ended; zero while it runs.
	StartedAt, EndedAt time.Time
	// ExitCode is the exit code of the shell, -1 when a signal ended it, or when that
	// is not known; 0 while it runs.
	ExitCode int
	// Signal names the signal that ended the shell, such as SIGKILL.
	Signal string
	// Limit says at which limit the command was ended; empty for one that was not.
	Limit string
	// Exceeded is that limit for programs; nil for none.
	Exceeded *message.Exceeded
	// Failed says why the command was not run; empty for one that was.
	Failed string
}

// job is a command of a session. The fields below the line are guarded by the lock
// of its Jobs.
type job struct {
	*execution
	callID  string
	command Command
	started time.Time
	// moved is closed when a command in the foreground is moved to the background.
	moved chan struct{}

	// id is empty in the foreground.
	id string
	// before is what it wrote up to when it was moved.
	before Text
	// stopped says that a command in the foreground was told to end, so that it can
	// no longer be moved.
	stopped bool
	// over says that it has ended, and when that was.
	over  bool
	ended time.Time
	// forget is what forgets it after a while.
	forget *time.Timer
}

// currentState says how the job is. The caller holds the lock.
func (b *job) currentState() Job {
	shown := Job{
		ID: b.id, CallID: b.callID, Command: b.command.Line, Level: b.command.Level, Network: b.command.Network,
		Background: b.id != "", Running: !b.over, StartedAt: b.started, EndedAt: b.ended,
	}
	if !b.over {
		return shown
	}
	shown.ExitCode, shown.Signal = b.code, b.signal
	shown.Limit, shown.Exceeded = b.limitsReached()
	if b.cut == nil && b.err != nil && !errors.Is(b.err, ErrUnknown) {
		shown.Failed = b.err.Error()
	}
	return shown
}
