package change

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"fairlead/backend/leftover"
)

// Verdict is what an undo or a redo would do to a path.
type Verdict string

// The verdicts.
const (
	// Restore is for a path that is as it was left: it becomes what it was.
	Restore Verdict = "restore"
	// Nothing is for one that already is what it would become.
	Nothing Verdict = "nothing"
	// Conflict is for one that somebody else has changed: it stays, unless the user
	// chooses.
	Conflict Verdict = "conflict"
	// Impossible is for one of which it is not kept what it was.
	Impossible Verdict = "impossible"
	// Beside is for a conflict of which the user wants both: the path stays, and what it was is
	// put beside it, under another name.
	Beside Verdict = "beside"
)

// Choice is what the user wants of a conflict.
type Choice string

// The choices.
const (
	// Mine leaves the path as it is.
	Mine Choice = "mine"
	// Overwrite makes it what it was all the same.
	Overwrite Choice = "restore"
	// Both leaves it, and puts what it was beside it.
	Both Choice = "both"
	// Merged takes only the lines back that the change is about. Where somebody has changed the
	// same ones, it stays a conflict.
	Merged Choice = "merge"
)

// Step is what an undo or a redo would do to one path of a set.
type Step struct {
	// Set is the one that is taken back or made again, and Index the change in it.
	Set   *Set
	Index int
	// Before is what lies there, After what would.
	Before, After State
	Verdict       Verdict
	// Lost is why it is impossible.
	Lost Loss
	// Unit is the repository or database that it is part of; empty for none.
	Unit leftover.Path
	// Meanwhile reports whether the change was only seen while a command ran: somebody else may
	// have made it.
	Meanwhile bool
	// Chosen is what the user chose of a conflict, and To the path of what is put beside it.
	Chosen Choice
	To     leftover.Path

	// undo is the id of the undo that a redo takes back.
	undo string
	// below reports whether the folder below the draft has what would lie there.
	below bool
	// object holds what would lie there, or content is it.
	object, spare string
	content       []byte
	// left is what the steps before would leave, if isLeft.
	left   leftState
	isLeft bool
}

// Path is the path of the step.
func (s Step) Path() leftover.Path { return s.Set.Changes[s.Index].Path }

// Plan is what an undo or a redo would do, in the order in which it is done. It is worked out
// from what is there at the moment.
type Plan struct {
	Redo  bool
	Steps []Step
}

// Count counts the steps of a verdict.
func (p Plan) Count(verdict Verdict) (n int) {
	for _, s := range p.Steps {
		if s.Verdict == verdict {
			n++
		}
	}
	return n
}

// Scope chooses what is taken back or made again.
type Scope struct {
	// Runs, Calls and Paths name it; those that are empty leave it open. A path stands for
	// what is in it too.
	Runs, Calls, Paths []string
	// Choices are what the user wants of conflicts, by their paths.
	Choices map[leftover.Path]Choice
}

// has reports whether a change of a set is in the scope.
func (s Scope) has(set *Set, c Change) bool {
	chosen := func(list []string, one string) bool { return len(list) == 0 || slices.Contains(list, one) }
	inCalls := len(s.Calls) == 0 || slices.Contains(s.Calls, set.CallID) ||
		slices.ContainsFunc(set.Others, func(id string) bool { return slices.Contains(s.Calls, id) })
	inPaths := len(s.Paths) == 0 || slices.ContainsFunc(s.Paths, func(p string) bool {
		// What was moved is in it by both of its paths: it is moved back as a whole.
		return isWithin(string(c.Path), p) || c.From != "" && isWithin(string(c.From), p) || c.To != "" && isWithin(string(c.To), p)
	})
	return chosen(s.Runs, set.RunID) && inCalls && inPaths
}

// isWithin reports whether a path is another one, or lies in it.
func isWithin(local, dir string) bool {
	return local == dir || dir == "." || len(local) > len(dir) && local[:len(dir)] == dir && local[len(dir)] == '/'
}

