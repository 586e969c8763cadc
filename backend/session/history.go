package session

import (
	"context"
	"errors"
	"fmt"
	"math"

	"fairlead/backend/agent"
	"fairlead/backend/message"
	"fairlead/backend/store"
)

// endedRun says why a run ended.
type endedRun struct {
	id     string
	reason message.Reason
}

// loadSession goes on with a conversation that the store has, whose lock the caller holds.
// A run of it that was cut off is brought to its end first.
func (m *Manager) loadSession(ctx context.Context, saved store.Session, config Config) (*Session, error) {
	loaded := m.newSession(saved.ID, config)
	loaded.saved, loaded.queue = saved, saved.Queue
	loaded.holdQueue()
	return loaded, loaded.read(ctx)
}

// read takes the history that the store has, without the long texts: those that the model
// is shown are read when it is asked. The caller has the turn, or nobody else
// has the session yet.
func (s *Session) read(ctx context.Context) error {
	err := mendSession(ctx, s.config.Store, s.ID, s.config.NewID)
	if err != nil {
		return err
	}
	history, counted, err := s.config.Store.Outlines(ctx, s.ID)
	if err != nil {
		return err
	}
	s.parts.Know(counted)
	if s.config.Limits.Compaction {
		if err := s.parts.Count(history, s.config.Model.Window); err != nil {
			return err
		}
	}
	last, task, err := s.readLast(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history, s.behind = history, false
	s.last, s.task = last, task
	return nil
}

// readLast reads how the last run ended, and the last one that had a task.
func (s *Session) readLast(ctx context.Context) (last, task endedRun, err error) {
	for before := int64(math.MaxInt64); ; {
		runs, err := s.config.Store.LastRuns(ctx, s.ID, before, 1)
		if err != nil || len(runs) == 0 {
			return last, task, err
		}
		run := runs[0]
		start, err := s.config.Store.Start(ctx, run)
		if err != nil {
			return last, task, err
		}
		ended := endedRun{run.ID, run.Reason}
		if last.id == "" {
			last = ended
		}
		if !start.Compacts {
			return last, ended, nil
		}
		before = run.Number
	}
}

// readPart reads a part whole, of which the history has an outline.
func (s *Session) readPart(outline message.Part) (message.Part, error) {
	whole, err := s.config.Store.Part(context.Background(), outline)
	if err != nil {
		return message.Part{}, fmt.Errorf("the conversation could not be read: %w", err)
	}
	return whole, nil
}

// readData reads the bytes of a block; nil where they are lost.
func (s *Session) readData(sum string) ([]byte, error) {
	data, err := s.config.Store.BlockData(context.Background(), sum)
	switch {
	case errors.Is(err, store.ErrNoBytes):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the conversation could not be read: %w", err)
	}
	return data, nil
}

// keepParts keeps what was counted in a run, and lets go of what it left out of
// the view: the store has both.
func (s *Session) keepParts(history []message.Message) {
	if err := s.config.Store.KeepTokens(context.Background(), s.parts.Fresh()); err != nil {
		s.config.Log.Warn("keep how long messages are", "session", s.ID, "error", err) // they are counted again
	}
	agent.Shed(history)
}
