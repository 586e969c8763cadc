package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// ApplyLayer makes chosen changes of a layer in the folder, by their index, as one set of a
// call: what the layer has takes the place of what is there, which is kept. What is no longer
// as it was when the layer was read stays as it is, and so does what the set that is returned
// does not have; nil means that nothing was changed. The layer keeps what was not made.
func (r *Recorder) ApplyLayer(ctx context.Context, call string, p *Pending, chosen func(index int) bool) (*Set, error) {
	return r.applyLayer(ctx, r.newSet(call, ByCommand), p, chosen)
}

// applyTries is how often an apply is begun where somebody changes the same paths at that moment.
const applyTries = 5

// applyLayer is ApplyLayer for a set. Where something is changed while it is being kept, nothing
// was changed yet, and it begins again, without that.
func (r *Recorder) applyLayer(ctx context.Context, set *Set, p *Pending, chosen func(index int) bool) (*Set, error) {
	for tries := 1; ; tries++ {
		fresh := *set
		made, begun, err := r.tryLayer(ctx, &fresh, p, chosen)
		if begun || tries == applyTries || !errors.Is(err, ErrChanged) && !errors.Is(err, fs.ErrNotExist) {
			return made, err
		}
		set.ID = r.NewID()
	}
}

// tryLayer is applyLayer once. begun reports whether anything may have been changed.
func (r *Recorder) tryLayer(ctx context.Context, set *Set, p *Pending, chosen func(index int) bool) (made *Set, begun bool, err error) {
	if err := r.begin(ctx); err != nil {
		return nil, false, err
	}
	defer r.changing.Unlock()
	set.Layer = filepath.Base(p.Layer.Dir)
	w, err := r.newWork(set)
	if err != nil {
		return nil, false, err
	}
	if _, err := p.Layer.Enter(); err != nil {
		w.tree.close()
		return nil, false, err
	}
	if w.upper, err = newTree(Opened{p.Layer.Upper, "."}); err != nil {
		w.tree.close()
		return nil, false, err
	}
	defer w.upper.close()
	defer w.openLayer(p)()
	w.pending = p
	if err := w.showThrough(p); err != nil {
		w.tree.close()
		return nil, false, err
	}
	chosen = p.wholeUnits(chosen)
	if chosen, err = w.keepObjects(p, chosen); err != nil {
		w.tree.close()
		return nil, false, err
	}
	all := p.choose(chosen)
	set.Changes, w.jobs = make([]Change, 0, len(all)), make([]job, 0, len(all))
	for _, c := range all {
		if err := w.addFromLayer(p, c); err != nil {
			w.tree.close()
			return nil, false, fmt.Errorf("apply %s: %w", c.Path, err)
		}
	}
	w.dropBrokenUnits(p, all)
	if len(set.Changes) == 0 {
		w.tree.close()
		return nil, false, nil
	}
	w.findWhole(p)
	w.times = p.times
	w.progress = progress{tell: p.Progress, all: 2 * len(set.Changes), toldAt: time.Now()}
	if err := w.addUnits(ctx); err != nil {
		w.tree.close()
		return nil, false, err
	}
	if err := w.run(ctx); err != nil {
		w.tree.close()
		return nil, w.unfinished, err
	}
	err = errors.Join(w.systemError(), w.finish(context.WithoutCancel(ctx)))
	if len(set.Changes) == 0 {
		return nil, true, err
	}
	return set, true, err
}

// choose returns the chosen changes, with the new folders that they lie in. Of a file that was
// moved both paths are chosen, or it is taken for two changes.
func (p *Pending) choose(chosen func(index int) bool) []Change {
	wanted := map[leftover.Path]bool{}
	for i, c := range p.Changes {
		if !chosen(i) {
			continue
		}
		wanted[c.Path] = true
		for dir := path.Dir(string(c.Path)); dir != "." && c.After.Kind != None; dir = path.Dir(dir) {
			wanted[leftover.Path(dir)] = true
		}
	}
	all := make([]Change, 0, len(p.Changes))
	for i, c := range p.Changes {
		if !chosen(i) && (!wanted[c.Path] || c.Op != MakeFolder) {
			continue
		}
		if c.To != "" && !wanted[c.To] {
			c.To = ""
		}
		if c.From != "" && !wanted[c.From] {
			c.From = ""
		}
		all = append(all, c)
	}
	return all
}

// openLayer has everything in the layer be moved. The caller calls what it returns once that is
// done.
func (w *work) openLayer(p *Pending) (done func()) {
	for _, local := range slices.Sorted(maps.Keys(p.closed)) {
		if at, err := w.upper.spotOf(local); err == nil {
			_ = setMode(at, 0o700) // what cannot be moved then, says so
		}
	}
	return func() { p.closeAgain(w.upper) }
}

