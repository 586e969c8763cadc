package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fairlead/backend/change"
	"fairlead/backend/store"
)

// KeptChanges is what is kept of what conversations changed, so that it can be taken back.
type KeptChanges struct {
	// Bytes is how much that takes on the disk, and Limit how much it may.
	Bytes, Limit int64
	// Lost counts objects that change sets name and that are not there, Left those that are
	// there and that none names.
	Lost, Left int
}

// CheckChanges compares what is kept with the change sets.
func (m *Manager) CheckChanges(ctx context.Context) (KeptChanges, error) {
	if m.library.store.Load() == nil && !store.Exists(m.options.DataFolder) {
		return KeptChanges{Limit: m.undoSpace()}, nil
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return KeptChanges{}, err
	}
	kept := KeptChanges{Limit: m.undoSpace()}
	if kept.Bytes, err = change.KeptBytes(filepath.Join(m.options.DataFolder, changesFolder)); err != nil {
		return kept, err
	}
	saved, err := s.Sessions(ctx, "", store.All, -1)
	if err != nil {
		return kept, err
	}
	for _, one := range saved {
		sets, err := s.Sets(ctx, one.ID)
		if err != nil {
			return kept, err
		}
		objects := m.Objects(one.ID)
		lost, left, err := objects.Check(sets)
		if err = errors.Join(err, objects.Close()); err != nil {
			return kept, err
		}
		kept.Lost, kept.Left = kept.Lost+lost, kept.Left+left
	}
	return kept, nil
}

// undoSpace is how much all sets may keep together, in bytes.
func (m *Manager) undoSpace() int64 {
	if m.options.UndoSpace > 0 {
		return m.options.UndoSpace
	}
	return change.KeptLimit(m.options.DataFolder)
}

// UndoSpaceLeft is how many bytes more may be kept before what is kept of older changes is
// deleted.
func (m *Manager) UndoSpaceLeft() (int64, error) {
	bytes, err := change.KeptBytes(filepath.Join(m.options.DataFolder, changesFolder))
	return m.undoSpace() - bytes, err
}

// KeptSpace is how much is kept of what conversations changed, and how much may be, in bytes.
func (m *Manager) KeptSpace() (bytes, limit int64, err error) {
	bytes, err = change.KeptBytes(filepath.Join(m.options.DataFolder, changesFolder))
	return bytes, m.undoSpace(), err
}

// FreeSession lets go of all that is kept of what a saved conversation changed, but for one
// that is open somewhere.
func (m *Manager) FreeSession(ctx context.Context, id string) error {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return err
	}
	sets, err := s.Sets(ctx, id)
	if err != nil {
		return err
	}
	for _, set := range sets {
		if _, err := m.freeSet(ctx, s, set); err != nil {
			return err
		}
	}
	return nil
}

// FreeAll lets go of all that is kept of what the conversation changed.
func (c *Changes) FreeAll(ctx context.Context) error {
	sets, err := c.Journal.Sets(ctx, c.Saved.ID)
	if err != nil {
		return err
	}
	for _, set := range sets {
		if _, err := c.FreeSet(ctx, set); err != nil {
			return err
		}
	}
	return nil
}

// freeAfterRun does the same as freeChanges when a run of this conversation has changed
// something.
func (s *Session) freeAfterRun(ctx context.Context, runID string) {
	own := s.config.Changes
	if own == nil || s.config.Store == nil {
		return
	}
	sets, err := s.config.Store.Sets(ctx, s.ID)
	if err == nil && len(sets) > 0 && sets[len(sets)-1].RunID == runID {
		err = s.manager.freeChanges(ctx, s.config.Store, own)
	}
	if err != nil {
		s.config.Log.Warn("free what was kept of changes", "error", err)
	}
}

// freeChanges lets go of what the oldest sets keep, until all of them keep no more than they
// may. The last run of each conversation stays while the disk has space, and so does what
// another process works on. own is the recorder of the conversation that has just run, whose
// last run stays in any case; nil for none.
func (m *Manager) freeChanges(ctx context.Context, s *store.Store, own *change.Recorder) error {
	dir := filepath.Join(m.options.DataFolder, changesFolder)
	bytes, err := change.KeptBytes(dir)
	limit := m.undoSpace()
	if err != nil || bytes <= limit {
		return err
	}
	entries, err := os.ReadDir(dir) //nolint:forbidigo // the data folder lies outside every workspace
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var all []change.Set
	for _, entry := range entries {
		sets, err := s.Sets(ctx, entry.Name())
		if err != nil {
			return err
		}
		isOwn := own != nil && own.SessionID == entry.Name()
		if len(sets) > 0 && (isOwn || !change.IsTight(dir)) {
			last := sets[len(sets)-1].RunID
			sets = slices.DeleteFunc(sets, func(set change.Set) bool { return set.RunID == last })
		}
		all = append(all, sets...)
	}
	slices.SortStableFunc(all, func(a, b change.Set) int { return a.Made.Compare(b.Made) })
	for _, set := range all {
		if bytes <= limit {
			break
		}
		var freed int64
		if own != nil && own.SessionID == set.SessionID {
			freed, err = own.FreeSet(ctx, set)
		} else {
			freed, err = m.freeSet(ctx, s, set)
		}
		if err != nil {
			return err
		}
		bytes -= freed
	}
	return nil
}

// freeSet lets go of what one set keeps, unless its conversation is open somewhere.
func (m *Manager) freeSet(ctx context.Context, s *store.Store, set change.Set) (freed int64, err error) {
	unlock, err := s.Lock(set.SessionID)
	if errors.Is(err, store.ErrLocked) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	objects := m.Objects(set.SessionID)
	defer func() { err = errors.Join(err, objects.Close(), unlock()) }()
	return change.Free(ctx, s, objects, set)
}
