package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"fairlead/backend/leftover"
)

// CanChoose reports whether the user can choose something of a conflict but to leave it: units
// and what was moved are taken back as a whole or not at all.
func (s Step) CanChoose(choice Choice) bool {
	c := s.Set.Changes[s.Index]
	plain := func(kind Kind) bool { return kind == File || kind == Link || kind == None }
	if s.Verdict != Conflict || s.Unit != "" || c.From != "" || c.To != "" || !plain(s.Before.Kind) || !plain(s.After.Kind) {
		return choice == Mine
	}
	isKept := s.object != ""
	switch choice {
	case Overwrite:
		return isKept || s.After.Kind == None
	case Both:
		return isKept && s.After.Kind == File && s.Before.Kind != None
	case Merged:
		return s.Before.Kind == File && s.After.Kind == File
	case Mine:
	}
	return true
}

// Choose notes what the user wants of a conflict about a change.
func (s *Scope) Choose(c Change, choice Choice) {
	if s.Choices == nil {
		s.Choices = map[leftover.Path]Choice{}
	}
	s.Choices[c.Path] = choice
}

// ChooseAll is a choice for all conflicts of a plan that allow it.
func (p Plan) ChooseAll(choice Choice) map[leftover.Path]Choice {
	choices := map[leftover.Path]Choice{}
	for _, s := range p.Steps {
		if s.Verdict == Conflict && s.CanChoose(choice) {
			choices[s.Path()] = choice
		}
	}
	return choices
}

// resolveConflicts makes of conflicts what the user chose.
func (p *planning) resolveConflicts(steps []Step) error {
	for i := range steps {
		s := &steps[i]
		choice := p.choices[s.Path()]
		if choice == "" || s.Verdict != Conflict || !s.CanChoose(choice) {
			continue
		}
		s.Chosen = choice
		switch choice {
		case Overwrite:
			s.Verdict = Restore
			p.left[s.Path()] = leftState{State: s.After, object: s.object}
		case Merged:
			if err := p.mergeStep(s); err != nil {
				return err
			}
		case Mine, Both:
		}
	}
	return nil
}

// mergeStep has a step only take its own lines back, or make them again, where nobody has
// changed the same ones.
func (p *planning) mergeStep(s *Step) error {
	text, err := p.mergedText(s)
	if err != nil || text == nil {
		return err
	}
	s.Verdict, s.object, s.spare, s.content = Restore, "", "", text
	s.After = State{Kind: File, Mode: s.Before.Mode, Size: int64(len(text)), Sum: SumOf(text)}
	p.left[s.Path()] = leftState{State: s.After, text: text}
	return nil
}

// mergedText returns what is at the path of a step with the change taken back, or made again;
// nil where that cannot be told.
func (p *planning) mergedText(s *Step) ([]byte, error) {
	before, after, ok, err := p.Texts(p.sets, s.Set, s.Index)
	if err != nil || !ok {
		return nil, err
	}
	now := p.left[s.Path()].text
	if now == nil {
		if now, err = p.textAt(s.Path()); err != nil || now == nil {
			return nil, err
		}
	}
	base, wanted := after, before
	if p.plan.Redo {
		base, wanted = before, after
	}
	merged, ok := merge(string(base), string(now), string(wanted))
	if !ok {
		return nil, nil
	}
	return []byte(merged), nil
}

// textAt returns the text that a path would hold; nil where that is none.
func (p *planning) textAt(local leftover.Path) ([]byte, error) {
	if left, ok := p.left[local]; ok {
		return p.Objects.read(left.object)
	}
	now, ok := p.presentPath(local)
	if !ok {
		return nil, nil
	}
	at, err := p.tree.spotOf(string(now))
	if err != nil {
		return nil, err
	}
	return readText(at.dir, at.name)
}

// nameBeside names the paths at which is put what conflicts were before of which the user
// wants both: that is what the last step of each path would leave.
func (p *planning) nameBeside() error {
	seen := map[leftover.Path]bool{}
	for i := len(p.plan.Steps) - 1; i >= 0; i-- {
		s := &p.plan.Steps[i]
		if s.Chosen != Both || seen[s.Path()] {
			continue
		}
		seen[s.Path()] = true
		to, err := p.freeName(s.Path())
		if err != nil {
			return err
		}
		s.Verdict, s.To = Beside, to
	}
	return nil
}

// freeName is a path beside another one at which nothing lies: "a.before.txt" for "a.txt".
func (p *planning) freeName(local leftover.Path) (leftover.Path, error) {
	dir, name := path.Split(string(local))
	suffix := path.Ext(name)
	if suffix == name {
		suffix = "" // the name of a hidden file
	}
	base := dir + strings.TrimSuffix(name, suffix) + ".before"
	for n := 1; ; n++ {
		free := base + suffix
		if n > 1 {
			free = fmt.Sprintf("%s-%d%s", base, n, suffix)
		}
		now, err := p.tree.look(free)
		if err != nil {
			return "", err
		}
		if now.Kind == None {
			return leftover.Path(free), nil
		}
	}
}

// putBeside puts what a path was before beside it. The set has no changes where something has
// come there meanwhile, or its folder is gone.
func (r *Recorder) putBeside(ctx context.Context, of *Set, step Step) (*Set, error) {
	set := r.newSet(of.CallID, ByChoice)
	set.RunID = of.RunID
	w, err := r.newWork(set)
	if err != nil {
		return nil, err
	}
	copied := w.objectName(0) + ".copy"
	from := r.Objects.spot(step.object)
	state, err := from.look()
	if err == nil {
		state, err = r.Objects.copyIn(copied, from, state) // with its sum
	}
	if err != nil {
		w.tree.close()
		return nil, err
	}
	w.add(Change{Path: step.To, Op: Create, After: state}, source{object: copied})
	made, err := w.runToEnd(ctx)
	if errors.Is(err, ErrChanged) || errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return made, errors.Join(err, r.Objects.drop(copied))
}
