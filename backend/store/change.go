package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fairlead/backend/store/queries"
)

// Rename gives a session the title that a person chose.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	return s.mustChange(ctx, "rename", id, func(q *queries.Queries) (int64, error) {
		return q.RenameSession(ctx, queries.RenameSessionParams{Title: s.hide(title), ID: id})
	})
}

// ErrInLog says that deleted words still stand in the log of the database.
var ErrInLog = errors.New("another Fairlead reads the conversations at this moment; " +
	"what was deleted stays in the log of the database until the last one ends")

// Delete deletes a session with everything that was said in it, from the free pages
// of the database and its log too. One that a process works on gives ErrLocked.
// ErrInLog says that the session is deleted, but its words are not gone yet.
func (s *Store) Delete(ctx context.Context, id string) error {
	// Only the id of a session can be part of a file's name.
	if _, err := s.Session(ctx, id); err != nil {
		return err
	}
	unlock, err := s.Lock(id)
	if err != nil {
		return err
	}
	err = s.mustChange(ctx, "delete", id, func(q *queries.Queries) (int64, error) { return q.DeleteSession(ctx, id) })
	if err := errors.Join(err, unlock()); err != nil {
		return err
	}
	err = os.Remove(filepath.Join(s.folder, locksName, id+".lock"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete the lock of conversation %s: %w", id, err)
	}
	return s.forget(ctx)
}

// forget empties the log of the database, in which deleted pages still stand.
func (s *Store) forget(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	var busy, inLog, moved int
	err := s.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &inLog, &moved)
	if err != nil {
		return s.readable(err)
	}
	if busy != 0 {
		return ErrInLog
	}
	return nil
}

// mustChange does something in one durable transaction that must find the session.
func (s *Store) mustChange(ctx context.Context, verb, id string, do func(*queries.Queries) (int64, error)) error {
	err := s.write(ctx, firm, func(_ context.Context, q *queries.Queries) error {
		n, err := do(q)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s conversation %s: %w", verb, id, err)
	}
	return nil
}
