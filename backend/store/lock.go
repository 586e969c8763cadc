package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked says that somebody else has the lock.
var ErrLocked = errors.New("another Fairlead works on it")

const (
	// locksName is the folder of the locks in the data folder.
	locksName = "locks"
	// openingName is the lock of opening the database: two processes that begin at
	// the same time must not both make it.
	openingName = "opening"
	// inUseName is the lock that all processes share that have the database open: the one
	// that sets it aside needs it alone.
	inUseName = "open"
	// windowName is the lock of the window.
	windowName = "window"
	// openingTime is how long another process may take to open the database, and
	// askAgain how often it is looked whether it is done.
	openingTime = 30 * time.Second
	askAgain    = 10 * time.Millisecond
)

// Lock takes the lock of a conversation, which the system gives back when the
// process ends, however it ends. It gives ErrLocked while another has it.
func (s *Store) Lock(sessionID string) (unlock func() error, err error) {
	if unlock, err = holdLock(s.folder, sessionID+".lock"); err != nil {
		return nil, fmt.Errorf("lock conversation %s: %w", sessionID, err)
	}
	return unlock, nil
}

// LockWindow takes the lock of the one window that works on a data folder. It gives
// ErrLocked while another has it.
func LockWindow(folder string) (unlock func() error, err error) {
	if unlock, err = holdLock(folder, windowName); err != nil {
		return nil, fmt.Errorf("lock the window: %w", err)
	}
	return unlock, nil
}

func lockPath(folder, name string) string { return filepath.Join(folder, locksName, name) }

// tryLock takes a lock for this process alone. It gives ErrLocked while another has it.
func tryLock(folder, name string) (unlock func() error, err error) {
	return takeLock(folder, name, (*flock.Flock).TryLock)
}

// tryShare takes a lock that others may have too. It gives ErrLocked while another has
// it alone.
func tryShare(folder, name string) (unlock func() error, err error) {
	return takeLock(folder, name, (*flock.Flock).TryRLock)
}

// isUnused reports whether no process has the database open. The caller has the lock of
// opening it.
func isUnused(folder string) (bool, error) {
	unlock, err := tryLock(folder, inUseName)
	if errors.Is(err, ErrLocked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, unlock()
}

func takeLock(folder, name string, try func(*flock.Flock) (bool, error)) (unlock func() error, err error) {
	lock, err := lockFile(folder, name)
	if err != nil {
		return nil, err
	}
	taken, err := try(lock)
	if err == nil && !taken {
		err = ErrLocked
	}
	if err != nil {
		return nil, err
	}
	return lock.Unlock, nil
}

// errOpening is another process that does not get done with opening the database.
var errOpening = errors.New("another Fairlead has been opening them all the while; see whether it hangs, end it, then start again")

// lockOpening takes the lock of opening the database.
func lockOpening(ctx context.Context, o Options) (unlock func() error, err error) {
	lock, err := lockFile(o.Folder, openingName)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, openingTime, errOpening)
	defer stop()
	if o.Tell != nil {
		long := time.AfterFunc(tellAfter, func() { o.Tell("another Fairlead is opening the conversations; this one waits for it") })
		defer long.Stop()
	}
	if _, err := lock.TryLockContext(ctx, askAgain); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("open the conversations in %s: %w", o.Folder, err)
	}
	return lock.Unlock, nil
}

func lockFile(folder, name string) (*flock.Flock, error) {
	path := lockPath(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the locks: %w", err)
	}
	return flock.New(path, flock.SetPermissions(0o600)), nil
}
