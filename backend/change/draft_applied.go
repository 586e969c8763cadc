package change

import (
	"errors"
	"io/fs"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// settleDraft has what was made of a draft count as the folder's again, in the draft too. It can be
// done again: the set stays open until it was.
func (w *work) settleDraft() error {
	if w.pending == nil || w.pending.draft == nil {
		return nil
	}
	d := w.pending.draft
	upper, err := newTree(Opened{d.Upper, "."})
	if err != nil {
		return err
	}
	defer upper.close()
	w.clearMade(upper)
	var lines []touchedLine
	for _, c := range w.set.Changes {
		lines = append(lines, touchedLine{Path: c.Path, Applied: true})
	}
	for _, unit := range w.set.Units {
		if _, known := d.known.units[unit.Path]; !known {
			continue
		}
		line := touchedLine{Unit: unit.Path, Applied: true}
		if hasRest(d, unit.Path) {
			line = touchedLine{Unit: unit.Path, Sum: unit.After} // it was cut off in the middle
		}
		lines = append(lines, line)
	}
	since, err := d.layer.Stamp()
	if err != nil {
		return err
	}
	return d.known.note(append(append(lines, w.findLeft()...), touchedLine{Since: since}))
}

// clearMade removes from the layer of the draft what is in the folder by now, or gone from it, and would
// keep what others change there from being seen in the draft. What cannot be removed does no more than
// that.
func (w *work) clearMade(upper *tree) {
	look := layerLook{upper: upper, lower: w.tree}
	for _, c := range w.set.Changes {
		at, err := upper.spotOf(string(c.Path))
		if err != nil {
			continue // its folder has come to the folder as a whole, or is gone
		}
		info, err := at.dir.Lstat(at.name)
		if err != nil || info.IsDir() {
			continue
		}
		if overlay.IsWhiteout(info) && c.After.Kind == None || w.pending.merged[c.Path] != nil || look.isLike(c, stateOf(info)) {
			_ = at.dir.Remove(at.name)
		}
	}
}

// isLike reports whether what a change has left in the folder is what lies in the layer.
func (l *layerLook) isLike(c Change, above State) bool {
	if c.After.Kind != File || above.Kind != File {
		return false
	}
	below, err := l.lower.glance(string(c.Path))
	if err != nil {
		return false
	}
	same, err := l.equal(string(c.Path), string(c.Path), below, above)
	return same && err == nil
}

// hasRest reports whether anything of a unit is still in the layer of a draft.
func hasRest(d *Draft, unit leftover.Path) bool {
	errFound := errors.New("found")
	for _, local := range append([]string{string(unit)}, besides(string(unit))...) {
		err := Walk(d.Upper, local, func(_ string, info fs.FileInfo) error {
			if info.IsDir() {
				return nil
			}
			return errFound
		})
		if errors.Is(err, errFound) {
			return true
		}
	}
	return false
}

// findLeft returns when paths that the draft still changes were changed in the folder by what was made:
// folders in which something was, other names of files, and what could not be changed after all.
func (w *work) findLeft() []touchedLine {
	var lines []touchedLine
	add := func(local leftover.Path, isOwn func(now State) bool) {
		if now, err := w.tree.glance(string(local)); err == nil && now.Kind != None && isOwn(now) {
			lines = append(lines, touchedLine{Path: local, Left: now.Changed})
		}
	}
	for _, t := range w.set.Times {
		if t.Path != "." {
			add(t.Path, func(now State) bool { return now.Modified == t.After })
		}
	}
	linked := map[uint64]State{}
	for _, c := range w.set.Changes {
		if c.Before.Kind == File && c.Before.Links > 1 {
			linked[c.Before.Inode] = c.Before
		}
	}
	isSame := func(now, was State) bool { return now.isSameFile(was) && now.Mode == was.Mode }
	isLinked := func(now State) bool { return isSame(now, linked[now.Inode]) }
	if len(linked) > 0 {
		for local := range w.pending.draft.known.paths {
			add(leftover.Path(local), isLinked)
		}
		for _, c := range w.pending.Changes {
			add(c.Path, isLinked)
		}
	}
	for _, c := range w.unmade {
		add(c.Path, func(now State) bool { return isSame(now, c.Before) })
	}
	return lines
}
