package change

import (
	"context"
	"errors"
	"io/fs"
)

// expect fails if a place does not hold what the change begins with.
func expect(at spot, c *Change) error {
	now, err := lookAt(at.dir, at.name)
	if err == nil && !now.isSameFile(c.Before) {
		err = ErrChanged
	}
	return err
}

// expectTaken is expect for what was just moved to the objects: it fails too if somebody has opened
// it for writing since it was kept, who still writes to what was taken.
func (w *work) expectTaken(kept spot, i int) error {
	c := &w.set.Changes[i]
	if err := expect(kept, c); err != nil || c.Before.Kind != File || w.jobs[i].written {
		return err
	}
	file, err := openSeen(kept.dir, kept.name, c.Before)
	if errors.Is(err, fs.ErrPermission) {
		return nil // nor can a program of this user
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if isWritten(file) {
		return ErrChanged
	}
	return nil
}

// take moves what lies at a path to the objects.
func (w *work) take(i int) error {
	c := &w.set.Changes[i]
	at, err := w.tree.spotOf(string(c.Path))
	if err != nil {
		return err
	}
	if c.Before.Kind == Other || c.Lost != "" {
		if err := expect(at, c); err != nil {
			return err
		}
		return whenFree(at, func() error { return at.dir.Remove(at.name) })
	}
	kept := w.Objects.spot(c.Kept)
	if !w.jobs[i].far {
		err := move(at, kept)
		if err == nil {
			if err = w.expectTaken(kept, i); err != nil {
				err = errors.Join(err, move(kept, at))
			}
		}
		if !errors.Is(err, errFar) {
			return err
		}
		if err := w.keepAfterAll(i, at); err != nil {
			return err
		}
	}
	return w.removeCopied(c, at)
}

// keepAfterAll copies what was to be moved and cannot be.
func (w *work) keepAfterAll(i int, at spot) error {
	c := &w.set.Changes[i]
	w.jobs[i].far, c.Kept = true, w.objectName(i)
	err := w.keepCopy(c, c.Kept, at)
	if err == nil {
		err = syncFolder(w.Objects.handle)
	}
	if err == nil {
		err = w.Journal.SaveSets(context.Background(), true, *w.set)
	}
	return err
}

// removeCopied removes what was copied, if it still lies there.
func (w *work) removeCopied(c *Change, at spot) error {
	passing, err := w.newPassing(c, at, c.Before)
	if err != nil {
		return err
	}
	defer passing.end()
	passing.own = c.Before
	if err := whenFree(at, func() error { return at.dir.Rename(at.name, passing.name) }); err != nil {
		return err
	}
	if err := expect(passing.spot, c); err != nil {
		return errors.Join(err, linkOrRename(passing.spot, at))
	}
	return nil
}
