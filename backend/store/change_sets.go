package store

import (
	"context"
	"encoding/json"
	"fmt"

	"fairlead/backend/change"
	"fairlead/backend/store/queries"
)

// SaveSets implements change.Journal. The session must be saved.
func (s *Store) SaveSets(ctx context.Context, durable bool, sets ...change.Set) error {
	mode := quick
	if durable {
		mode = firm
	}
	bodies := make([][]byte, len(sets))
	for i := range sets {
		var err error
		if bodies[i], err = s.encode(sets[i]); err != nil {
			return fmt.Errorf("save what changed: %w", err)
		}
	}
	err := s.write(s.wait(ctx.Done(), patience), mode, func(ctx context.Context, q *queries.Queries) error {
		for i := range sets {
			set := &sets[i]
			if err := q.SaveChangeSet(ctx, queries.SaveChangeSetParams{
				ID: set.ID, SessionID: set.SessionID, RunID: set.RunID, CallID: set.CallID,
				MadeAt: set.Made.UnixMilli(), Open: set.Open, Body: bodies[i],
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save what changed: %w", err)
	}
	return nil
}

// DeleteSet implements change.Journal.
func (s *Store) DeleteSet(ctx context.Context, id string) error {
	err := s.write(s.wait(ctx.Done(), patience), quick, func(ctx context.Context, q *queries.Queries) error {
		return q.DeleteChangeSet(ctx, id)
	})
	if err != nil {
		return fmt.Errorf("save that nothing changed: %w", err)
	}
	return nil
}

// Sets implements change.Journal.
func (s *Store) Sets(ctx context.Context, sessionID string) ([]change.Set, error) {
	rows, err := s.read.ChangeSets(ctx, sessionID)
	if err != nil {
		return nil, fmt.Errorf("read what changed in conversation %s: %w", sessionID, s.explainError(err))
	}
	sets := make([]change.Set, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal(row.Body, &sets[i]); err != nil {
			return nil, fmt.Errorf("read what changed in conversation %s: %w", sessionID, err)
		}
		sets[i].ID, sets[i].SessionID, sets[i].RunID, sets[i].CallID = row.ID, row.SessionID, row.RunID, row.CallID
		sets[i].Made, sets[i].Open = fromMilli(row.MadeAt), row.Open
	}
	return sets, nil
}

// SessionsWithOpenSets lists the sessions of which it is not known which changes were made,
// because their process ended meanwhile, or makes them at the moment.
func (s *Store) SessionsWithOpenSets(ctx context.Context) ([]string, error) {
	ids, err := s.read.SessionsWithOpenChangeSets(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for changes that were cut off: %w", s.explainError(err))
	}
	return ids, nil
}