// showThrough has folders of the layer hide single entries, where they hid all: what is
// applied comes to lie below them, and would be taken for something that the command deleted.
func (w *work) showThrough(p *Pending) error {
	for _, c := range p.Changes {
		if c.After.Kind != None {
			continue
		}
		at, err := w.upper.spotOf(string(c.Path))
		if errors.Is(err, errNoFolder) {
			continue // it goes with a folder
		}
		if err == nil {
			err = overlay.Whiteout(at.handle, at.name)
		}
		if err != nil {
			return fmt.Errorf("note in the copy that %s is gone: %w", c.Path, err)
		}
	}
	for _, local := range p.opaque {
		at, err := w.upper.spotOf(local)
		if err == nil {
			err = overlay.ClearOpaque(at.handle, at.name)
		}
		if err != nil {
			return fmt.Errorf("note in the copy what %s hides: %w", local, err)
		}
	}
	p.opaque = nil
	return nil
}

// addFromLayer adds a change of the layer, if the path is as it was when the layer was read.
func (w *work) addFromLayer(p *Pending, c Change) error {
	now, err := w.tree.glanceAny(string(c.Path))
	if err != nil {
		return err
	}
	if c.Before.Kind == Folder {
		// What is in it may have changed, by changes of this set too.
		if now.Kind != Folder || now.Inode != c.Before.Inode || now.Mode != c.Before.Mode {
			return nil
		}
	} else if !now.isUntouched(c.Before) {
		return nil
	}
	hasContent := c.After.Kind == File || c.After.Kind == Link || c.After.Kind == Other
	if c.After.Kind == File && c.From == "" && c.Op != Mode {
		above, err := w.upper.glance(string(c.Path))
		if err != nil {
			return err
		}
		if above.Size != c.After.Size || above.Modified != c.After.Modified {
			return nil // it is not what was shown
		}
		// It may be one that was taken for moved.
		c.After.Inode, c.After.Changed, c.After.Links = above.Inode, above.Changed, above.Links
	}
	if p.without[c.Path] != nil || p.merged[c.Path] != nil {
		return w.addText(p, c)
	}
	near, err := w.isNear(w.tree)
	if err != nil {
		return err
	}
	if c.After.Kind == None {
		c.Lost = lossOf(c.Before, near)
	}
	if !near && hasContent && c.After.Kind == File && c.From == "" && c.Op != Mode {
		// It will be a copy, which is known by what is in it.
		above, err := w.upper.spotOf(string(c.Path))
		if err == nil {
			c.After.Sum, err = sumAt(above.dir, above.name, c.After)
		}
		if err != nil {
			return err
		}
	}
	j := job{inLayer: hasContent && c.From == "" && c.Op != Mode}
	if len(w.jobs) < copiedTexts && c.From == "" && c.To == "" && c.Op != Mode {
		if err := w.countLines(&c, &j); err != nil {
			return err
		}
	}
	w.addJob(c, j)
	return nil
}

// countLines counts the lines of a change of a text, and keeps what is there afterwards to be
// copied.
func (w *work) countLines(c *Change, j *job) error {
	before, after, err := w.texts(c)
	if err != nil || before == nil || after == nil {
		return err
	}
	_, c.Added, c.Removed = UnifiedDiff(string(c.Path), string(c.Path), before, after)
	if c.After.Kind == File {
		j.shown = after
	}
	return nil
}

// texts reads what is in the folder and in the layer at the path of a change; nil is none, or one
// that is too long.
func (w *work) texts(c *Change) (before, after []byte, err error) {
	read := func(t *tree, s State) ([]byte, error) {
		switch s.Kind {
		case None:
			return []byte{}, nil
		case File:
			at, err := t.spotOf(string(c.Path))
			if err != nil {
				return nil, err
			}
			return readText(at.dir, at.name)
		}
		return nil, nil
	}
	before, err = read(w.tree, c.Before)
	if errors.Is(err, errNoFolder) {
		before, err = []byte{}, nil
	}
	if err != nil || before == nil {
		return nil, nil, err
	}
	after, err = read(w.upper, c.After)
	return before, after, err
}

// glanceAny is glance for any path, the top included.
func (t *tree) glanceAny(local string) (State, error) {
	if local == "." {
		return t.lookFolder(".")
	}
	return t.glance(local)
}

// addUnits notes which repositories and databases the set touches, as they are.
func (w *work) addUnits(ctx context.Context) error {
	known := func(local leftover.Path) bool {
		now, err := w.tree.look(string(local))
		return err == nil && now.Kind != None
	}
	for _, unit := range unitsOf(w.set.Changes, known) {
		before, err := w.tree.sumUnit(ctx, unit, unit)
		if err != nil {
			return err
		}
		w.set.Units = append(w.set.Units, Unit{Path: unit, Before: before})
	}
	return nil
}
