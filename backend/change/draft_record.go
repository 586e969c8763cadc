package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"strconv"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// RecordDraft is Note, and records what the command of a call has changed since it was called last, as a
// set in the draft, whose recorder this is; nil for nothing. Without a call it only looks: what has changed
// by then is not the next command's.
func (r *Recorder) RecordDraft(ctx context.Context, d *Draft, call string) (*Set, error) {
	r.changing.Lock()
	defer r.changing.Unlock()
	found, first, err := d.takeDifferences()
	if err != nil || first || d.contents == nil {
		return nil, err
	}
	lower, err := newTree(d.folder...)
	if err != nil {
		return nil, err
	}
	defer lower.close()
	var record *draftRecord
	if call != "" && len(found) > 0 {
		if record, err = r.newDraftRecord(d, lower, call); err == nil {
			defer record.merged.close()
			err = record.addAll(ctx, found)
		}
	}
	err = errors.Join(err, d.contents.take(ctx, d.Upper, found))
	if err == nil && record != nil {
		err = record.save(ctx)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("record what a command changed in the draft: %w", err)
	case record == nil || len(record.set.Changes) == 0:
		return nil, nil
	}
	return record.set, nil
}

// draftRecord is a set that is made of what a command has changed in a draft.
type draftRecord struct {
	*Recorder
	draft *Draft
	// lower is the folder, and merged what is seen of it and of the layer.
	lower, merged *tree
	set           *Set
}

// newDraftRecord begins a set. The caller closes what is merged.
func (r *Recorder) newDraftRecord(d *Draft, lower *tree, call string) (*draftRecord, error) {
	if err := r.Objects.open(); err != nil {
		return nil, err
	}
	merged, err := newTree(r.top()...)
	if err != nil {
		return nil, err
	}
	set := r.newSet(call, ByCommand)
	set.Open = false
	return &draftRecord{Recorder: r, draft: d, lower: lower, merged: merged, set: set}, nil
}

// addAll adds all that has changed, and keeps what was there before.
func (m *draftRecord) addAll(ctx context.Context, found []draftDifference) error {
	for _, f := range found {
		if err := errors.Join(m.add(f), ctx.Err()); err != nil {
			return err
		}
	}
	return m.addUnits(ctx)
}

// save takes the sums of what is there now, and saves the set.
func (m *draftRecord) save(ctx context.Context) error {
	if len(m.set.Changes) == 0 {
		return nil
	}
	for i := range m.set.Changes {
		c := &m.set.Changes[i]
		if c.After.Kind != File {
			continue
		}
		if entry := m.draft.contents.base.entries[c.Path]; entry != nil {
			c.After.Sum = entry.State.Sum
		}
		if c.After.Sum == "" && c.After.Size <= maxSummed {
			c.After.Sum, _ = m.merged.sum(string(c.Path), c.After) // it can change meanwhile
		}
		if c.Op == Mode {
			c.Before.Sum = c.After.Sum
		}
	}
	for i := range min(len(m.set.Changes), copiedTexts) {
		if err := m.copyText(&m.set.Changes[i], m.objectName(i)); err != nil {
			return err
		}
	}
	if err := m.syncKept(m.set.Changes); err != nil {
		return err
	}
	return m.Journal.SaveSets(ctx, false, *m.set)
}

// add adds what has changed at a path of the layer, and below it in the folder.
func (m *draftRecord) add(f draftDifference) error {
	before, below, err := m.before(f)
	if err != nil {
		return err
	}
	after, err := m.merged.look(f.path)
	if err != nil {
		return err
	}
	if before.Kind == Folder && after.Kind == Folder && before.Modified != after.Modified {
		m.set.Times = append(m.set.Times, FolderTime{Path: leftover.Path(f.path), Before: before.Modified, After: after.Modified})
	}
	if err := m.addChange(f, before, after, below); err != nil {
		return err
	}
	hidden := isHiddenIn(m.draft.seenBefore, f.path) || m.draft.seenBefore[f.path].opaque
	hides := after.Kind != Folder || isHiddenIn(m.draft.seen, f.path) || m.draft.seen[f.path].opaque
	if before.Kind != Folder || hidden || !hides {
		return nil
	}
	return m.addBelow(f.path)
}

// before returns what was at a path, and whether that lies in the folder.
func (m *draftRecord) before(f draftDifference) (before State, below bool, err error) {
	switch {
	case f.known && f.was.gone:
		return State{}, false, nil
	case f.known:
		before = f.was.State
		if entry := m.draft.contents.base.entries[leftover.Path(f.path)]; entry != nil && entry.State.isUntouched(before) {
			before = entry.State
		}
		return before, false, nil
	case isHiddenIn(m.draft.seenBefore, f.path):
		return State{}, false, nil
	}
	before, err = m.lower.look(f.path)
	return before, true, err
}

