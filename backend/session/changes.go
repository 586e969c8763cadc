package session

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// journal keeps what conversations change in the store, which it opens when it is needed.
type journal struct{ manager *Manager }

// SaveSets implements change.Journal.
func (j journal) SaveSets(ctx context.Context, durable bool, sets ...change.Set) error {
	s, err := j.manager.openStore(ctx)
	if err != nil {
		return err
	}
	return s.SaveSets(ctx, durable, sets...)
}

// DeleteSet implements change.Journal.
func (j journal) DeleteSet(ctx context.Context, id string) error {
	s, err := j.manager.openStore(ctx)
	if err != nil {
		return err
	}
	return s.DeleteSet(ctx, id)
}

// Sets implements change.Journal.
func (j journal) Sets(ctx context.Context, sessionID string) ([]change.Set, error) {
	s, err := j.manager.openStore(ctx)
	if err != nil {
		return nil, err
	}
	return s.Sets(ctx, sessionID)
}

// DraftSets lists what was changed in the draft of a saved conversation, in order.
func (m *Manager) DraftSets(ctx context.Context, id string) ([]change.Set, error) {
	draft, err := change.OpenDraftOf(m.DraftsOf(id))
	if err != nil {
		return nil, err
	}
	if draft == "" {
		return nil, ErrNoDraft
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	sets, err := s.Sets(ctx, id)
	return slices.DeleteFunc(sets, func(set change.Set) bool { return set.Draft != draft }), err
}

// Journal is where what conversations change is kept.
func (m *Manager) Journal() change.Journal { return journal{m} }

// changesFolder is where objects of conversations are kept in the data folder.
const changesFolder = "changes"

// Objects are what was in the folder of a conversation before it changed that. The caller
// closes them.
func (m *Manager) Objects(id string) *change.Objects {
	return change.OpenObjects(filepath.Join(m.options.DataFolder, changesFolder, id))
}

// recoverChanges finds out which changes were made that a crash cut off.
func (m *Manager) recoverChanges(ctx context.Context, s *store.Store) error {
	ids, err := s.SessionsWithOpenSets(ctx)
	left, leftErr := change.LeftByCommands(filepath.Join(m.options.DataFolder, changesFolder))
	err = errors.Join(err, leftErr)
	for _, id := range left {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	open := m.options.OpenFolder
	if open == nil {
		open = func(dir string) (*workspace.Folder, error) { return workspace.Open(dir) }
	}
	for _, id := range ids {
		saved, findErr := s.Session(ctx, id)
		if errors.Is(findErr, store.ErrNotFound) {
			continue // one that is not saved
		}
		if findErr != nil {
			return errors.Join(err, findErr)
		}
		changes, lockErr := m.lockChanges(ctx, s, saved, nil, open)
		switch {
		case errors.Is(lockErr, store.ErrLocked): // another process works on it
		case lockErr != nil:
			err = errors.Join(err, lockErr) // it is tried again at the next start
		default:
			err = errors.Join(err, changes.Close())
		}
	}
	return err
}

// changedSoFar lists what a session has changed in its folder and what was not taken back, each
// path once and as what has become of it; nil where nothing is recorded.
func (s *Session) changedSoFar(ctx context.Context) func() ([]message.Change, error) {
	recorder := s.config.Changes
	if recorder == nil {
		return nil
	}
	return func() ([]message.Change, error) {
		sets, err := recorder.Sets(ctx)
		if err != nil {
			return nil, err
		}
		changed := []message.Change{}
		for _, c := range change.Ledger(sets) {
			changed = append(changed, message.Change{
				Path: s.config.Redact(workspace.Shown(string(c.Path))), Kind: workspace.KindOf(c), Added: c.Added, Removed: c.Removed,
			})
		}
		return changed, nil
	}
}
