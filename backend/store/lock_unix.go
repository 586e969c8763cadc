//go:build unix

package store

import (
	"context"
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// passedOnTime is how long a lock may outlast the process that took it. A process that is killed
// while it starts a program has passed its locks on to that, until it begins.
const passedOnTime = 2 * time.Second

// holdLock is tryLock for a lock that is held for long: its file names the process that has it.
// Where that has ended, it waits for the lock.
func holdLock(folder, name string) (unlock func() error, err error) {
	unlock, err = tryLock(folder, name)
	if errors.Is(err, ErrLocked) && hasEnded(folder, name) {
		unlock, err = takeLock(folder, name, func(lock *flock.Flock) (bool, error) {
			ctx, stop := context.WithTimeoutCause(context.Background(), passedOnTime, ErrLocked)
			defer stop()
			taken, err := lock.TryLockContext(ctx, askAgain)
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return taken, err
		})
	}
	if err == nil {
		// Where the disk is full, nobody waits.
		_ = os.WriteFile(lockPath(folder, name), []byte(strconv.Itoa(os.Getpid())), 0o600)
	}
	return unlock, err
}

// hasEnded reports whether the process that took a lock last has ended, as far as can be known.
func hasEnded(folder, name string) bool {
	text, err := os.ReadFile(lockPath(folder, name))
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		return false
	}
	taker, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = taker.Release() }()
	return errors.Is(taker.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
