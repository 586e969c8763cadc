package change

import (
	"slices"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// draftEntry is what lies in the layer of a draft at a path.
type draftEntry struct {
	State
	// gone is set where it stands for nothing, and opaque for a folder that hides what the folder below
	// has there.
	gone, opaque bool
}

// draftDifference is a path of a draft's layer that is not as it was at the last look.
type draftDifference struct {
	path string
	// was is what lay there, if known is set, and is what lies there now; nothing where there is none
	// set.
	was, is      draftEntry
	known, there bool
}

// takeDifferences looks at the layer, and returns what has changed since the last look, in order. It
// reports whether there was none.
func (d *Draft) takeDifferences() (found []draftDifference, first bool, err error) {
	now, err := d.look()
	if err != nil {
		return nil, false, err
	}
	before := d.seen
	d.seen, d.seenBefore = now, before
	if before == nil {
		return nil, true, nil
	}
	for name, is := range now {
		was, known := before[name]
		if !known || was.gone != is.gone || !is.isUntouched(was.State) {
			found = append(found, draftDifference{name, was, is, known, true})
		}
	}
	for name, was := range before {
		if _, there := now[name]; !there {
			found = append(found, draftDifference{path: name, was: was, known: true})
		}
	}
	slices.SortFunc(found, func(a, b draftDifference) int { return comparePaths(leftover.Path(a.path), leftover.Path(b.path)) })
	return found, false, nil
}

// Copies lists paths at which something lies in the draft that was copied from the folder, as far as
// they fit, as of the last look for RecordDraft.
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
