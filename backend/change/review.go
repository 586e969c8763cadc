package change

import (
	"context"
	"errors"
	"slices"

	"fairlead/backend/leftover"
)

// Row is a path that a run changed, as the review of the run lists it: with one change, or
// with several, each of which began with what the one before had left. What others changed
// in between begins another row. What is in a row stays, whatever comes after the run; its
// Fate does not (SPEC CHG-06).
type Row struct {
	// Parts are its changes, in order.
	Parts []Part
	// Path is where it is, and From where it was moved from; empty for what was not moved.
	Path, From leftover.Path
	Op         Op
	// Before is what lay there before the first change, After what the last one left.
	Before, After State
	// Added and Removed count lines, where both are texts.
	Added, Removed int
	// Unit is the repository or database that it is part of; empty for none.
	Unit leftover.Path
	// Fate is what has become of it, and Lost why it cannot be taken back.
	Fate Fate
	Lost Loss
	// Taken are the headers of the hunks that were taken back.
	Taken []string
}

// Part is one change of a set.
type Part struct {
	Set   *Set
	Index int
}

// Change is the change itself.
func (p Part) Change() Change { return p.Set.Changes[p.Index] }

// Fate is what has become of what a run did to a path.
type Fate string

// The fates.
const (
	// Applied is for what is there as the run left it.
	Applied Fate = "applied"
	// Undone is for what was taken back, and Partly for that of which a part was.
	Undone Fate = "undone"
	Partly Fate = "partly"
	// Changed is for what somebody has changed since: to take it back is a conflict.
	Changed Fate = "changed"
	// Lost is for what cannot be taken back, because what was there before is not kept.
	Lost Fate = "lost"
)

// rowKey names a row by its first change.
type rowKey struct {
	set   string
	index int
}

