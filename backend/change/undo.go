package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"fairlead/backend/leftover"
)

// Done is what an undo or a redo did.
type Done struct {
	// Sets are those that it made, in order.
	Sets []Set
	// Kept are the steps that were left out, because there is a conflict or it is not
	// known what was there.
	Kept []Step
}

// Paths are the paths that were changed, each once.
func (d Done) Paths() []leftover.Path {
	var paths []leftover.Path
	for _, s := range d.Sets {
		for _, c := range s.Changes {
			paths = append(paths, c.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// CarryOut does what a plan says, set by set. Conflicts stay as they are; so does what has
// changed since the plan was made. Where the system fails, it ends with what was done by then.
func (r *Recorder) CarryOut(ctx context.Context, plan Plan) (Done, error) {
	var done Done
	if err := r.begin(ctx); err != nil {
		return done, err
	}
	defer r.changing.Unlock()
	sets, err := r.Sets(ctx)
	if err != nil {
		return done, err
	}
	for i := 0; i < len(plan.Steps); {
		from := i
		for i < len(plan.Steps) && plan.Steps[i].Set.ID == plan.Steps[from].Set.ID {
			i++
		}
		steps := plan.Steps[from:i]
		of := slices.IndexFunc(sets, func(s Set) bool { return s.ID == steps[0].Set.ID })
		if of < 0 {
			return done, errStale
		}
		var undos []*Set
		for j := range sets {
			if slices.ContainsFunc(steps, func(s Step) bool { return s.undo == sets[j].ID }) {
				undos = append(undos, &sets[j])
			}
		}
		made, err := r.carryOutSet(ctx, &sets[of], undos, steps, &done)
		if made != nil && !made.Open && len(made.Changes) > 0 {
			done.Sets = append(done.Sets, *made)
		}
		if err != nil {
			return done, err
		}
		for _, step := range steps {
			if step.Verdict != Beside {
				continue
			}
			made, err := r.putBeside(ctx, &sets[of], step)
			if err != nil {
				return done, err
			}
			if len(made.Changes) > 0 {
				done.Sets = append(done.Sets, *made)
			} else {
				done.Kept = append(done.Kept, step)
			}
		}
	}
	return done, nil
}

// carryOutSet does the steps of one set: it takes them back, or makes them again where undos
// are given, which did take them back.
func (r *Recorder) carryOutSet(ctx context.Context, of *Set, undos []*Set, steps []Step, done *Done) (*Set, error) {
	set := r.newSet(of.CallID, ByUndo)
	set.RunID, set.Of = of.RunID, of.ID
	w, err := r.newWork(set)
	if err != nil {
		return nil, err
	}
	last := []*Set{of}
	if len(undos) > 0 {
		set.Source, last = ByRedo, undos
	}
	var units []Unit
	for _, s := range last {
		w.times, units = append(w.times, invertTimes(s.Times)...), append(units, s.Units...)
	}
	for _, undo := range undos {
		set.Undos = append(set.Undos, undo.ID)
	}
	steps = slices.Clone(steps)
	if err := w.holdChanged(ctx, units, steps); err != nil {
		w.tree.close()
		return nil, err
	}
	var taken []Step
	for _, step := range steps {
		switch step.Verdict {
		case Conflict, Impossible:
			done.Kept = append(done.Kept, step)
		case Restore:
			if err := w.addStep(step, of); err != nil {
				w.tree.close()
				return nil, err
			}
			taken = append(taken, step)
		case Nothing, Beside:
		}
	}
	if len(taken) == 0 {
		w.tree.close()
		return nil, nil
	}
	for _, unit := range units {
		set.Units = append(set.Units, Unit{Path: unit.Path, Before: unit.After})
	}
	if err := w.run(ctx); err != nil {
		w.tree.close()
		return nil, err
	}
	err = w.systemError()
	err = errors.Join(err, w.finish(context.WithoutCancel(ctx), append([]*Set{of}, undos...)...))
	made := map[leftover.Path]bool{}
	for _, c := range set.Changes {
		made[c.Path] = true
	}
	for _, step := range taken {
		if !made[step.Path()] {
			step.Verdict = Conflict
			done.Kept = append(done.Kept, step)
		}
	}
	return set, err
}

// systemError is the first error of a change that nobody else is the reason of.
func (w *work) systemError() error {
	for i, j := range w.jobs {
		if j.err == nil {
			continue
		}
		known := func(err error) bool { return errors.Is(j.err, err) }
		if !slices.ContainsFunc([]error{ErrChanged, errNoFolder, errNotEmpty, errHalf, fs.ErrExist, fs.ErrNotExist}, known) {
			return fmt.Errorf("change %s: %w", w.set.Changes[i].Path, j.err)
		}
	}
	return nil
}

// invertTimes are the times that folders had before, for those that still have the later one.
func invertTimes(times []FolderTime) []FolderTime {
	inverted := make([]FolderTime, len(times))
	for i, t := range times {
		inverted[i] = FolderTime{Path: t.Path, Before: t.After, After: t.Before, Closed: t.Closed}
	}
	return inverted
}

// addStep adds what a step does. A path that is no longer what the plan found is left out.
func (w *work) addStep(step Step, of *Set) error {
	planned := of.Changes[step.Index]
	now, err := w.tree.look(string(step.Path()))
	if err != nil {
		return err
	}
	// A unit was looked at as a whole: what says the same in other bytes is the same there.
	if step.Unit == "" {
		same, err := w.tree.holds(string(step.Path()), &now, step.Before)
		if err != nil || !same {
			return err
		}
	}
	c := Change{Path: step.Path(), Before: now, After: step.After, Op: opOf(now, step.After)}
	if c.Op == Mode && planned.Op == Modify {
		c.Op = Modify // another file can have the inode, the size and the time of the one before
	}
	if planned.Op == Mode {
		c.Op = Mode
		// The content is the same: by its sum it is known in another file too.
		sum := cmp.Or(c.Before.Sum, c.After.Sum, step.Before.Sum)
		c.Before.Sum, c.After.Sum = sum, sum
	}
	// Where another name of the file stays, it is linked to that again, or taken off.
	apart := false
	if planned.isLinked() == (w.set.Source == ByRedo) {
		c.Same = planned.Same
	} else {
		apart = planned.Same != "" && now.Links > 1
	}
	// What was moved is moved back: the two paths have changed parts.
	c.From, c.To = planned.To, planned.From
	if w.set.Source == ByRedo {
		c.From, c.To = planned.From, planned.To
	}
	if c.From != "" || c.To != "" {
		w.add(c, source{})
		return nil
	}
	object := step.object
	if step.below {
		if object, c.After.Sum, err = w.copyBelow(planned); err != nil {
			return err
		}
	}
	w.addJob(c, job{source: source{object: object, spare: step.spare, content: step.content}, apart: apart})
	return nil
}
