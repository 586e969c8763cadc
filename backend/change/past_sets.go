package change

import (
	"cmp"
	"path"

	"fairlead/backend/leftover"
)

// takeBack works out what was there before a set.
func (l *lookBack) takeBack(set *Set) error {
	if err := l.takeBackUnits(set); err != nil {
		return err
	}
	if err := l.takeBackTimes(set); err != nil {
		return err
	}
	moved := map[leftover.Path]pastCell{}
	for _, c := range set.Changes {
		if c.To != "" {
			cell, err := l.at(c.To)
			if err != nil {
				return err
			}
			moved[c.Path] = cell
		}
	}
	for i, c := range set.Changes {
		if c.Before.Kind == None && c.After.Kind == None {
			continue
		}
		cell, err := l.at(c.Path)
		if err != nil {
			return err
		}
		if err := l.touch(set, i, cell); err != nil {
			return err
		}
		if c.To != "" {
			cell = moved[c.Path]
		}
		before := pastCell{State: c.Before}
		switch c.Before.Kind {
		case File:
			before.content, err = l.find(c, cell)
		case Other:
			before.lost = Absence(LossSpecial)
		case None, Folder, Link:
		}
		if err != nil {
			return err
		}
		if c.Before.Kind == File && !before.content.isKnown() {
			before.lost = Absence(cmp.Or(c.Lost, LossFreed))
			if c.To != "" || c.Op == Mode { // it was not kept, because it stayed the same file
				before.lost = AbsentOthers
			}
		}
		l.past.cells[c.Path] = before
		delete(l.past.times, c.Path) // it is that of what was there
	}
	for _, c := range set.Changes {
		if c.To != "" && c.Before.Kind == Folder {
			m := folderMove{c.To, c.Path}
			l.moves = append(l.moves, m)
			l.past.cells, l.past.times = moveKeys(l.past.cells, m), moveKeys(l.past.times, m)
			l.units, l.broken = moveKeys(l.units, m), moveKeys(l.broken, m)
		}
	}
	return nil
}

// takeBackMoves works out what was in folders that lie elsewhere by now, and where they lay.
func (l *lookBack) takeBackMoves() error {
	all := lister{ctx: l.ctx, tree: l.tree}
	for i, m := range l.moves {
		places := []leftover.Path{m.to, l.moves[i:].follow(m.from)}
		if there, ok := l.moves[:i].present(m.from); ok {
			places = append(places, there)
		}
		for _, place := range places {
			top, err := l.tree.look(string(place))
			if err == nil && top.Kind != None {
				err = all.add(string(place), top)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, e := range all.all {
		for _, local := range []leftover.Path{l.moves.follow(e.Path), e.Path} {
			if _, known := l.past.cells[local]; known {
				continue
			}
			if there, ok := l.moves.present(local); ok && there == local {
				continue
			}
			cell, err := l.at(local)
			if err != nil {
				return err
			}
			l.past.cells[local] = cell
		}
	}
	return nil
}

// touch notes that a set has changed a path, and whether somebody else has since the last one did.
func (l *lookBack) touch(set *Set, index int, now pastCell) error {
	c := set.Changes[index]
	l.in[leftover.Path(path.Dir(string(c.Path)))] = true
	there, ok := l.moves.present(c.Path)
	if _, again := l.past.cells[c.Path]; again || !ok || l.touched[there] {
		return nil
	}
	l.touched[there] = true
	l.in[leftover.Path(path.Dir(string(there)))] = true
	is, err := l.tree.holds(string(there), &now.State, c.After)
	if err != nil || is {
		return err
	}
	text, err := l.textAfter(l.sets, set, c)
	if err == nil {
		l.past.overwritten[there] = text
	}
	return err
}

// find finds where the content is that a file had before a change: it is kept, or is what lies there
// after it.
func (l *lookBack) find(c Change, after pastCell) (pastContent, error) {
	if kept, err := l.kept(c); err != nil || kept.isKnown() {
		return kept, err
	}
	if after.sameContent(c.Before) || c.Op == Mode && after.sameContent(c.After) {
		return after.content, nil
	}
	for i := range l.sets {
		for _, other := range l.sets[i].Changes {
			if other.Kept != "" && other.Before.sameContent(c.Before) {
				if kept, err := l.kept(other); err != nil || kept.isKnown() {
					return kept, err
				}
			}
			if other.Copy != "" && other.After.sameContent(c.Before) {
				if text, err := l.Objects.readCopy(other); err != nil || text != nil {
					return pastContent{text: text}, err
				}
			}
		}
	}
	for _, local := range []leftover.Path{after.content.from, c.Path} {
		if local == "" {
			continue
		}
		if found, err := l.lies(local, c.Before); err != nil || found {
			return pastContent{from: local}, err
		}
	}
	return pastContent{}, nil
}

// lies reports whether a path of the folder, as it is, holds the content of a file.
func (l *lookBack) lies(local leftover.Path, wanted State) (bool, error) {
	state, err := l.tree.look(string(local))
	if err != nil || state.Kind != File {
		return false, err
	}
	wanted.Mode = state.Mode // the content alone counts
	return l.tree.holds(string(local), &state, wanted)
}

// kept returns the object that has what was there before a change, or its copy where others have
// written to that.
func (l *lookBack) kept(c Change) (pastContent, error) {
	if c.Kept == "" {
		return pastContent{}, nil
	}
	state, err := l.Objects.glance(c.Kept)
	if err != nil || state.Kind == None {
		return pastContent{}, err
	}
	if c.Spare != "" && c.Before.Sum != "" {
		sum, err := l.Objects.sum(c.Kept)
		if err != nil {
			return pastContent{}, err
		}
		if spare, err := l.Objects.glance(c.Spare); sum != c.Before.Sum && spare.Kind == File {
			return pastContent{object: c.Spare}, err
		}
	}
	return pastContent{object: c.Kept}, nil
}

// takeBackUnits works out what units were before a set.
func (l *lookBack) takeBackUnits(set *Set) error {
	for _, unit := range set.Units {
		sum, known := l.units[unit.Path]
		if there, ok := l.moves.present(unit.Path); !known && ok {
			var err error
			if sum, err = l.tree.sumUnit(l.ctx, unit.Path, there); err != nil {
				return err
			}
		}
		if sum != unit.After {
			l.broken[unit.Path] = true
		}
		l.units[unit.Path] = unit.Before
	}
	return nil
}

// takeBackTimes works out when folders had changed before a set.
func (l *lookBack) takeBackTimes(set *Set) error {
	for _, t := range set.Times {
		there, ok := l.moves.present(t.Path)
		is, known := l.past.times[t.Path]
		if cell, changed := l.past.cells[t.Path]; changed && !known {
			is = cell.Modified
		} else if !known && ok {
			now, err := l.tree.lookFolder(string(there))
			if err != nil {
				return err
			}
			is = now.Modified
			if _, seen := l.known[there]; !seen {
				l.known[there] = is == t.After
			}
		}
		if delete(l.past.times, t.Path); is == t.After {
			l.past.times[t.Path] = t.Before
		}
	}
	return nil
}
