package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// A fork is a session that begins with the first runs of another one, its parent. These are not
// copied: its own have the numbers after them. When the parent is deleted, they become the fork's.

// Fork adds a session to be saved, with its id, its parent, its title and its notices, that begins with what
// the parent held before a run, which need not be one of its own, or with all of it where none is named. It
// gives ErrNotFound where there is no such run.
func (s *Store) Fork(ctx context.Context, fork Session, runID string, now time.Time) error {
	notices, err := s.encode(fork.Notices)
	if err != nil {
		return fmt.Errorf("fork conversation %s: %w", fork.Parent, err)
	}
	err = s.write(s.wait(ctx.Done(), patience), firm, func(ctx context.Context, q *queries.Queries) error {
		runs, err := q.RunsOf(ctx, fork.Parent)
		if err != nil {
			return err
		}
		at := len(runs)
		if runID != "" {
			at = slices.IndexFunc(runs, func(r queries.Run) bool { return r.ID == runID })
		}
		if at < 0 {
			return ErrNotFound
		}
		added := queries.AddForkParams{
			ID: fork.ID, ParentID: fork.Parent, Title: s.redactText(fork.Title), Now: now.UnixMilli(),
			Reason: string(message.ReasonCompleted), Notices: notices,
		}
		if runID == "" {
			added.Messages, err = q.LastMessage(ctx, fork.Parent)
		} else {
			added.Messages, err = q.MessagesBeforeRun(ctx, runID)
		}
		if err != nil {
			return err
		}
		if at > 0 && added.Messages == 0 {
			return ErrNotFound // what was said in it is lost
		}
		if at > 0 { // it has what the one before left, whose session is nearest
			before := runs[at-1]
			added.ParentID, added.Runs = before.SessionID, before.Number
			added.Reason = cmp.Or(before.Reason.String, added.Reason)
		}
		return q.AddFork(ctx, added)
	})
	if err != nil {
		return fmt.Errorf("fork conversation %s: %w", fork.Parent, err)
	}
	return nil
}

// deleteSession deletes a session. What it shares with forks becomes that of the one that has most
// of it, and the others are forks of that one then.
func deleteSession(ctx context.Context, q *queries.Queries, id string) (int64, error) {
	forks, err := q.ForksOf(ctx, sql.NullString{String: id, Valid: true})
	if err != nil {
		return 0, err
	}
	if len(forks) > 0 {
		if err := giveAway(ctx, q, id, forks[0]); err != nil {
			return 0, err
		}
	}
	return q.DeleteSession(ctx, id)
}

// giveAway gives what a session shares with forks of it to one of them.
func giveAway(ctx context.Context, q *queries.Queries, id string, heir queries.ForksOfRow) error {
	own, err := q.Session(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	if err != nil {
		return err
	}
	return errors.Join(
		q.GiveRuns(ctx, queries.GiveRunsParams{Heir: heir.ID, SessionID: id, Until: heir.ParentRuns}),
		q.GiveMessages(ctx, queries.GiveMessagesParams{Heir: heir.ID, SessionID: id, Until: heir.ParentMessages}),
		q.GivePruned(ctx, queries.GivePrunedParams{Heir: heir.ID, SessionID: id, Until: heir.ParentMessages}),
		q.GiveForks(ctx, queries.GiveForksParams{
			Heir: sql.NullString{String: heir.ID, Valid: true}, SessionID: sql.NullString{String: id, Valid: true},
		}),
		q.SetParent(ctx, queries.SetParentParams{
			ID: heir.ID, ParentID: own.ParentID, ParentMessages: own.ParentMessages, ParentRuns: own.ParentRuns,
		}),
	)
}

// restOf is what of a line is left to be read once the first session in it has no messages more. One
// that was deleted meanwhile has given them away: its place is read again.
func (s *Store) restOf(ctx context.Context, id string, line []queries.LineRow) ([]queries.LineRow, error) {
	if len(line) == 1 {
		return nil, nil
	}
	now, err := s.read.Line(ctx, id)
	for i, one := range now {
		if one.Until < line[0].Until {
			continue
		}
		if one.ID == line[0].ID {
			i++
		}
		return now[i:], err
	}
	return nil, err
}

// firstAfter is the number after which the first messages of a line come.
func firstAfter(line []queries.LineRow) int64 {
	if len(line) == 0 {
		return 0
	}
	return line[0].Past
}
