package store

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrNotFound says that there is no such session or run.
var ErrNotFound = errors.New("there is no such conversation")

// code is SQLite's primary result code of an error, 0 where it is none of SQLite's.
func code(err error) int {
	var fault *sqlite.Error
	if !errors.As(err, &fault) {
		return 0
	}
	const primary = 0xff
	return fault.Code() & primary
}

// errDamaged says that the database was looked over and is damaged.
var errDamaged = errors.New("the database is damaged")

// damaged says that an error means a damaged file.
func damaged(err error) bool {
	c := code(err)
	return errors.Is(err, errDamaged) || c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB
}

// hidesDamage reports whether an error may be what a damaged file looks like to somebody
// who does not know of it, and not what keeps a sound one from being opened.
func hidesDamage(err error) bool {
	if _, newer := errors.AsType[*NewerError](err); newer || damaged(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	switch code(err) {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT:
		return false
	}
	return true
}

// found notes that something was read that cannot be what was written, so that the whole
// database is looked at when it is next opened.
func (s *Store) found() {
	_ = s.noteDamage() // what was read is marked, whatever becomes of the note
}

// readable puts what a person can do about an error into words. Damage is noted, so
// that the whole database is looked at when it is next opened.
func (s *Store) readable(err error) error {
	if damaged(err) {
		note := s.noteDamage()
		return errors.Join(fmt.Errorf("the file of the conversations is damaged; start Fairlead anew, which saves what can be read: %w", err), note)
	}
	switch code(err) {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("the disk is full; make room on it, then go on: %w", err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("the disk cannot be written; see that it has room and works, then go on: %w", err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("the data folder cannot be written; see who owns it: %w", err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another Fairlead kept the conversations busy for %s: %w", patience, err)
	}
	return err
}
