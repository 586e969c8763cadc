package change

import (
	"context"
	"path"
	"slices"
	"time"

	"fairlead/backend/leftover"
)

// Past is what the folder held at an earlier time, as far as what the conversation has changed in it
// since then tells (SPEC PRE-09).
type Past struct {
	// At is that time.
	At time.Time `json:"at"`
	// HasDraft reports whether what was in the draft of the conversation by then is in this one too. InDraft
	// counts what was, where it is not.
	HasDraft bool `json:"-"`
	InDraft  int  `json:"inDraft,omitempty"`
	// Missing are paths that are not as they were, or of which that is not known, in order; More
	// counts those that are not listed, and Ignored those that others have changed and git ignores.
	Missing []Missing `json:"missing"`
	More    int       `json:"more,omitempty"`
	Ignored int       `json:"ignored,omitempty"`

	// cells are what paths held that were changed since, and times those of folders.
	cells map[leftover.Path]pastCell
	times map[leftover.Path]int64
	// overwritten are paths that others have changed after the conversation did, with the text that
	// this left there; nil where it is not known.
	overwritten map[leftover.Path][]byte
}

// Missing is a path that is not as it was.
type Missing struct {
	Path leftover.Path `json:"path"`
	Why  Absence       `json:"why"`
}

// Absence is why a path is not as it was.
type Absence string

// The absences. The others are those of Loss.
const (
	// AbsentOthers is for what somebody else has changed since.
	AbsentOthers Absence = "others"
	// AbsentUnit is for a repository or a database that somebody else has changed since, of which
	// nothing is put back.
	AbsentUnit Absence = "unit"
	// AbsentDeleted is for a folder from which somebody else may have deleted something.
	AbsentDeleted Absence = "deleted"
)

// maxMissing is how many paths are listed.
const maxMissing = 200

// pastCell is what a path held.
type pastCell struct {
	State
	// content is where its content is, for a file.
	content pastContent
	// lost is why it is not known.
	lost Absence
}

// pastContent is where the content of a file is kept: in an object or at a path of the folder, or as a
// text that was copied.
type pastContent struct {
	object string
	from   leftover.Path
	text   []byte
}

func (c pastContent) isKnown() bool { return c.object != "" || c.from != "" || c.text != nil }

// lookBack is a look at what sets have changed, the last first.
type lookBack struct {
	*Recorder
	ctx  context.Context //nolint:containedctx // it lasts as long as the look
	tree *tree
	sets []Set
	past *Past
	// moves are folders that lie elsewhere by now, in the order in which they are moved back.
	moves folderMoves
	// touched are paths of the folder, as it is, that were changed, and in are the folders in which
	// something was.
	touched, in map[leftover.Path]bool
	// units are the sums that units had, and broken those that somebody else has changed.
	units  map[leftover.Path]string
	broken map[leftover.Path]bool
	// known are folders, as they lie now, of which the last set explains the time, or does not.
	known map[leftover.Path]bool
}