// isHiddenIn reports whether a path lies in a folder that hides what the folder below has there, as the layer
// was at a look.
func isHiddenIn(seen map[string]draftEntry, local string) bool {
	for dir := path.Dir(local); dir != "."; dir = path.Dir(dir) {
		if over, known := seen[dir]; known && (over.gone || over.Kind != Folder || over.opaque) {
			return true
		}
	}
	return false
}

// addBelow adds that what the folder has in one of its folders is gone, as far as it was seen.
func (m *draftRecord) addBelow(dir string) error {
	names, err := m.lower.names(dir)
	if errors.Is(err, errNoFolder) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		local := path.Join(dir, name)
		if _, known := m.draft.seenBefore[local]; known {
			continue // it is a difference of its own
		}
		if _, there := m.draft.seen[local]; there {
			continue
		}
		before, err := m.lower.look(local)
		if err != nil {
			return err
		}
		if before.Kind == None {
			continue
		}
		if err := m.addChange(draftDifference{path: local}, before, State{}, true); err != nil {
			return err
		}
		if before.Kind == Folder {
			if err := m.addBelow(local); err != nil {
				return err
			}
		}
	}
	return nil
}

// addChange adds a change, and keeps what was there before, unless the folder still has it.
func (m *draftRecord) addChange(f draftDifference, before, after State, below bool) error {
	c := Change{Path: leftover.Path(f.path), Before: before, After: after, Op: opOf(before, after)}
	switch {
	case before.Kind == None && after.Kind == None:
		return nil
	case before.Kind == Folder && after.Kind == Folder && before.Mode == after.Mode && before.Owner == after.Owner && before.Group == after.Group:
		return nil
	case len(m.set.Changes) == MaxEntries:
		return errTooLarge
	}
	object := m.objectName(len(m.set.Changes))
	var err error
	switch {
	case !needsKept(c):
	case before.Kind == Link:
		if err = m.Objects.root.Symlink(string(before.Target), object); err == nil {
			c.Kept, err = object, m.Objects.spot(object).setRest(before)
		}
	case below && before.Size > maxSummed:
		c.Lost = LossLarge
	case below:
		c.Below = true
	default:
		err = m.keep(&c, object)
	}
	m.set.Changes = append(m.set.Changes, c)
	return err
}

func (m *draftRecord) objectName(i int) string { return m.set.ID + "-" + strconv.Itoa(i) }

// copyText keeps a copy of what is there after a change, and counts the lines, where that is a text.
func (m *draftRecord) copyText(c *Change, object string) error {
	if c.Op == Mode || c.Before.Kind == Folder || c.After.Kind == Folder {
		return nil
	}
	before, err := m.textBefore(nil, m.set, *c)
	if err != nil || before == nil {
		return err
	}
	contents := m.draft.contents.base
	after, ok, err := contents.text(contents.entries[c.Path])
	if err != nil || !ok {
		return err
	}
	return m.Objects.keepAfter(c, object, before, after)
}

// keep makes an object of a content of the draft that is gone.
func (m *draftRecord) keep(c *Change, object string) error {
	contents := m.draft.contents
	if entry := contents.base.entries[c.Path]; entry != nil && entry.Piece.There && entry.State.isUntouched(c.Before) {
		c.Kept = object
		return contents.base.extract(m.Objects, object, entry)
	}
	c.Lost = LossLarge
	if contents.kept == nil {
		return nil
	}
	kept, err := newTree(Opened{contents.kept, "."})
	if err != nil {
		return err
	}
	defer kept.close()
	was, err := kept.look(string(c.Path))
	if err != nil || was.Kind != File || was.Size != c.Before.Size || was.Modified != c.Before.Modified {
		return err
	}
	maps.DeleteFunc(was.Attributes, func(name string, _ []byte) bool { return overlay.IsOwn(name) })
	at, err := kept.spotOf(string(c.Path))
	if err != nil {
		return err
	}
	if was, err = m.Objects.copyIn(object, at, was); err != nil {
		return err
	}
	c.Kept, c.Lost, c.Before.Attributes, c.Before.Sum = object, "", was.Attributes, was.Sum
	return nil
}

// addUnits notes what repositories and databases were, and are.
func (m *draftRecord) addUnits(ctx context.Context) error {
	units := unitsOf(m.set.Changes, func(local leftover.Path) bool { return isThere(m.merged, local) })
	if len(units) == 0 {
		return nil
	}
	sets, err := m.Sets(ctx)
	if err != nil {
		return err
	}
	left := map[leftover.Path]string{}
	for _, set := range sets {
		for _, unit := range set.Units {
			left[unit.Path] = unit.After
		}
	}
	for _, unit := range units {
		after, err := m.merged.sumUnit(ctx, unit, unit)
		if err != nil {
			return err
		}
		m.set.Units = append(m.set.Units, Unit{Path: unit, Before: cmp.Or(left[unit], m.draft.known.sumOf(unit)), After: after})
	}
	return nil
}
