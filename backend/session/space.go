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
		return KeptChanges{Limit: change.KeptLimit(m.options.DataFolder)}, nil
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return KeptChanges{}, err
	}
	kept := KeptChanges{Limit: change.KeptLimit(m.options.DataFolder)}
	if kept.Bytes, err = change.KeptBytes(filepath.Join(m.options.DataFolder, changesFolder)); err != nil {
		return kept, err
	}
	saved, err := s.Sessions(ctx, "", -1)
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

// freeChanges lets go of what the oldest sets keep, until all of them keep no more than they
// may. The last run of each conversation stays while the disk has space, and so does what
// another process works on.
func (m *Manager) freeChanges(ctx context.Context, s *store.Store) error {
	dir := filepath.Join(m.options.DataFolder, changesFolder)
	bytes, err := change.KeptBytes(dir)
	limit := change.KeptLimit(m.options.DataFolder)
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
		if len(sets) > 0 && !change.IsTight(dir) {
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
		freed, err := m.freeSet(ctx, s, set)
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
