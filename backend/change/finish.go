package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fairlead/backend/leftover"
)

// finish finds out which changes were made, and saves that. Sets that it takes back or makes
// again are given, and saved with it. Where it fails, the set stays open, and nothing that is
// kept for it goes: it is finished before the next change, or at the next start.
func (w *work) finish(ctx context.Context, others ...*Set) (err error) {
	defer w.tree.close()
	defer w.waitSettled()
	defer func() { w.unfinished = w.unfinished || err != nil }()
	if err := w.settle(others); err != nil {
		return err
	}
	if w.recovering {
		if err := w.finishFolders(); err != nil {
			return err
		}
		w.settleDown()
	}
	for i := range w.set.Units {
		unit := &w.set.Units[i]
		if unit.After, err = w.tree.sumUnit(ctx, unit.Path, unit.Path); err != nil {
			return err
		}
	}
	w.noteOwn(w.tree, w.set)
	w.waitSettled()
	for i := range w.set.Changes {
		if c := &w.set.Changes[i]; w.uncopied {
			c.Copy, c.CopyAt = w.spend(c.Copy), piece{}
		}
	}
	if len(w.set.Changes) == 0 {
		return w.Journal.DeleteSet(ctx, w.set.ID)
	}
	if err := w.settleDraft(); err != nil {
		return err
	}
	all := []Set{*w.set}
	for _, o := range others {
		all = append(all, *o)
	}
	if err := w.Journal.SaveSets(ctx, false, all...); err != nil {
		return err
	}
	named := namedBy(all...)
	for _, name := range w.spent {
		if !named[name] {
			err = errors.Join(err, w.Objects.drop(name))
		}
	}
	return err
}

// settle keeps the changes that were made. What is there decides, so that it is the same
// after a crash: a change was made if its path is as it leaves it, or if what was there
// before lies among the objects.
func (w *work) settle(others []*Set) error {
	var made, unmade []Change
	for i, c := range w.set.Changes {
		if w.recovering || w.jobs[i].err != nil && !errors.Is(w.jobs[i].err, fs.ErrNotExist) {
			if err := w.putBack(c); err != nil {
				return fmt.Errorf("put back what was at %s: %w", c.Path, err)
			}
		}
		done, err := w.wasMade(&c)
		if err != nil {
			return fmt.Errorf("find out what became of %s: %w", c.Path, err)
		}
		if !done {
			if w.isStaged(i) {
				if err := w.returnStaged(i, c); err != nil {
					return err
				}
			}
			unmade = append(unmade, c)
			continue
		}
		if gone, err := w.isGone(c.Spare); err != nil {
			return err
		} else if gone {
			c.Spare = "" // it has taken the place of the object
		}
		if w.recovering && c.Copy != "" {
			if text, err := w.Objects.readCopy(c); err != nil {
				return err
			} else if text == nil {
				c.Copy, c.CopyAt = "", piece{} // it was not made
			}
		}
		made = append(made, c)
	}
	made, failed := w.dropLoneFolders(made)
	if len(unmade) > 0 {
		w.waitSettled() // what is dropped is not to be made then
	}
	named := namedBy(Set{Changes: made})
	for _, c := range unmade {
		failed = errors.Join(failed, w.dropUnused(c, named))
	}
	if failed != nil {
		return failed
	}
	sums := map[leftover.Path]string{}
	for _, c := range made {
		if c.From != "" {
			sums[c.From] = c.After.Sum
		}
	}
	for i, c := range made {
		if c.To != "" {
			made[i].Before.Sum = sums[c.Path]
		}
	}
	w.set.Changes, w.set.Open, w.unmade = made, false, unmade
	return w.markOthers(others)
}

// dropLoneFolders removes folders that a tool made for something that then was not made.
func (w *work) dropLoneFolders(made []Change) ([]Change, error) {
	isFolder := func(c Change) bool { return c.Op == MakeFolder && c.From == "" }
	if w.set.Source != ByTool || len(made) == len(w.set.Changes) || slices.ContainsFunc(made, func(c Change) bool { return !isFolder(c) }) {
		return made, nil
	}
	for _, c := range slices.Backward(made) {
		at, err := w.tree.spotOf(string(c.Path))
		if err != nil {
			return made, err
		}
		if err := at.dir.Remove(at.name); err != nil && !isNotEmpty(err) {
			return made, err
		}
	}
	return nil, nil
}

// wasMade reports whether a change was made, and completes what is known of it.
func (w *work) wasMade(c *Change) (bool, error) {
	now, err := w.tree.lookSince(string(c.Path), c.After)
	if err != nil {
		return false, err
	}
	isAfter, err := w.tree.holds(string(c.Path), &now, c.After)
	if err != nil {
		return false, err
	}
	switch {
	case isAfter && c.Op == Mode && now.Kind == Folder: // whose time is another once something in it changed
		isAfter = now.sameRest(withTime(c.After, now.Modified))
	case isAfter && c.Op == Mode:
		isAfter = now.sameRest(c.After)
	}
	if isAfter && c.From != "" {
		left, err := w.tree.look(string(c.From))
		if err != nil {
			return false, err
		}
		isAfter = left.Inode == 0 || !left.isSameFile(c.After) // what lies here is like it
	}
	foreign, err := w.findForeign(c)
	if err != nil {
		return false, err
	}
	if isAfter && (c.Op != MakeFolder || c.Before.Kind != Folder) {
		now.Sum = cmp.Or(now.Sum, c.After.Sum)
		if now.Kind == File && now.Sum == "" && now.Size <= maxSummed {
			now.Sum, _ = w.tree.sum(string(c.Path), now)
		}
		c.After = now
		return true, nil
	}
	if c.Kept == "" || foreign {
		return foreign, nil
	}
	// Somebody else may have changed it since.
	kept, err := w.Objects.glance(c.Kept)
	return err == nil && kept.Kind == c.Before.Kind && kept.isSameFile(c.Before) && !now.isSameFile(c.Before), err
}

