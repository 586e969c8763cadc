package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// patience is how long is waited for another process that has the database locked,
	// where nobody can cancel that.
	patience = 20 * time.Second
	// slice is how long SQLite waits for a lock at a time.
	slice = 250 * time.Millisecond
	// tellAfter is how long is waited in silence.
	tellAfter = 2 * time.Second
)

// busyTimeout is SQLite's setting for how long it waits for a lock.
func busyTimeout(d time.Duration) string {
	return "busy_timeout=" + strconv.FormatInt(d.Milliseconds(), 10)
}

// locked is what is said of a lock that is waited for.
const locked = "another program keeps the file of the conversations locked; Fairlead waits for it"

// wait is a wait for a lock.
type wait struct {
	tell  func(string) // nil where nobody wants to know
	begun time.Time
	told  bool
	// canceled ends the wait, and so does most, unless it is 0.
	canceled <-chan struct{}
	most     time.Duration
}

func (s *Store) wait(canceled <-chan struct{}, most time.Duration) *wait {
	return &wait{tell: s.tell, begun: time.Now(), canceled: canceled, most: most}
}

// goesOn reports whether it is tried again. It says so once when it has taken long.
func (w *wait) goesOn() bool {
	waited := time.Since(w.begun)
	if waited >= tellAfter && !w.told && w.tell != nil {
		w.tell(locked)
		w.told = true
	}
	select {
	case <-w.canceled:
		return false
	default:
		return w.most == 0 || waited < w.most
	}
}

// retryLocked does something again and again until it meets no lock or the wait has ended.
func (w *wait) retryLocked(do func() error) error {
	for {
		if err := do(); sqliteCode(err) != sqlite3.SQLITE_BUSY || !w.goesOn() {
			return err
		}
	}
}

// errQueued is a write that would have to wait for one that waits for a lock.
var errQueued = errors.New("another conversation waits for it too")

// acquireWriter waits for the writes of this process. A cancel ends the wait for one that
// itself waits for a lock, and not for one that is written.
func (s *Store) acquireWriter(canceled <-chan struct{}) error {
	select {
	case s.writing <- struct{}{}:
		return nil
	case <-canceled:
	}
	for {
		select {
		case s.writing <- struct{}{}:
			return nil
		case <-time.After(slice):
			if s.held.Load() {
				return &FaultError{lockedRemedy, errQueued}
			}
		}
	}
}

func (s *Store) releaseWriter() { <-s.writing }

// beginTransaction begins a transaction, which has the lock of the database.
func (s *Store) beginTransaction(w *wait) (*sql.Tx, error) {
	defer s.held.Store(false)
	for {
		tx, err := s.writer.BeginTx(context.Background(), nil) // it ends with the wait
		s.held.Store(sqliteCode(err) == sqlite3.SQLITE_BUSY)
		if sqliteCode(err) != sqlite3.SQLITE_BUSY || !w.goesOn() {
			return tx, err
		}
	}
}
