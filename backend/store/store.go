// Package store keeps conversations in one SQLite database: sessions, their runs
// and messages, and the events of runs. What the user was shown is on the disk
// before it is shown (SPEC PART-03, ST-01).
//
// Several processes may have the database open. Each conversation has a lock
// (lock.go), which the process that works on it holds: a run without an end whose
// conversation nobody holds was cut off by a crash.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// databaseName is the database's file in the data folder.
const databaseName = "fairlead.db"

// Options are what a store is opened with.
type Options struct {
	// Folder is the data folder, which exists.
	Folder string
	// Redact hides known keys in JSON; it gives JSON of the same shape.
	Redact func([]byte) []byte
	// Display says what calls to a tool are about, so that they are found by it; nil for a tool that is
	// not known. Without it they are found by what they changed.
	Display func(toolName string) *message.Display
	// Tell is told that something takes long because another process has the database
	// locked; nil where nobody wants to know. It can be called from any goroutine.
	Tell func(string)
}

// Store is an open database. All its methods are safe for concurrent use.
type Store struct {
	folder string
	// path is the database's file.
	path   string
	redact func([]byte) []byte
	tell   func(string)
	// display is that of Options, and index finds texts.
	display func(toolName string) *message.Display
	index   searchIndex
	// writer has one connection, which works in mode. writing has a value for the length
	// of a write.
	writing chan struct{}
	// held reports whether the write waits for another process.
	held   atomic.Bool
	writer *sql.DB
	mode   synchronous
	// written are the statements prepared on writer, and preparing is at that.
	written   func() (*queries.Queries, error)
	preparing sync.WaitGroup
	files     files
	reader    *sql.DB
	read      *queries.Queries
	// looked is when the whole of it was found to be sound, the zero time if never.
	looked looked
	// readOnly reports whether nothing can be written. copied is the folder with the copy
	// that is read then; empty where there is none.
	readOnly bool
	copied   string
	// unlock gives up the lock that says that the database is open; nil where there is
	// none.
	unlock func() error
}

// Exists reports whether a data folder has a database.
func Exists(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, databaseName))
	return !errors.Is(err, fs.ErrNotExist) // else opening it says what is wrong
}

// Open opens the database of a data folder, and makes or updates it where that is
// necessary. A database that a newer Fairlead wrote gives a *NewerError. One that
// is damaged is set aside and what can be read of it is taken over; damage, which
// is nil otherwise, says so. Whatever else keeps it from being opened leaves it as it is.
func Open(ctx context.Context, o Options) (store *Store, damage *Damage, err error) {
	path := filepath.Join(o.Folder, databaseName)
	defer func() { err = explainAt(err, path) }()
	unlock, err := lockOpening(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if damage, err = finishSetAside(ctx, path); err != nil {
		return nil, nil, err
	}
	if store, err = openSound(ctx, o); !isDamage(err) {
		return store, damage, err
	}
	if damage, err = setAside(ctx, o, time.Now()); err != nil {
		return nil, nil, err
	}
	store, err = openSound(ctx, o)
	return store, damage, err
}

// openSound opens the database, if it is sound, and says to others that it is open.
func openSound(ctx context.Context, o Options) (store *Store, err error) {
	alone, err := isUnused(o.Folder)
	if err != nil {
		return nil, fmt.Errorf("open the conversations: %w", err)
	}
	unlock, err := tryShare(o.Folder, inUseName)
	if err != nil {
		return nil, fmt.Errorf("open the conversations: %w", err)
	}
	store, err = open(ctx, o, filepath.Join(o.Folder, databaseName), loadMigrations())
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	store.unlock = unlock
	if !alone {
		return store, nil // the process that has it open has looked at it, and it could not be set aside
	}
	if err := store.lookOver(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open the conversations in %s: %w", store.path, err), store.closeConnections())
	}
	return store, nil
}

// ReadOnly reports whether nothing can be written.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Close closes the database.
func (s *Store) Close() error {
	err := s.closeConnections()
	if s.readOnly && s.copied != "" {
		err = errors.Join(err, os.RemoveAll(s.copied))
	}
	if !s.readOnly {
		s.keepLook()
	}
	if err != nil {
		return fmt.Errorf("close the conversations: %w", err)
	}
	return nil
}

// open opens the connections to the database at path and brings its schema up to date.
func open(ctx context.Context, o Options, path string, schema schema) (*Store, error) {
	// SQLite gives the files beside it the same rights.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("open the conversations: %w", err)
	}
	s := &Store{folder: o.Folder, path: path, redact: o.Redact, tell: o.Tell, display: o.Display, writing: make(chan struct{}, 1)}
	err = s.connectBoth(ctx, schema)
	if err != nil && hidesDamage(err) {
		// SQLite stumbled over something else, and it is damage all the same.
		if found := s.checkDatabase(ctx, "integrity_check"); isDamage(found) {
			err = found
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the conversations in %s: %w", path, err), s.closeConnections())
	}
	return s, nil
}

func (s *Store) connectBoth(ctx context.Context, schema schema) (err error) {
	if s.reader, err = openConnection(s.path, true); err != nil {
		return err
	}
	if s.writer, err = openConnection(s.path, false); err != nil {
		return err
	}
	migrate := func() error { return schema.migrateDatabase(ctx, s.writer) }
	if err = s.wait(ctx.Done(), patience).retryLocked(migrate); err != nil {
		return err
	}
	if err = s.files.rememberFiles(s.path); err != nil {
		return err
	}
	// Nearly every write is one of a few statements, which would be read each time. That
	// takes long enough to be done beside what comes before the first write.
	s.written = sync.OnceValues(func() (*queries.Queries, error) { return queries.Prepare(context.Background(), s.writer) })
	s.preparing.Go(func() { _, _ = s.written() }) // the first write has the error
	s.mode = quick
	s.read = queries.New(s.reader)
	return nil
}

// closeConnections closes what was opened.
func (s *Store) closeConnections() error {
	var err error
	if s.written != nil {
		s.preparing.Wait()
		if written, failed := s.written(); failed == nil {
			err = written.Close()
		}
	}
	for _, db := range []*sql.DB{s.writer, s.reader} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	if s.index.open != nil {
		err = errors.Join(err, s.index.open.Close())
	}
	if s.unlock != nil {
		err = errors.Join(err, s.unlock())
	}
	return err
}
