package change

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairlead/backend/sandbox/overlay"
)

// Recover brings sets to their end that another process was making when it ended: each of
// their changes was made, or not. Nobody may change the folder by this conversation
// meanwhile.
func (r *Recorder) Recover(ctx context.Context) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.unfinished = true
	return errors.Join(r.finishOpen(ctx), r.dropUnnamed(ctx), r.recoverCommands(ctx), r.dropEmptyLayers(ctx))
}

// Resume has the first change bring sets to their end that another process was making when it
// ended. It is Recover for a draft, in which nothing else can be left.
func (r *Recorder) Resume() {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.unfinished = true
}

// finishOpen brings sets to their end that no call is making. The caller holds the lock.
func (r *Recorder) finishOpen(ctx context.Context) error {
	if !r.unfinished {
		return nil
	}
	sets, err := r.Sets(ctx)
	if err != nil {
		return err
	}
	for i := range sets {
		if sets[i].Open {
			err = errors.Join(err, r.recoverSet(ctx, &sets[i], sets))
		}
	}
	r.unfinished = err != nil
	return err
}

// recoverSet brings one set to its end.
func (r *Recorder) recoverSet(ctx context.Context, set *Set, sets []Set) error {
	w, err := r.newWork(set)
	if err != nil {
		return err
	}
	var others []*Set
	for _, id := range append([]string{set.Of}, set.Undos...) {
		if at := slices.IndexFunc(sets, func(s Set) bool { return id != "" && s.ID == id }); at >= 0 {
			others = append(others, &sets[at])
		}
	}
	for _, o := range others {
		if set.Source == ByUndo || o.Source == ByUndo {
			w.times = append(w.times, invertTimes(o.Times)...)
		}
	}
	w.recovering = true
	draft, err := r.draftOf(set)
	if err != nil {
		w.tree.close()
		return err
	}
	w.pending = &Pending{draft: draft}
	err = w.finish(ctx, others...)
	if draft != nil {
		err = errors.Join(err, draft.Close())
	}
	return err
}

// putBack puts back what was at a path, where the process ended, or the system failed, after that was taken
// and before something of another kind came there.
func (w *work) putBack(c Change) error {
	if c.Before.Kind == None || c.After.Kind == None || c.From != "" || c.To != "" {
		return nil
	}
	now, err := w.tree.glance(string(c.Path))
	if err != nil || now.Kind != None {
		return err
	}
	at, err := w.tree.spotOf(string(c.Path))
	if errors.Is(err, errNoFolder) {
		return nil
	}
	if err != nil {
		return err
	}
	if c.Before.Kind == Folder {
		if err := at.dir.Mkdir(at.name, 0o700); err != nil {
			return err
		}
		return at.setRest(c.Before)
	}
	if c.Kept == "" {
		return nil
	}
	kept, err := w.Objects.look(c.Kept)
	if err != nil || kept.Kind != c.Before.Kind || kept.Size != c.Before.Size || kept.Modified != c.Before.Modified {
		return err
	}
	from := w.Objects.spot(c.Kept)
	if err = move(from, at); errors.Is(err, errFar) {
		_, err = copyEntry(at, from, kept, func(fs.FileInfo) error { return nil })
	}
	return err
}

// draftOf opens the draft that a set was applied from; nil where it was another layer, or is gone.
func (r *Recorder) draftOf(set *Set) (*Draft, error) {
	dir := filepath.Join(r.Drafts, set.Layer)
	if r.Drafts == "" || set.Layer == "" {
		return nil, nil
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return r.openDraft(dir, DraftNote{ID: set.Layer, SessionID: set.SessionID})
}

// layerOf opens the layer that a set was applied from; nil where it is gone. The caller closes it.
func (r *Recorder) layerOf(set *Set) (*Layer, error) {
	for _, dir := range []string{r.Objects.copies(), r.Drafts} {
		layer, err := overlay.Open(filepath.Join(dir, set.Layer))
		if !errors.Is(err, fs.ErrNotExist) {
			return layer, err
		}
	}
	return nil, nil
}

// dropUnnamed deletes objects that a process left which ended before it could name them, or
// delete them: those of a set that was never saved, by which nothing was changed and which can
// only be newer than all others, and those of a saved one that nothing names.
func (r *Recorder) dropUnnamed(ctx context.Context) error {
	names, err := r.Objects.names()
	if err != nil || len(names) == 0 {
		return err
	}
	sets, err := r.Journal.Sets(ctx, r.SessionID)
	if err != nil {
		return err
	}
	newest, known, named := "", map[string]bool{}, namedBy(sets...)
	for _, s := range sets {
		newest, known[s.ID] = max(newest, s.ID), true
	}
	for _, name := range names {
		id := name[:max(strings.LastIndexByte(name, '-'), 0)]
		if !named[name] && (id > newest || known[id]) {
			err = errors.Join(err, r.Objects.drop(name))
		}
	}
	return err
}

// names lists the objects that there are, without the layers. It makes no folder.
func (o *Objects) names() ([]string, error) {
	if !o.exist() {
		return nil, nil
	}
	if err := o.open(); err != nil {
		return nil, err
	}
	opened, err := o.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	names, err := opened.Readdirnames(-1)
	return slices.DeleteFunc(names, func(name string) bool { return name == copiesName }), err
}

// LeftByCommands lists the conversations, by the folders of their objects in dir, whose
// processes ended before what commands were compared with was deleted, or in which changes of
// commands are set aside.
func LeftByCommands(dir string) ([]string, error) {
	bases, err := filepath.Glob(filepath.Join(dir, "*", "base.*"))
	layers, layersErr := filepath.Glob(filepath.Join(dir, "*", copiesName, "*"))
	var ids []string
	for _, path := range append(bases, layers...) {
		local, relErr := filepath.Rel(dir, path)
		if id, _, _ := strings.Cut(filepath.ToSlash(local), "/"); relErr == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, errors.Join(err, layersErr)
}
