// Package store keeps conversations in one SQLite database: sessions, their runs
// and messages, and the events and decisions of runs. What a person was shown is
// on the disk before it is shown (SPEC PART-03, ST-01).
//
// Several processes may have the database open. Each conversation has a lock
// (lock.go), which whoever works on it holds: a run without an end whose
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
	"time"

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
}

// Store is an open database. All its methods are safe for concurrent use.
type Store struct {
	folder string
	redact func([]byte) []byte
	// writer has one connection, which works in mode. writing is held for the length of
	// a write.
	writing sync.Mutex
	writer  *sql.DB
	mode    synchronous
	written *queries.Queries // prepared on writer
	reader  *sql.DB
	read    *queries.Queries
}

// Exists says whether a data folder has a database.
func Exists(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, databaseName))
	return !errors.Is(err, fs.ErrNotExist) // else opening it says what is wrong
}

// Open opens the database of a data folder, and makes or updates it where that is
// necessary. A database that a newer Fairlead wrote gives a *NewerError. One that
// is damaged is set aside and what can be read of it is taken over; damage, which
// is nil otherwise, says so.
func Open(ctx context.Context, o Options) (store *Store, damage *Damage, err error) {
	unlock, err := lockOpening(ctx, o.Folder)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	path := filepath.Join(o.Folder, databaseName)
	if store, err = open(ctx, o, migrations()); !damaged(err) {
		return store, nil, err
	}
	if damage, err = setAside(path, time.Now()); err != nil {
		return nil, nil, err
	}
	if store, err = open(ctx, o, migrations()); err != nil {
		return nil, damage, err
	}
	damage.Saved = store.salvage(ctx, damage.Path)
	return store, damage, nil
}

// Close closes the database.
func (s *Store) Close() error {
	if err := errors.Join(s.written.Close(), s.writer.Close(), s.reader.Close()); err != nil {
		return fmt.Errorf("close the conversations: %w", err)
	}
	return nil
}

// open opens the connections and brings the schema up to date.
func open(ctx context.Context, o Options, schema schema) (*Store, error) {
	path := filepath.Join(o.Folder, databaseName)
	// SQLite gives the files beside it the same rights.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("open the conversations: %w", err)
	}
	s := &Store{folder: o.Folder, redact: o.Redact}
	if err := s.connect(ctx, path, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("open the conversations in %s: %w", path, err), s.abandon())
	}
	return s, nil
}

func (s *Store) connect(ctx context.Context, path string, schema schema) (err error) {
	if s.writer, err = connection(path, false); err != nil {
		return err
	}
	if err = schema.bring(ctx, s.writer); err != nil {
		return err
	}
	// Nearly every write is one of a few statements, which would be read each time.
	if s.written, err = queries.Prepare(ctx, s.writer); err != nil {
		return err
	}
	s.mode = quick
	if s.reader, err = connection(path, true); err != nil {
		return err
	}
	s.read = queries.New(s.reader)
	// What is damaged shows at the first look, as a rule.
	if _, err := s.read.RunsAtWork(ctx); err != nil {
		return err
	}
	return s.lookOver(ctx)
}

// abandon closes what was opened.
func (s *Store) abandon() error {
	var err error
	if s.written != nil {
		err = s.written.Close()
	}
	for _, db := range []*sql.DB{s.writer, s.reader} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}
