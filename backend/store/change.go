package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend/store/queries"
)

// Rename gives a session another title, unless one of more weight has given it one
// already (Titler).
func (s *Store) Rename(ctx context.Context, id, title string, by Titler) error {
	_, err := s.changed(ctx, "rename", id, func(q *queries.Queries) (int64, error) {
		return q.RenameSession(ctx, queries.RenameSessionParams{Title: s.hide(title), TitledBy: int64(by), ID: id})
	})
	return err
}

// Hide takes a session out of the lists, until it is shown again or deleted.
func (s *Store) Hide(ctx context.Context, id string) error {
	return s.mustChange(ctx, "delete", id, func(q *queries.Queries) (int64, error) {
		return q.HideSession(ctx, queries.HideSessionParams{DeletedAt: sql.NullInt64{Int64: time.Now().UnixMilli(), Valid: true}, ID: id})
	})
}

// Show brings a hidden session back.
func (s *Store) Show(ctx context.Context, id string) error {
	return s.mustChange(ctx, "bring back", id, func(q *queries.Queries) (int64, error) { return q.ShowSession(ctx, id) })
}

// Delete deletes a session with everything that was said in it, from the free pages
// of the database and its log too. One that a process works on gives ErrLocked.
func (s *Store) Delete(ctx context.Context, id string) error {
	unlock, err := s.Lock(id)
	if err != nil {
		return err
	}
	err = s.mustChange(ctx, "delete", id, func(q *queries.Queries) (int64, error) { return q.DeleteSession(ctx, id) })
	if err == nil {
		err = s.forget(ctx)
	}
	if err := errors.Join(err, unlock()); err != nil {
		return fmt.Errorf("delete conversation %s: %w", id, err)
	}
	err = os.Remove(filepath.Join(s.folder, locksName, id+".lock"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete conversation %s: %w", id, err)
	}
	return nil
}

// Hidden lists the sessions that were hidden before a time.
func (s *Store) Hidden(ctx context.Context, before time.Time) ([]string, error) {
	ids, err := s.read.HiddenSessions(ctx, sql.NullInt64{Int64: before.UnixMilli(), Valid: true})
	if err != nil {
		return nil, fmt.Errorf("list deleted conversations: %w", readable(err))
	}
	return ids, nil
}

// forget empties the log of the database, in which deleted pages still stand.
func (s *Store) forget(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	var busy, inLog, moved int
	err := s.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &inLog, &moved)
	if err != nil {
		return readable(err)
	}
	if busy != 0 {
		return errors.New("another Fairlead reads the conversations; what was said stays in the log of the database until the last one ends")
	}
	return nil
}

func (s *Store) mustChange(ctx context.Context, verb, id string, do func(*queries.Queries) (int64, error)) error {
	n, err := s.changed(ctx, verb, id, do)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s conversation %s: %w", verb, id, ErrNotFound)
	}
	return err
}

// changed does something in one durable transaction and returns how many rows it
// changed.
func (s *Store) changed(ctx context.Context, verb, id string, do func(*queries.Queries) (int64, error)) (n int64, err error) {
	err = s.write(ctx, firm, func(_ context.Context, q *queries.Queries) error {
		n, err = do(q)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("%s conversation %s: %w", verb, id, err)
	}
	return n, nil
}
