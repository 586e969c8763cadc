package store

import (
	"context"
	"fmt"
	"iter"

	"fairlead/backend/event"
	"fairlead/backend/store/queries"
)

// eventsAtOnce is how many events are read in one piece.
const eventsAtOnce = 100

// Events reads the events of a run after a seq.
func (s *Store) Events(ctx context.Context, run Run, after int64) ([]event.Event, error) {
	events := []event.Event{}
	for e, err := range s.EachEvent(ctx, run, after) {
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// EachEvent are the events of a run after a seq, in order, of which few are in memory at
// a time. It ends with an error that it meets.
func (s *Store) EachEvent(ctx context.Context, run Run, after int64) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for {
			events, err := s.eventsAfter(ctx, run, after, eventsAtOnce)
			if err != nil {
				yield(event.Event{}, err)
				return
			}
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
				after = e.Seq
			}
			if len(events) < eventsAtOnce {
				return
			}
		}
	}
}

// Start reads what a run began with: nothing of one whose first event is lost.
func (s *Store) Start(ctx context.Context, run Run) (start event.LifecycleStart, err error) {
	events, err := s.eventsAfter(ctx, run, 0, 1)
	if len(events) > 0 {
		start, _ = events[0].Data.(event.LifecycleStart)
	}
	return start, err
}

// eventsAfter reads the first events of a run after a seq, at most limit.
func (s *Store) eventsAfter(ctx context.Context, run Run, after int64, limit int) ([]event.Event, error) {
	rows, err := s.read.EventsAfter(ctx, queries.EventsAfterParams{RunID: run.ID, Seq: after, Limit: int64(limit)})
	if err != nil {
		return nil, fmt.Errorf("read run %s: %w", run.ID, s.explainError(err))
	}
	events := make([]event.Event, 0, len(rows))
	add := func(seq, at int64, data event.Data) {
		events = append(events, event.Event{
			Seq: seq, RunID: run.ID, SessionID: run.SessionID, TS: at, Type: data.EventType(), Data: data,
		})
	}
	next := after + 1
	for _, row := range rows {
		if row.Seq > next {
			add(row.Seq-1, row.Ts, event.RecordGap{From: next, Reason: event.GapMissing})
		}
		next = row.Seq + 1
		data, err := event.Parse(event.Type(row.Type), row.Data)
		if err != nil {
			data = lostEvent(run, row.Seq, event.Type(row.Type))
			s.noteFoundDamage()
		}
		add(row.Seq, row.Ts, data)
	}
	return events, nil
}
