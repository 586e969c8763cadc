package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store/queries"
)

// Session is a conversation as the list shows it.
type Session struct {
	ID string
	// Workspace is the folder it works on.
	Workspace string
	Title     string
	CreatedAt time.Time
	// UpdatedAt is when a run of it last began or ended.
	UpdatedAt time.Time
}

// Run is one prompt of a session.
type Run struct {
	ID        string
	SessionID string
	StartedAt time.Time
	// EndedAt is zero and Reason empty while the run is at work.
	EndedAt time.Time
	Reason  message.Reason
}

// most is the number of sessions that a list shows.
const most = 10_000

// Sessions lists the sessions of a workspace, those last worked on first; of every
// workspace where it is "".
func (s *Store) Sessions(ctx context.Context, workspace string) ([]Session, error) {
	var rows []queries.Session
	var err error
	if workspace == "" {
		rows, err = s.read.Sessions(ctx, most)
	} else {
		rows, err = s.read.SessionsOf(ctx, queries.SessionsOfParams{Workspace: workspace, Limit: most})
	}
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", s.readable(err))
	}
	sessions := make([]Session, len(rows))
	for i, row := range rows {
		sessions[i] = sessionOf(row)
	}
	return sessions, nil
}

// Session finds a session. It gives ErrNotFound where there is none.
func (s *Store) Session(ctx context.Context, id string) (Session, error) {
	row, err := s.read.Session(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, fmt.Errorf("find conversation %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return Session{}, fmt.Errorf("find conversation %s: %w", id, s.readable(err))
	}
	return sessionOf(row), nil
}

func sessionOf(row queries.Session) Session {
	return Session{
		ID: row.ID, Workspace: row.Workspace, Title: row.Title,
		CreatedAt: fromMilli(row.CreatedAt), UpdatedAt: fromMilli(row.UpdatedAt),
	}
}

// Runs lists the runs of a session in order.
func (s *Store) Runs(ctx context.Context, sessionID string) ([]Run, error) {
	rows, err := s.read.RunsOf(ctx, sessionID)
	if err != nil {
		return nil, fmt.Errorf("read the runs of conversation %s: %w", sessionID, s.readable(err))
	}
	return runsOf(rows), nil
}

// AtWork lists the runs that have no end: those that are at work in some process,
// and those that a crash cut off.
func (s *Store) AtWork(ctx context.Context) ([]Run, error) {
	rows, err := s.read.RunsAtWork(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the runs at work: %w", s.readable(err))
	}
	return runsOf(rows), nil
}

func runsOf(rows []queries.Run) []Run {
	runs := make([]Run, len(rows))
	for i, row := range rows {
		runs[i] = Run{
			ID: row.ID, SessionID: row.SessionID,
			StartedAt: fromMilli(row.StartedAt), Reason: message.Reason(row.Reason.String),
		}
		if row.EndedAt.Valid {
			runs[i].EndedAt = fromMilli(row.EndedAt.Int64)
		}
	}
	return runs
}

// Messages reads the history of a session.
func (s *Store) Messages(ctx context.Context, sessionID string) ([]message.Message, error) {
	rows, err := s.read.MessagesOf(ctx, sessionID)
	if err != nil {
		return nil, fmt.Errorf("read conversation %s: %w", sessionID, s.readable(err))
	}
	var history []message.Message
	for _, row := range rows {
		if len(history) == 0 || history[len(history)-1].ID != row.ID {
			history = append(history, message.Message{
				ID: row.ID, SessionID: sessionID, RunID: row.RunID, Role: message.Role(row.Role), Name: row.Name,
				Synthetic: row.Synthetic, CreatedAt: fromMilli(row.CreatedAt),
			})
		}
		var part message.Part
		if err := json.Unmarshal(row.Body, &part); err != nil {
			return nil, fmt.Errorf("read message %s: %w", row.ID, err)
		}
		last := &history[len(history)-1]
		last.Parts = append(last.Parts, part)
	}
	return history, nil
}

// Events reads the events of a run after a seq.
func (s *Store) Events(ctx context.Context, run Run, after int64) ([]event.Event, error) {
	rows, err := s.read.EventsAfter(ctx, queries.EventsAfterParams{RunID: run.ID, Seq: after})
	if err != nil {
		return nil, fmt.Errorf("read run %s: %w", run.ID, s.readable(err))
	}
	events := make([]event.Event, len(rows))
	for i, row := range rows {
		data, err := event.Parse(event.Type(row.Type), row.Data)
		if err != nil {
			return nil, fmt.Errorf("read run %s: %w", run.ID, err)
		}
		events[i] = event.Event{
			Seq: row.Seq, RunID: run.ID, SessionID: run.SessionID, TS: row.Ts, Type: event.Type(row.Type), Data: data,
		}
	}
	return events, nil
}