// planning is a plan that is being made. It follows what the steps so far would leave.
type planning struct {
	*Recorder
	ctx  context.Context //nolint:containedctx // it lasts as long as the plan
	tree *tree
	// left is what paths would hold by now, and units the sums that units would have.
	left  map[leftover.Path]leftState
	units map[leftover.Path]string
	// moves are the folders that would have been moved by now, in order.
	moves folderMoves
	// sets are those of the conversation, in order, and choices what is wanted of conflicts.
	sets    []Set
	choices map[leftover.Path]Choice
	plan    Plan
}

// leftState is what a path would hold, and the object that would be there, or a text that is
// merged; neither for another content.
type leftState struct {
	State
	object string
	text   []byte
}

// PlanUndo works out what taking back would do: the last set first.
func (r *Recorder) PlanUndo(ctx context.Context, scope Scope) (Plan, error) {
	return r.MakePlan(ctx, scope, false)
}

// PlanRedo works out what making again would do what was taken back: the first set first.
func (r *Recorder) PlanRedo(ctx context.Context, scope Scope) (Plan, error) {
	return r.MakePlan(ctx, scope, true)
}

// MakePlan is PlanRedo or, without redo, PlanUndo.
func (r *Recorder) MakePlan(ctx context.Context, scope Scope, redo bool) (Plan, error) {
	if err := r.begin(ctx); err != nil {
		return Plan{}, err
	}
	r.changing.Unlock()
	sets, err := r.Sets(ctx)
	if err != nil {
		return Plan{}, err
	}
	t, err := newTree(r.top()...)
	if err != nil {
		return Plan{}, err
	}
	defer t.close()
	p := &planning{
		Recorder: r, ctx: ctx, tree: t, left: map[leftover.Path]leftState{}, units: map[leftover.Path]string{},
		sets: sets, choices: scope.Choices, plan: Plan{Redo: redo},
	}
	undos := lastUndos(sets)
	for i := range sets {
		set := &sets[i]
		if !redo {
			set = &sets[len(sets)-1-i]
		}
		if set.Open || set.Source == ByUndo || set.Source == ByRedo {
			continue
		}
		if set.Source == ByChoice && len(scope.Paths) == 0 {
			continue // the user wanted it
		}
		if err := p.planSet(set, undos[set.ID], scope); err != nil {
			return Plan{}, err
		}
		if err := ctx.Err(); err != nil {
			return Plan{}, err
		}
	}
	return p.plan, p.nameBeside()
}

// lastUndos are the undos of each set, the last one first.
func lastUndos(sets []Set) map[string][]*Set {
	undos := map[string][]*Set{}
	for i := range slices.Backward(sets) {
		if s := &sets[i]; s.Source == ByUndo && !s.Open {
			undos[s.Of] = append(undos[s.Of], s)
		}
	}
	return undos
}

// planSet plans the changes of one set.
func (p *planning) planSet(set *Set, undos []*Set, scope Scope) error {
	var steps []Step
	units := set.Units
	var undone map[leftover.Path]undoneChange
	if p.plan.Redo {
		undone = findUndone(undos)
	}
	for i, c := range set.Changes {
		if !scope.has(set, c) || c.Undone != p.plan.Redo {
			continue
		}
		step := Step{Set: set, Index: i, After: c.Before, object: c.Kept, spare: c.Spare, Lost: c.Lost, Meanwhile: set.MayBeOthers()}
		left := c.After
		if p.plan.Redo {
			found, ok := undone[c.Path]
			if !ok {
				continue
			}
			undo, own := found.undo, found.change
			step = Step{Set: set, Index: i, After: own.Before, undo: undo.ID, object: own.Kept, spare: own.Spare, Lost: own.Lost}
			left, units = own.After, undo.Units
		}
		if err := p.planStep(&step, left); err != nil {
			return err
		}
		steps = append(steps, step)
	}
	err := p.holdUnits(steps, units)
	p.holdMoved(steps)
	err = errors.Join(err, p.resolveConflicts(steps))
	for _, s := range steps {
		if c := s.Set.Changes[s.Index]; s.Verdict == Restore && s.After.Kind == Folder && cmp.Or(c.From, c.To) != "" {
			p.moveFolder(folderMove{cmp.Or(c.From, c.To), s.Path()})
		}
	}
	p.plan.Steps = append(p.plan.Steps, steps...)
	return err
}

