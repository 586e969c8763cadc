package change

import (
	"maps"
	"slices"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// draftEntry is what lies in the layer of a draft at a path.
type draftEntry struct {
	State
	// gone is set where it stands for nothing.
	gone bool
}

// DraftChanges is Note, and returns what was changed in a draft since it was called last, as far
// as that is to be named: the paths of files and links, and of folders that came or went, in
// order. The first call returns nothing.
func (r *Recorder) DraftChanges(d *Draft) ([]Change, error) {
	now, err := d.look()
	if err != nil {
		return nil, err
	}
	before := d.seen
	if d.seen = now; before == nil {
		return nil, nil
	}
	lower, err := newTree(r.top()...)
	if err != nil {
		return nil, err
	}
	defer lower.close()
	var changes []Change
	add := func(name string, was, is draftEntry) error {
		c := Change{Path: leftover.Path(name), Before: was.State, After: is.State}
		if _, known := before[name]; !known {
			if c.Before, err = lower.look(name); err != nil {
				return err
			}
		}
		if was.gone {
			c.Before = State{}
		}
		if is.gone {
			c.After = State{}
		}
		if c.Op = opOf(c.Before, c.After); c.Before.Kind != c.After.Kind || c.After.Kind != Folder {
			changes = append(changes, c)
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, is := before[name], now[name]; was.gone != is.gone || !is.isUntouched(was.State) {
			if err := add(name, was, is); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, there := now[name]; !there && !before[name].gone {
			if err := add(name, before[name], draftEntry{gone: true}); err != nil {
				return nil, err
			}
		}
	}
	return changes, nil
}

// Copies lists paths at which something lies in the draft that was copied from the folder, as far as
// they fit, as of the last call of DraftChanges.
func (d *Draft) Copies(fits func(local string) bool) []string {
	upper, err := newTree(Opened{d.Upper, "."})
	if err != nil {
		return nil
	}
	defer upper.close()
	var found []string
	for name, entry := range d.seen {
		if entry.gone || !fits(name) {
			continue
		}
		at, err := upper.spotOf(name)
		if err != nil {
			continue
		}
		if state, err := at.look(); err == nil && overlay.IsCopied(state.Attributes) {
			found = append(found, name)
		}
	}
	return found
}
