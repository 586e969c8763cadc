package change

import (
	"cmp"
	"slices"

	"fairlead/backend/leftover"
)

// folderMove is a folder that a plan moves, with all that is in it.
type folderMove struct{ from, to leftover.Path }

// folderMoves are those of a plan, in order.
type folderMoves []folderMove

// moveFolder notes that a folder would have been moved: what it would hold is found by other
// paths from then on.
func (p *planning) moveFolder(m folderMove) {
	p.moves = append(p.moves, m)
	p.left = moveKeys(p.left, m)
	p.units = moveKeys(p.units, m)
}

// moveKeys has what is known of paths in a folder that is moved be known by their new ones,
// at which there is nothing any more by then.
func moveKeys[V any](all map[leftover.Path]V, m folderMove) map[leftover.Path]V {
	renamed := make(map[leftover.Path]V, len(all))
	for local, value := range all {
		switch {
		case local != m.from && isWithin(string(local), string(m.from)):
			local = m.to + local[len(m.from):]
		case local != m.to && isWithin(string(local), string(m.to)):
			continue
		}
		renamed[local] = value
	}
	return renamed
}

// presentPath is folderMoves.present of the moves so far.
func (p *planning) presentPath(local leftover.Path) (leftover.Path, bool) {
	return p.moves.present(local)
}

// present is the path at which lies now what a path would hold after the folders were moved; false
// where nothing would.
func (all folderMoves) present(local leftover.Path) (leftover.Path, bool) {
	for _, m := range slices.Backward(all) {
		switch {
		case isWithin(string(local), string(m.to)):
			local = m.from + local[len(m.to):]
		case isWithin(string(local), string(m.from)):
			return "", false
		}
	}
	return local, true
}

// follow is the path that what lies at one has once the folders were moved.
func (all folderMoves) follow(local leftover.Path) leftover.Path {
	for _, m := range all {
		if isWithin(string(local), string(m.from)) {
			local = m.to + local[len(m.from):]
		}
	}
	return local
}

// holdMoved makes conflicts of moves of which only one path is as it was left.
func (p *planning) holdMoved(steps []Step) {
	verdicts := map[leftover.Path]Verdict{}
	for _, s := range steps {
		verdicts[s.Path()] = s.Verdict
	}
	for i := range steps {
		s := &steps[i]
		c := s.Set.Changes[s.Index]
		if other, ok := verdicts[cmp.Or(c.From, c.To)]; ok && other != Restore && s.Verdict == Restore {
			p.hold(s)
		}
	}
}
