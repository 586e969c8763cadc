package change

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fairlead/backend/leftover"
)

// UnitAt is the repository or the database that a change is part of, by its index, and with which
// it is applied as a whole or not at all; empty for none.
func (p *Pending) UnitAt(index int) leftover.Path { return p.units[index] }

// findUnits finds the repositories and databases that are changed.
func (l *layerLook) findUnits() {
	beside := map[leftover.Path]bool{}
	for _, c := range l.pending.Changes {
		if slices.ContainsFunc(databaseSuffixes, func(suffix string) bool { return strings.HasSuffix(string(c.Path), suffix) }) {
			beside[c.Path] = true
		}
	}
	for i, c := range l.pending.Changes {
		unit := UnitOf(c.Path)
		if unit == "" {
			log := c.Path + "-wal"
			if !beside[log] && (c.Before.Kind != File || !isThere(l.lower, log)) {
				continue
			}
			unit = c.Path
		}
		if l.pending.units == nil {
			l.pending.units = map[int]leftover.Path{}
		}
		l.pending.units[i] = unit
	}
}

func isThere(t *tree, local leftover.Path) bool {
	now, err := t.glance(string(local))
	return err == nil && now.Kind != None
}

// collideUnits makes collisions of all changes of a unit where something in it, changed by the
// command or not, was changed by somebody else too.
func (l *layerLook) collideUnits() error {
	own := map[leftover.Path][]int{}
	for i, unit := range l.pending.units {
		own[unit] = append(own[unit], i)
	}
	for unit, indexes := range own {
		since, collision := l.since(string(l.pending.Changes[indexes[0]].Path)), Collision("")
		for _, i := range indexes {
			since = min(since, l.since(string(l.pending.Changes[i].Path)))
			if one := l.pending.Collisions[i]; collision == "" || one == CollisionOpen {
				collision = one
			}
		}
		if collision != CollisionOpen {
			changed, err := l.isUnitChanged(unit, since, collision != "")
			if err != nil {
				return err
			}
			if collision = ""; changed {
				collision = CollisionMeanwhile
			}
		}
		for _, i := range indexes {
			delete(l.pending.Collisions, i)
			if collision != "" {
				l.pending.Collisions[i] = collision
			}
		}
	}
	return nil
}

// isUnitChanged reports whether somebody else has changed something in a unit of the folder. touched
// is set where they have changed one of the paths that the command has. Where it is known what the
// unit was, only that counts which says something else: git notes in its index, at every look, what
// it sees of the files.
func (l *layerLook) isUnitChanged(unit leftover.Path, since int64, touched bool) (bool, error) {
	was := l.unit(unit)
	if !touched {
		var err error
		if touched, err = l.lower.isTouched(unit, since); err != nil {
			return false, err
		}
	}
	if !touched || was == "" {
		return touched, nil
	}
	now, err := l.lower.sumUnit(l.ctx, unit, unit)
	return now != was, err
}

// isTouched reports whether something in a unit was changed at a time or later.
func (t *tree) isTouched(unit leftover.Path, since int64) (bool, error) {
	errFound := errors.New("found")
	for _, local := range append([]string{string(unit)}, besides(string(unit))...) {
		if strings.HasSuffix(local, sharedMemory) {
			continue // readers change it too
		}
		err := Walk(t.lent[0].root, local, func(_ string, info fs.FileInfo) error {
			if stateOf(info).Changed >= since {
				return errFound
			}
			return nil
		})
		if errors.Is(err, errFound) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// wholeUnits returns which changes are chosen where those of a unit are so all or not at all.
func (p *Pending) wholeUnits(chosen func(index int) bool) func(index int) bool {
	broken := map[leftover.Path]bool{}
	for i, unit := range p.units {
		if !chosen(i) {
			broken[unit] = true
		}
	}
	return func(i int) bool { return chosen(i) && !broken[p.units[i]] }
}

// keepObjects keeps all objects of repositories that somebody else has changed too, and of which
// the user has chosen what the layer has: a commit of theirs may need one that was deleted there.
// It returns which changes are chosen besides, and has the layer no longer delete the objects.
func (w *work) keepObjects(p *Pending, chosen func(index int) bool) (func(index int) bool, error) {
	goes := map[leftover.Path]bool{} // with all that is in it
	for _, c := range p.Changes {
		goes[c.Path] = c.After.Kind == None
	}
	kept := map[int]bool{}
	for i, c := range p.Changes {
		unit := p.units[i]
		if p.Collisions[i] == "" || c.After.Kind != None || goes[unit] || !isNamedByContent(c.Path) || !chosen(i) {
			continue
		}
		kept[i] = true
		at, err := w.upper.spotOf(string(c.Path))
		if errors.Is(err, errNoFolder) {
			continue // it goes with a folder
		}
		if err == nil {
			err = at.dir.Remove(at.name)
		}
		if err != nil {
			return nil, fmt.Errorf("keep %s: %w", c.Path, err)
		}
	}
	return func(i int) bool { return chosen(i) && !kept[i] }, nil
}

// dropBrokenUnits leaves out what is changed in units of which something that was chosen is no
// longer as it was when the layer was read.
func (w *work) dropBrokenUnits(p *Pending, wanted []Change) {
	if len(p.units) == 0 {
		return
	}
	unitOf := map[leftover.Path]leftover.Path{}
	for i, unit := range p.units {
		unitOf[p.Changes[i].Path] = unit
	}
	missing := map[leftover.Path]int{}
	for _, c := range wanted {
		missing[unitOf[c.Path]]++
	}
	for _, c := range w.set.Changes {
		missing[unitOf[c.Path]]--
	}
	kept := 0
	for i, c := range w.set.Changes {
		if unit := unitOf[c.Path]; unit == "" || missing[unit] == 0 {
			w.set.Changes[kept], w.jobs[kept] = c, w.jobs[i]
			kept++
		}
	}
	w.set.Changes, w.jobs = w.set.Changes[:kept], w.jobs[:kept]
}