// undoneChange is how an undo took a path back.
type undoneChange struct {
	undo   *Set
	change Change
}

// findUndone finds, for each path, the undo that took it back and was not taken back itself.
func findUndone(undos []*Set) map[leftover.Path]undoneChange {
	found := map[leftover.Path]undoneChange{}
	for _, u := range slices.Backward(undos) { // the last undo wins
		for _, c := range u.Changes {
			if !c.Undone {
				found[c.Path] = undoneChange{u, c}
			}
		}
	}
	return found
}

// planStep decides what becomes of a path that was left in a state.
func (p *planning) planStep(step *Step, wanted State) error {
	local := step.Path()
	left, known := p.left[local]
	now := left.State
	if !known {
		if at, ok := p.presentPath(local); ok {
			var err error
			if now, err = p.tree.look(string(at)); err != nil {
				return err
			}
		}
	}
	step.Before = now
	asLeft, err := p.holds(local, &step.Before, wanted)
	if err != nil {
		return err
	}
	if !asLeft && step.After.Kind == File && step.After.Sum == "" && step.object != "" && now.Size == step.After.Size {
		// It may have been brought back by hand.
		if step.After.Sum, err = p.Objects.sum(step.object); err != nil {
			return err
		}
	}
	asWanted, err := p.holds(local, &step.Before, step.After)
	if err != nil {
		return err
	}
	change := step.Set.Changes[step.Index]
	onlyRest := change.Op == Mode
	if change.Below && step.object == "" && !p.plan.Redo && !onlyRest {
		if step.below, err = p.isBelow(change); err != nil {
			return err
		}
		if !step.below {
			step.Lost = LossBelow
		}
	}
	switch {
	case asLeft && asWanted && step.object == "" && (!onlyRest || step.Before.sameRest(step.After)):
		step.Verdict = Nothing
	case asLeft && (step.After.Kind == File || step.After.Kind == Link) && !onlyRest && change.From == "" && change.To == "" && step.object == "" && !step.below:
		step.Verdict = Impossible
	case asLeft && step.After.Kind == Other:
		step.Verdict, step.Lost = Impossible, LossSpecial
	case asLeft:
		step.Verdict = Restore
		step.left, step.isLeft = left, known
		p.left[local] = leftState{State: step.After, object: step.object}
	case asWanted:
		step.Verdict = Nothing
	default:
		step.Verdict = Conflict
	}
	return nil
}

// hold makes a conflict of a step that would have been carried out.
func (p *planning) hold(step *Step) {
	step.Verdict = Conflict
	if step.isLeft {
		p.left[step.Path()] = step.left
	} else {
		delete(p.left, step.Path())
	}
}

// holds is tree.holds, for what a path would hold after the steps so far, too.
func (p *planning) holds(local leftover.Path, now *State, wanted State) (bool, error) {
	left, planned := p.left[local]
	at, ok := p.presentPath(local)
	if !planned && ok {
		return p.tree.holds(string(at), now, wanted)
	}
	if now.Kind == File && now.Sum == "" && wanted.Sum != "" && now.Size == wanted.Size && left.object != "" {
		// It was moved to the objects as it was, without being read.
		sum, err := p.Objects.sum(left.object)
		if err != nil {
			return false, err
		}
		now.Sum = sum
	}
	return now.Kind == wanted.Kind && now.sameContent(wanted), nil
}

// errStale means that a plan is older than what was done since.
var errStale = errors.New("something was taken back or made again meanwhile: look at it again")