// findForeign reports whether an object of the set is something that nobody had seen: it
// appeared at the path in the moment in which that was taken, and could not be put back, because
// something else came there or the process ended. It is what was there before, then.
func (w *work) findForeign(c *Change) (bool, error) {
	if c.Kept == "" {
		return false, nil
	}
	kept, err := w.Objects.glance(c.Kept)
	if err != nil || kept.Kind == None || kept.isSameFile(c.Before) {
		return false, err
	}
	if kept, err = w.Objects.look(c.Kept); err != nil {
		return false, err
	}
	if kept.Kind == File && (c.Before.Sum != "" || c.After.Sum != "") {
		if kept.Sum, err = w.Objects.sum(c.Kept); err != nil {
			return false, err
		}
	}
	for _, own := range []State{c.Before, c.After} { // a copy of what was there, or what was to come
		if own.Kind == kept.Kind && (own.sameContent(kept) || own.Sum == "" && own.Size == kept.Size && own.Modified == kept.Modified) {
			return false, nil
		}
	}
	c.Before = kept
	return true, nil
}

// dropUnused deletes what was kept for a change that was not made, and nothing else names: copies,
// and what was to take its place.
func (w *work) dropUnused(c Change, named map[string]bool) error {
	if !strings.HasPrefix(c.Kept, w.set.ID+"-") {
		c.Kept = "" // it belongs to the set that was to be taken back
	}
	var failed error
	for _, name := range c.objects() {
		if !named[name] {
			failed = errors.Join(failed, w.Objects.drop(name))
		}
	}
	return failed
}

// markOthers notes what was taken back or made again in the sets that it was.
func (w *work) markOthers(others []*Set) error {
	made := map[leftover.Path]int{}
	for i, c := range w.set.Changes {
		made[c.Path] = i
	}
	for _, o := range others {
		for i := range o.Changes {
			c := &o.Changes[i]
			at, ok := made[c.Path]
			if taken := w.set.Source == ByUndo || o.Source == ByUndo; !ok || c.Undone == taken {
				continue // it was before
			}
			own := &w.set.Changes[at]
			switch {
			case w.set.Source == ByUndo:
				c.Undone = true
				gone, err := w.isGone(c.Kept)
				if err != nil {
					return err
				}
				if gone || c.Kept == own.Kept {
					c.Kept, c.Spare = "", w.spend(c.Spare)
				}
				c.Before = keepIdentity(c.Before, own.After)
			case o.Source == ByUndo: // what a redo takes back
				c.Undone, c.Kept, c.Spare, c.Copy, c.CopyAt = true, "", w.spend(c.Spare), w.spend(c.Copy), piece{}
			default: // what a redo makes again
				c.Undone = false
				if c.Kept == "" {
					c.Kept, c.Spare, own.Kept, own.Spare = own.Kept, own.Spare, "", ""
				}
				c.After = keepIdentity(c.After, own.After)
			}
		}
	}
	return nil
}

// spend notes that a copy is no longer needed, and returns the name of none.
func (w *work) spend(spare string) string {
	if spare != "" {
		w.spent = append(w.spent, spare)
	}
	return ""
}

// isGone reports whether an object is no longer there: it lies in the folder.
func (w *work) isGone(object string) (bool, error) {
	if object == "" {
		return true, nil
	}
	now, err := w.Objects.glance(object)
	return now.Kind == None, err
}

// keepIdentity is a state as it is found now, if it is the same but for what tells one file
// from another.
func keepIdentity(state, now State) State {
	if state.Kind == now.Kind && (state.Sum == now.Sum || state.Sum == "") {
		return now
	}
	return state
}

// holds reports whether a path, at which now lies, holds what is wanted, by its content and
// whether it can be run: its time and its inode may be others, as after a copy of the whole
// folder or a checkout. It takes the sum of now where that is needed.
func (t *tree) holds(local string, now *State, wanted State) (bool, error) {
	if now.Kind != wanted.Kind || now.Size != wanted.Size || now.runs() != wanted.runs() {
		return false, nil
	}
	if now.Kind != File || wanted.Sum == "" || now.isUntouched(wanted) {
		return now.sameContent(wanted), nil
	}
	if now.Sum == "" {
		sum, err := t.sum(local, *now)
		if errors.Is(err, os.ErrPermission) {
			return now.isSameFile(wanted), nil
		}
		if err != nil {
			return false, err
		}
		now.Sum = sum
	}
	return now.Sum == wanted.Sum, nil
}

// sum returns the sum of the file at a path.
func (t *tree) sum(local string, seen State) (string, error) {
	at, err := t.spotOf(local)
	if err != nil {
		return "", err
	}
	return sumAt(at.dir, at.name, seen)
}
