package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/store"
)

// catchUpTime is how long the store may take to be read again.
const catchUpTime = 30 * time.Second

// newStream returns the stream of a run, which the store listens to first.
func (s *Session) newStream(ctx context.Context, run *Run) *event.Stream {
	if s.record == nil {
		return event.NewStream(run.ID, s.ID)
	}
	s.mu.Lock()
	saved := s.saved
	s.mu.Unlock()
	return event.NewKeptStream(run.ID, s.ID, s.record(ctx, saved), func(fault *event.NotKeptError) {
		if store.Lost(fault.Err) {
			var err error
			if fault.File, err = s.writeOut(run); err != nil {
				fault.Err = errors.Join(fault.Err, err)
			}
		}
		run.stop(fault)
	})
}

// writeOut writes what was shown of a run into a file of its own, because what was
// saved of it may be lost, and returns the file's path; empty where nothing was shown.
func (s *Session) writeOut(run *Run) (path string, err error) {
	shown, err := run.Events.Since(context.Background(), 0) // all of it is in memory
	if err != nil || len(shown) == 0 {
		return "", err
	}
	return s.config.Store.WriteOut(run.ID, shown)
}

// catchUp begins again from what the store has, after it could not take all of a
// run: what it lacks was shown to nobody. The caller has the turn.
func (s *Session) catchUp() error {
	s.mu.Lock()
	behind := s.behind
	s.mu.Unlock()
	if !behind {
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), catchUpTime)
	defer stop()
	if err := s.read(ctx); err != nil {
		return fmt.Errorf("go on with a conversation that could not be saved: %w", err)
	}
	return nil
}
