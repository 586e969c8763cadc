package store

import (
	"context"
	"fmt"

	"fairlead/backend/event"
)

// StepEvents reads of the events of a run those that tell what it took, step by step. One that
// is damaged is left out.
func (s *Store) StepEvents(ctx context.Context, run Run) ([]event.Event, error) {
	rows, err := s.read.StepEvents(ctx, run.ID)
	if err != nil {
		return nil, fmt.Errorf("read the steps of run %s: %w", run.ID, s.explainError(err))
	}
	events := make([]event.Event, 0, len(rows))
	for _, row := range rows {
		data, err := event.Parse(event.Type(row.Type), row.Data)
		if err != nil {
			s.noteFoundDamage()
			continue
		}
		events = append(events, event.Event{
			Seq: row.Seq, RunID: run.ID, SessionID: run.SessionID, TS: row.Ts, Type: data.EventType(), Data: data,
		})
	}
	return events, nil
}
