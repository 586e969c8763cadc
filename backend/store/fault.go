package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"fairlead/backend/message"
)

// ErrNotFound says that there is no such session or run.
var ErrNotFound = errors.New("there is no such conversation")

// sqliteCode is SQLite's primary result code of an error, 0 where it is none of SQLite's.
func sqliteCode(err error) int {
	var fault *sqlite.Error
	if !errors.As(err, &fault) {
		return 0
	}
	const primary = 0xff
	return fault.Code() & primary
}

// errDamaged says that the database was looked over and is damaged.
var errDamaged = errors.New("the database is damaged")

// isDamage reports whether an error means a damaged file. One that ends within a page is
// damaged; a disk that cannot be read is told by other codes.
func isDamage(err error) bool {
	if fault, ok := errors.AsType[*sqlite.Error](err); ok && fault.Code() == sqlite3.SQLITE_IOERR_SHORT_READ {
		return true
	}
	c := sqliteCode(err)
	return errors.Is(err, errDamaged) || c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB
}

// hidesDamage reports whether an error may be what a damaged file looks like to somebody
// who does not know of it, and not what keeps a sound one from being opened.
func hidesDamage(err error) bool {
	if _, newer := errors.AsType[*NewerError](err); newer || isDamage(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_CANTOPEN,
		sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT:
		return false
	}
	return true
}

// FaultError is a database that could not be opened, read or written.
type FaultError struct {
	// Remedy says what is wrong and what the user can do about it.
	Remedy string
	// Err is what went wrong, in the words of the code that found it.
	Err error
}

func (e *FaultError) Error() string { return e.Remedy + ": " + e.Err.Error() }

// Unwrap gives what went wrong.
func (e *FaultError) Unwrap() error { return e.Err }

// FailCode is the code of a run that ends so.
func (e *FaultError) FailCode() message.FailCode { return message.CodeStorage }

// explainError puts what the user can do about an error into words. Damage is noted, so that
// the whole database is looked at when it is next opened.
func (s *Store) explainError(err error) error {
	if isDamage(err) {
		err = errors.Join(err, s.noteDamage())
	}
	return explainAt(err, s.path)
}

// explainAt puts what the user can do about an error of the database at path into words.
func explainAt(err error, path string) error {
	if _, done := errors.AsType[*FaultError](err); err == nil || done {
		return err
	}
	if remedy := remedyOf(err, path); remedy != "" {
		return &FaultError{remedy, err}
	}
	return err
}

func remedyOf(err error, path string) string {
	if isDamage(err) {
		return "the file of the conversations is damaged; start Fairlead anew, which saves what can be read"
	}
	if errors.Is(err, errGone) {
		return "the file of the conversations was deleted or replaced while it was in use; see what became of it, then start Fairlead anew"
	}
	if remedy := systemRemedy(err); remedy != "" {
		return remedy
	}
	// Of some faults SQLite does not say why: what it would make is tried.
	switch sqliteCode(err) {
	case sqlite3.SQLITE_FULL:
		return noSpace
	case sqlite3.SQLITE_IOERR:
		if remedy := systemRemedy(tryFile(filepath.Dir(path))); remedy != "" {
			return remedy
		}
		return "the disk cannot be read or cannot be written; see that it has space and works, then go on"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return noRights
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return lockedRemedy
	case sqlite3.SQLITE_NOMEM:
		return "there is no memory left; close other programs, then go on"
	case sqlite3.SQLITE_CANTOPEN:
		if remedy := systemRemedy(tryFile(filepath.Dir(path))); remedy != "" {
			return remedy
		}
		return "the file of the conversations cannot be opened; see who owns it and those beside it"
	}
	return ""
}

const (
	noSpace      = "the disk is full, or it has no free inodes; make space on it, then go on"
	lockedRemedy = "another program keeps the file of the conversations locked; close it, then go on"
	noRights     = "the data folder cannot be written; see who owns it, and whether its disk is read-only"
)

// systemRemedy is what the user can do about an error of the system; empty for any other.
func systemRemedy(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return noSpace
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "too many files are open; close other programs, or raise the limit (ulimit -n), then go on"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return noRights
	case errors.Is(err, syscall.EIO):
		return "the disk cannot be read or cannot be written; see that it works, then go on"
	}
	return ""
}

// tryFile finds out why no file can be made in a folder; nil where one can be. It is as
// large as what SQLite makes beside a database.
func tryFile(folder string) error {
	const size = 64 << 10
	file, err := os.CreateTemp(folder, databaseName+".try-*")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, size))
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// noteFoundDamage notes that something was read that cannot be what was written, so that the whole
// database is looked at when it is next opened.
func (s *Store) noteFoundDamage() {
	_ = s.noteDamage() // what was read is marked, whatever becomes of the note
}