// lookBackTo works out what the folder held at a time. ignored reports whether git ignores a path. The
// caller keeps anything from being changed meanwhile.
func (r *Recorder) lookBackTo(ctx context.Context, at time.Time, ignored func(local string) bool) (*Past, error) {
	sets, err := r.Sets(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.Objects.open(); err != nil {
		return nil, err
	}
	t, err := newTree(r.top()...)
	if err != nil {
		return nil, err
	}
	defer t.close()
	l := &lookBack{
		Recorder: r, ctx: ctx, tree: t, sets: sets, touched: map[leftover.Path]bool{}, in: map[leftover.Path]bool{},
		units: map[leftover.Path]string{}, broken: map[leftover.Path]bool{}, known: map[leftover.Path]bool{},
		past: &Past{
			At: at, Missing: []Missing{}, cells: map[leftover.Path]pastCell{}, times: map[leftover.Path]int64{},
			overwritten: map[leftover.Path][]byte{},
		},
	}
	for i := range slices.Backward(sets) {
		if sets[i].Made.Before(at) {
			continue
		}
		if err := l.takeBack(&sets[i]); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if err := l.takeBackMoves(); err != nil {
		return nil, err
	}
	l.leaveOut()
	return l.past, l.findOthers(ignored)
}

// sortMissing puts what is missing in order, and keeps as much of it as is listed.
func (p *Past) sortMissing() {
	slices.SortFunc(p.Missing, func(a, b Missing) int { return comparePaths(a.Path, b.Path) })
	p.Missing = slices.Compact(p.Missing)
	if more := len(p.Missing) - maxMissing; more > 0 {
		p.Missing, p.More = p.Missing[:maxMissing], more
	}
}

// at returns what a path holds before all sets that were taken back so far.
func (l *lookBack) at(local leftover.Path) (pastCell, error) {
	if cell, ok := l.past.cells[local]; ok {
		return cell, nil
	}
	now, ok := l.moves.present(local)
	if !ok {
		return pastCell{}, nil
	}
	state, err := l.tree.look(string(now))
	return pastCell{State: state, content: pastContent{from: now}}, err
}

// leaveOut leaves what cannot be put back as it is, and lists it.
func (l *lookBack) leaveOut() {
	for local, cell := range l.past.cells {
		if unit := l.unitOf(local); unit != "" && cell.lost != "" {
			l.broken[unit] = true
		}
	}
	for local, cell := range l.past.cells {
		switch {
		case l.broken[l.unitOf(local)]:
			delete(l.past.cells, local)
		case cell.lost != "":
			l.miss(local, cell.lost)
			delete(l.past.cells, local)
		case cell.Kind == File && cell.Modified >= l.past.At.UnixNano():
			l.miss(local, AbsentOthers) // before the conversation did
		}
	}
	for unit := range l.broken {
		l.miss(unit, AbsentUnit)
	}
}

// unitOf is the unit, of those that were changed, that a path is part of; empty for none.
func (l *lookBack) unitOf(local leftover.Path) leftover.Path {
	for unit := range l.units {
		if inUnit(local, unit) {
			return unit
		}
	}
	return ""
}

func (l *lookBack) miss(local leftover.Path, why Absence) {
	l.past.Missing = append(l.past.Missing, Missing{local, why})
}

// findOthers lists what somebody else has changed since. What was deleted is known by the folder that
// it was in alone.
func (l *lookBack) findOthers(ignored func(local string) bool) error {
	since := l.past.At.UnixNano()
	folders := map[leftover.Path]bool{}
	units, others := map[leftover.Path]bool{}, map[leftover.Path]bool{}
	top, err := l.tree.lookFolder(".")
	if err != nil {
		return err
	}
	folders["."] = top.Modified >= since
	err = l.Each(l.ctx, func(local leftover.Path, is State) {
		switch unit := UnitOf(local); {
		case is.Changed < since, l.unitOf(local) != "": // of those the sums tell
		case unit != "":
			units[unit] = true
		case is.Kind == Folder:
			folders[local] = is.Modified >= since
		case !l.touched[local]:
			others[local] = true
		}
	})
	if err != nil {
		return err
	}
	for unit := range units {
		l.miss(unit, AbsentUnit)
	}
	explained := map[leftover.Path]bool{}
	for local := range others {
		explained[leftover.Path(path.Dir(string(local)))] = true
		if ignored(string(local)) {
			l.past.Ignored++
		} else {
			l.miss(local, AbsentOthers)
		}
	}
	for unit := range units {
		explained[leftover.Path(path.Dir(string(unit)))] = true
	}
	for local, changed := range folders {
		explains, known := l.known[local]
		if !changed || explained[local] || known && explains || !known && (l.in[local] || l.touched[local]) || local != "." && ignored(string(local)) {
			continue
		}
		l.miss(local, AbsentDeleted)
	}
	return nil
}