// Review lists what a run changed, in the order in which it first did.
func (r *Recorder) Review(ctx context.Context, runID string) ([]Row, error) {
	sets, err := r.Sets(ctx)
	if err != nil {
		return nil, err
	}
	rows := rowsOf(sets, runID)
	plan, err := r.PlanUndo(ctx, Scope{Runs: []string{runID}})
	if err != nil {
		return nil, err
	}
	verdicts := map[rowKey]Step{}
	for _, s := range plan.Steps {
		verdicts[rowKey{s.Set.ID, s.Index}] = s
	}
	for i := range rows {
		rows[i].decideFate(verdicts)
		if len(rows[i].Parts) > 1 {
			if err := r.countAnew(sets, &rows[i]); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// rowsOf are the rows of a run.
func rowsOf(sets []Set, runID string) []Row {
	var rows []Row
	last := map[leftover.Path]int{}
	keys := map[rowKey]int{}
	for i := range sets {
		set := &sets[i]
		if set.Open || set.RunID != runID {
			continue
		}
		switch set.Source {
		case ByUndo, ByRedo, ByChoice:
			continue
		case ByHunks:
			if at, ok := keys[rowKey{set.Hunks.Set, set.Hunks.Index}]; ok && len(set.Changes) > 0 && !set.Changes[0].Undone {
				rows[at].Taken = set.Hunks.Headers
			}
			continue
		case ByTool, ByCommand:
		}
		for j, c := range set.Changes {
			if c.To != "" {
				continue // it stands where it was moved to
			}
			part := Part{set, j}
			if at, ok := last[c.Path]; ok && rows[at].leadsTo(c) {
				rows[at].add(part)
				continue
			}
			last[c.Path], keys[rowKey{set.ID, j}] = len(rows), len(rows)
			rows = append(rows, newRow(part))
		}
	}
	return rows
}

func newRow(p Part) Row {
	c := p.Change()
	row := Row{
		Parts: []Part{p}, Path: c.Path, From: c.From, Op: c.Op, Before: c.Before, After: c.After,
		Added: c.Added, Removed: c.Removed,
	}
	for _, unit := range p.Set.Units {
		if unit.Has(c) {
			row.Unit = unit.Path
		}
	}
	return row
}

// leadsTo reports whether a change goes on with what the row has left.
func (r Row) leadsTo(c Change) bool {
	created := r.Before.Kind == None && c.After.Kind == None // that is worth two rows
	return r.From == "" && c.From == "" && !created && r.After.sameContent(c.Before)
}

func (r *Row) add(p Part) {
	c := p.Change()
	r.Parts = append(r.Parts, p)
	r.After, r.Op = c.After, opOf(r.Before, c.After)
	r.Added, r.Removed = r.Added+c.Added, r.Removed+c.Removed
}

// decideFate finds out what has become of a row, by what an undo of the run would do.
func (r *Row) decideFate(steps map[rowKey]Step) {
	undone := 0
	r.Fate = Applied
	for _, p := range r.Parts {
		if p.Change().Undone {
			undone++
			continue
		}
		switch step := steps[rowKey{p.Set.ID, p.Index}]; step.Verdict {
		case Conflict:
			r.Fate = Changed
		case Impossible:
			r.Fate, r.Lost = Lost, step.Lost
		case Restore, Nothing, Beside:
		}
	}
	switch {
	case undone == len(r.Parts):
		r.Fate = Undone
	case r.Fate == Applied && (undone > 0 || len(r.Taken) > 0):
		r.Fate = Partly
	}
}

// countAnew counts the lines between the two ends of a row.
func (r *Recorder) countAnew(sets []Set, row *Row) error {
	before, after, ok, err := r.RowTexts(sets, *row)
	if err == nil && ok {
		_, row.Added, row.Removed = UnifiedDiff(string(row.Path), string(row.Path), before, after)
	}
	return err
}

// RowTexts returns what was at the path of a row before and after, as Texts does.
func (r *Recorder) RowTexts(sets []Set, row Row) (before, after []byte, ok bool, err error) {
	first, last := row.Parts[0], row.Parts[len(row.Parts)-1]
	if before, err = r.textBefore(sets, first.Set, first.Change()); err != nil {
		return nil, nil, false, err
	}
	if after, err = r.textAfter(sets, last.Set, last.Change()); err != nil {
		return nil, nil, false, err
	}
	return before, after, before != nil && after != nil, nil
}

// FindRow finds a row of a run by its first change, without its Fate, and returns it with the
// sets of the conversation. It fails with ErrNoRow.
func (r *Recorder) FindRow(ctx context.Context, runID, set string, index int) (Row, []Set, error) {
	sets, err := r.Sets(ctx)
	if err != nil {
		return Row{}, nil, err
	}
	for _, row := range rowsOf(sets, runID) {
		if first := row.Parts[0]; first.Set.ID == set && first.Index == index {
			return row, sets, nil
		}
	}
	return Row{}, nil, ErrNoRow
}

// The errors of choosing hunks.
var (
	// ErrNoRow means that a run has no such row.
	ErrNoRow = errors.New("the run has no such change")
	// ErrNoHunks means that a row has no hunks to choose from: it is not a text that was
	// changed, or it was taken back.
	ErrNoHunks = errors.New("it has no parts that could be taken back by themselves")
	// ErrConflict means that somebody has changed the same lines since.
	ErrConflict = errors.New("the same lines were changed since")
)

// ChooseHunks has hunks of a row taken back, those that the headers name, and the others be
// there. What others have changed elsewhere in the file stays. It returns nil where all is as
// chosen, and fails with ErrNoRow, ErrNoHunks or ErrConflict.
func (r *Recorder) ChooseHunks(ctx context.Context, runID string, choice HunkChoice) (*Set, error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	defer r.changing.Unlock()
	row, sets, err := r.FindRow(ctx, runID, choice.Set, choice.Index)
	if err != nil {
		return nil, err
	}
	if !row.HasHunks() {
		return nil, ErrNoHunks
	}
	before, after, ok, err := r.RowTexts(sets, row)
	if err == nil && !ok {
		err = ErrNoHunks
	}
	if err != nil {
		return nil, err
	}
	last := row.Parts[len(row.Parts)-1].Set
	set := r.newSet(last.CallID, ByHunks)
	set.RunID, set.Hunks = runID, &choice
	w, err := r.newWork(set)
	if err != nil {
		return nil, err
	}
	is, wanted := WithoutHunks(before, after, row.Taken), WithoutHunks(before, after, choice.Headers)
	if err := w.addHunks(row, is, wanted); err != nil || len(set.Changes) == 0 {
		w.tree.close()
		return nil, err
	}
	return w.runToEnd(ctx)
}

// HasHunks reports whether parts of a row can be taken back by themselves.
func (r Row) HasHunks() bool {
	undone := slices.ContainsFunc(r.Parts, func(p Part) bool { return p.Change().Undone })
	return r.Before.Kind == File && r.After.Kind == File && r.Unit == "" && r.From == "" && !undone
}

// addHunks adds what makes one text of another, in the file as it is now.
func (w *work) addHunks(row Row, is, wanted []byte) error {
	at, err := w.tree.spotOf(string(row.Path))
	if errors.Is(err, errNoFolder) {
		return ErrConflict
	}
	if err != nil {
		return err
	}
	now, err := at.look()
	if err != nil {
		return err
	}
	found, err := readText(at.dir, at.name)
	if err != nil {
		return err
	}
	if found == nil {
		return ErrConflict
	}
	made, ok := merge(string(is), string(found), string(wanted))
	if !ok {
		return ErrConflict
	}
	if made == string(found) {
		return nil
	}
	content := []byte(made)
	after := State{Kind: File, Size: int64(len(content)), Sum: SumOf(content), Mode: now.Mode}
	_, added, removed := UnifiedDiff("", "", found, content)
	w.add(Change{
		Path: row.Path, Op: Modify, Before: now, After: after, Added: added, Removed: removed,
	}, source{content: content})
	return nil
}
