package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// Session is a conversation as the list shows it.
type Session struct {
	ID string
	// Workspace is the folder it works on.
	Workspace string
	Title     string
	// Titled says that the title is not merely the first words of its first task.
	Titled    bool
	CreatedAt time.Time
	// UpdatedAt is when a run of it last began or ended.
	UpdatedAt time.Time
	// Reason is why its last run ended; empty while that is running.
	Reason message.Reason
	// Hidden says that it was deleted by the user who may still change their mind.
	Hidden bool
	// Pinned and Archived are what the user did with it; it is archived until a run of it begins.
	// It is never both.
	Pinned, Archived bool
	// GroupsOff names the groups of tools that the user switched off in it (SPEC
	// GRP-01), in alphabetical order.
	GroupsOff []string
	// Queue are the prompts that wait in it, in order.
	Queue []message.Prompt
	// Parent is the session that it was forked from, and begins with the first runs of; empty for
	// others.
	Parent string
	// Notices are what its commands in the background have left when it was closed and
	// the next run tells of.
	Notices []message.Notice
}

// Run is one prompt of a session.
type Run struct {
	ID string
	// SessionID is the session that it was begun in: of a fork that can be its parent.
	SessionID string
	// Number counts the runs of a session from 1.
	Number    int64
	StartedAt time.Time
	// EndedAt is zero and Reason empty while the run is active.
	EndedAt time.Time
	Reason  message.Reason
}

// Which says which sessions a list has.
type Which string

// The lists of sessions.
const (
	All      Which = "all"
	Current  Which = "current" // all that are not archived
	Pinned   Which = "pinned"
	Archived Which = "archived"
)

// Sessions lists sessions of a workspace, those first to which something was said
// last, whatever the clock showed then; of every workspace where it is "". It gives at most limit of them, and none that is hidden.
func (s *Store) Sessions(ctx context.Context, workspace string, which Which, limit int) ([]Session, error) {
	var rows []queries.Session
	var err error
	if workspace == "" {
		rows, err = s.read.Sessions(ctx, queries.SessionsParams{Which: string(which), Most: int64(limit)})
	} else {
		rows, err = s.read.SessionsOf(ctx, queries.SessionsOfParams{Workspace: workspace, Which: string(which), Most: int64(limit)})
	}
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", s.explainError(err))
	}
	sessions := make([]Session, len(rows))
	for i, row := range rows {
		sessions[i] = sessionOf(row)
	}
	return sessions, nil
}

// CountArchived counts the archived sessions of a workspace that are not hidden.
func (s *Store) CountArchived(ctx context.Context, workspace string) (int, error) {
	count, err := s.read.CountArchived(ctx, workspace)
	if err != nil {
		return 0, fmt.Errorf("count archived conversations: %w", s.explainError(err))
	}
	return int(count), nil
}

// Titles are those of the sessions of a workspace that are not hidden.
func (s *Store) Titles(ctx context.Context, workspace string) ([]string, error) {
	titles, err := s.read.TitlesOf(ctx, workspace)
	if err != nil {
		return nil, fmt.Errorf("list the titles of conversations: %w", s.explainError(err))
	}
	return titles, nil
}

// Session finds a session, hidden or not. It gives ErrNotFound where there is none.
func (s *Store) Session(ctx context.Context, id string) (Session, error) {
	row, err := s.read.Session(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, fmt.Errorf("find conversation %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return Session{}, fmt.Errorf("find conversation %s: %w", id, s.explainError(err))
	}
	return sessionOf(row), nil
}

func sessionOf(row queries.Session) Session {
	var queue []message.Prompt
	if err := json.Unmarshal(row.Queue, &queue); err != nil {
		queue = nil // what waits is less than the conversation
	}
	var notices []message.Notice
	if err := json.Unmarshal(row.Notices, &notices); err != nil {
		notices = nil // they are less than the conversation
	}
	return Session{
		ID: row.ID, Workspace: row.Workspace, Title: row.Title, Titled: row.TitledBy != "words",
		CreatedAt: fromMilli(row.CreatedAt), UpdatedAt: fromMilli(row.UpdatedAt),
		Reason: message.Reason(row.Reason.String), Hidden: row.HiddenAt.Valid,
		GroupsOff: namesOf(row.GroupsOff), Queue: queue, Parent: row.ParentID.String, Notices: notices,
		Pinned: row.Pinned != 0, Archived: row.Archived != 0,
	}
}

// Runs lists the runs of a session in order.
func (s *Store) Runs(ctx context.Context, sessionID string) ([]Run, error) {
	rows, err := s.read.RunsOf(ctx, sessionID)
	if err != nil {
		return nil, fmt.Errorf("read the runs of conversation %s: %w", sessionID, s.explainError(err))
	}
	return runsOf(rows), nil
}

// Run finds a run. It gives ErrNotFound where there is none.
func (s *Store) Run(ctx context.Context, id string) (Run, error) {
	row, err := s.read.Run(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Run{}, fmt.Errorf("find run %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return Run{}, fmt.Errorf("find run %s: %w", id, s.explainError(err))
	}
	return runOf(row), nil
}

// LastRuns lists, in order, at most limit runs of a session: the last ones with a
// number below before.
func (s *Store) LastRuns(ctx context.Context, sessionID string, before int64, limit int) ([]Run, error) {
	rows, err := s.read.RunsBefore(ctx, queries.RunsBeforeParams{SessionID: sessionID, Number: before, Most: int64(limit)})
	if err != nil {
		return nil, fmt.Errorf("read the runs of conversation %s: %w", sessionID, s.explainError(err))
	}
	slices.Reverse(rows)
	return runsOf(rows), nil
}

// ActiveRuns lists the runs that have no end: those that are running in some process,
// and those that a crash cut off.
func (s *Store) ActiveRuns(ctx context.Context) ([]Run, error) {
	rows, err := s.read.ActiveRuns(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the current runs: %w", s.explainError(err))
	}
	return runsOf(rows), nil
}

func runsOf(rows []queries.Run) []Run {
	runs := make([]Run, len(rows))
	for i, row := range rows {
		runs[i] = runOf(row)
	}
	return runs
}

func runOf(row queries.Run) Run {
	run := Run{
		ID: row.ID, SessionID: row.SessionID, Number: row.Number,
		StartedAt: fromMilli(row.StartedAt), Reason: message.Reason(row.Reason.String),
	}
	if row.EndedAt.Valid {
		run.EndedAt = fromMilli(row.EndedAt.Int64)
	}
	return run
}
