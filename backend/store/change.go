package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// Rename gives a session the title that the user chose.
func (s *Store) Rename(ctx context.Context, id, title string) error {
	return s.mustChange(ctx, "rename", id, func(q *queries.Queries) (int64, error) {
		return q.RenameSession(ctx, queries.RenameSessionParams{Title: s.redactText(title), ID: id})
	})
}

// Retitle gives a session the title that a model found for it, unless it has had one
// from the user or a model.
func (s *Store) Retitle(ctx context.Context, id, title string) error {
	err := s.mustChange(ctx, "title", id, func(q *queries.Queries) (int64, error) {
		return q.TitleSession(ctx, queries.TitleSessionParams{Title: s.redactText(title), ID: id})
	})
	if errors.Is(err, ErrNotFound) {
		return nil // the user was quicker
	}
	return err
}

// SetGroupsOff keeps which groups of tools are switched off in a session, in place of
// those that were.
func (s *Store) SetGroupsOff(ctx context.Context, id string, groups []string) error {
	return s.mustChange(ctx, "switch the tools of", id, func(q *queries.Queries) (int64, error) {
		off, err := listOf(groups)
		if err != nil {
			return 0, err
		}
		return q.SetGroupsOff(ctx, queries.SetGroupsOffParams{GroupsOff: off, ID: id})
	})
}

// SetWorkspace keeps where the folder of a session lies by now.
func (s *Store) SetWorkspace(ctx context.Context, id, workspace string) error {
	return s.mustChange(ctx, "move", id, func(q *queries.Queries) (int64, error) {
		return q.SetWorkspace(ctx, queries.SetWorkspaceParams{Workspace: workspace, ID: id})
	})
}

// SetQueue keeps the prompts that wait in a session, in place of those that did.
func (s *Store) SetQueue(ctx context.Context, id string, queue []message.Prompt) error {
	return s.mustChange(ctx, "keep what waits in", id, func(q *queries.Queries) (int64, error) {
		text, err := s.encode(queue)
		if err != nil {
			return 0, err
		}
		return q.SetQueue(ctx, queries.SetQueueParams{Queue: text, ID: id})
	})
}

// SetNotices keeps what the next run of a session tells of, in place of what it was to.
func (s *Store) SetNotices(ctx context.Context, id string, notices []message.Notice) error {
	return s.mustChange(ctx, "keep what was noticed in", id, func(q *queries.Queries) (int64, error) {
		text, err := s.encode(notices)
		if err != nil {
			return 0, err
		}
		return q.SetNotices(ctx, queries.SetNoticesParams{Notices: text, ID: id})
	})
}

// Pin pins or unpins a session. One that is pinned is not archived any more.
func (s *Store) Pin(ctx context.Context, id string, on bool) error {
	return s.mustChange(ctx, "pin", id, func(q *queries.Queries) (int64, error) {
		return q.PinSession(ctx, queries.PinSessionParams{Pinned: intOf(on), ID: id})
	})
}

// Archive archives a session, or takes it out of the archive. One that is archived is not pinned any more.
func (s *Store) Archive(ctx context.Context, id string, on bool) error {
	return s.mustChange(ctx, "archive", id, func(q *queries.Queries) (int64, error) {
		return q.ArchiveSession(ctx, queries.ArchiveSessionParams{Archived: intOf(on), ID: id})
	})
}

func intOf(on bool) int64 {
	if on {
		return 1
	}
	return 0
}

// Hide takes a session out of the lists. What was said in it stays until Delete.
func (s *Store) Hide(ctx context.Context, id string, now time.Time) error {
	return s.mustChange(ctx, "delete", id, func(q *queries.Queries) (int64, error) {
		return q.HideSession(ctx, queries.HideSessionParams{HiddenAt: sql.NullInt64{Int64: now.UnixMilli(), Valid: true}, ID: id})
	})
}

// Restore brings a hidden session back into the lists. It gives ErrNotFound where
// none is hidden.
func (s *Store) Restore(ctx context.Context, id string) error {
	return s.mustChange(ctx, "restore", id, func(q *queries.Queries) (int64, error) { return q.RestoreSession(ctx, id) })
}

// Hidden lists the ids of the sessions that were hidden at a time or before.
func (s *Store) Hidden(ctx context.Context, until time.Time) ([]string, error) {
	ids, err := s.read.HiddenSessions(ctx, sql.NullInt64{Int64: until.UnixMilli(), Valid: true})
	if err != nil {
		return nil, fmt.Errorf("list deleted conversations: %w", s.explainError(err))
	}
	return ids, nil
}

// ErrInLog says that deleted words still stand in the log of the database.
var ErrInLog = errors.New("another Fairlead reads the conversations at this moment; " +
	"what was deleted stays in the log of the database until the last one ends")

// Delete deletes a session with everything that was said in it but what forks of it share, from the free pages
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
	runs, err := s.Runs(ctx, id)
	if err != nil {
		return errors.Join(err, unlock())
	}
	err = s.mustChange(ctx, "delete", id, func(q *queries.Queries) (int64, error) { return deleteSession(ctx, q, id) })
	if err := errors.Join(err, unlock()); err != nil {
		return err
	}
	err = os.Remove(filepath.Join(s.folder, locksName, id+".lock"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("delete the lock of conversation %s: %w", id, err)
	}
	if err := s.forget(ctx, runs); err != nil {
		return fmt.Errorf("delete conversation %s from the search index: %w", id, err)
	}
	return s.emptyLog(ctx)
}

// emptyLog empties the log of the database, in which deleted pages still stand.
func (s *Store) emptyLog(ctx context.Context) error {
	if err := s.acquireWriter(ctx.Done()); err != nil {
		return err
	}
	defer s.releaseWriter()
	for w := s.wait(ctx.Done(), patience); ; {
		var busy, inLog, moved int
		err := s.writer.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &inLog, &moved)
		switch {
		case err != nil:
			return s.explainError(err)
		case busy == 0:
			return nil
		case !w.goesOn():
			return ErrInLog
		}
	}
}

// mustChange does something in one durable transaction that must find the session.
func (s *Store) mustChange(ctx context.Context, verb, id string, do func(*queries.Queries) (int64, error)) error {
	err := s.write(s.wait(ctx.Done(), patience), firm, func(_ context.Context, q *queries.Queries) error {
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
