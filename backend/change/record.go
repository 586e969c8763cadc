package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"fairlead/backend/leftover"
)

// Target is a path that a call is about to change.
type Target struct {
	// Way are the folders on the way to it, held open, the top first.
	Way []Opened
	// Path is relative to the folder, with slashes.
	Path string
	// Seen describes what was seen there; nil for nothing.
	Seen fs.FileInfo
}

// state returns what lies at the target.
func (t Target) state(in *tree) (State, error) {
	now, err := in.look(t.Path)
	if err != nil {
		return State{}, err
	}
	seen := State{}
	if t.Seen != nil {
		seen = stateOf(t.Seen)
	}
	if seen.Inode == 0 {
		seen.Inode = now.Inode // where a description does not hold it
	}
	if !now.isSameFile(seen) && (now.Kind != Link || seen.Kind != Link) {
		return State{}, ErrChanged
	}
	return now, nil
}

// ErrChanged means that something else lies at a path than was seen there.
var ErrChanged = errors.New("it changed meanwhile")

// Write makes content that of a file, at once or not at all: a new one, with the folders that
// are missing on the way, or in the place of the one that was seen, of which it keeps mode,
// owner and attributes. It fails with ErrChanged, and changes nothing, where something else
// lies there.
func (r *Recorder) Write(ctx context.Context, call string, t Target, content []byte, lines Lines) (*Set, error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	defer r.changing.Unlock()
	w, err := r.newWork(r.newSet(call, ByTool), t.Way...)
	if err != nil {
		return nil, err
	}
	before, err := t.state(w.tree)
	if err != nil {
		w.tree.close()
		return nil, err
	}
	w.addMissing(t)
	after := State{Kind: File, Size: int64(len(content)), Sum: SumOf(content), Mode: before.Mode}
	c := Change{Path: leftover.Path(t.Path), Op: opOf(before, after), Before: before, After: after, Added: lines.Added, Removed: lines.Removed}
	if c.Op == Mode {
		c.Op = Modify // it is written anew all the same
	}
	w.add(c, source{content: content})
	return w.runToEnd(ctx)
}

// Lines are how many lines a change adds and removes.
type Lines struct{ Added, Removed int }

// addMissing adds the folders that are missing on the way to a target.
func (w *work) addMissing(t Target) {
	last := t.Way[len(t.Way)-1].Path
	rest := t.Path
	if last != "." {
		rest = strings.TrimPrefix(t.Path, last+"/")
	}
	parts := strings.Split(rest, "/")
	for i := 1; i < len(parts); i++ {
		dir := path.Join(last, path.Join(parts[:i]...))
		w.add(Change{Path: leftover.Path(dir), Op: MakeFolder, After: State{Kind: Folder}}, source{})
	}
}

// runToEnd makes the set and finishes it. It fails where any of its changes could not be
// made.
func (w *work) runToEnd(ctx context.Context) (*Set, error) {
	if err := w.run(ctx); err != nil {
		w.tree.close()
		return nil, err
	}
	var failed error
	for _, j := range w.jobs {
		failed = errors.Join(failed, j.err)
	}
	err := w.finish(context.WithoutCancel(ctx))
	if errors.Is(failed, fs.ErrExist) || errors.Is(failed, errNoFolder) {
		failed = ErrChanged
	}
	return w.set, errors.Join(failed, err)
}

// MaxEntries is how many entries a folder may have, all that is in it counted, that is
// deleted as a whole.
const MaxEntries = 100_000

// errTooLarge means that a folder has more.
var errTooLarge = fmt.Errorf("it has more than %d entries", MaxEntries)

// List returns what lies at a target: itself, and all that is in it.
func (r *Recorder) List(ctx context.Context, t Target) ([]Entry, error) {
	in, err := newTree(t.Way...)
	if err != nil {
		return nil, err
	}
	defer in.close()
	top, err := t.state(in)
	if err != nil {
		return nil, err
	}
	l := lister{ctx: ctx, tree: in}
	return l.all, l.add(t.Path, top)
}

// Entry is one that a list has.
type Entry struct {
	Path  leftover.Path
	State State
}

// lister lists what is in a folder.
type lister struct {
	ctx  context.Context //nolint:containedctx // it lasts as long as the list
	tree *tree
	all  []Entry
}

// add adds an entry, and all that is in it.
func (l *lister) add(local string, state State) error {
	if len(l.all) == MaxEntries {
		return errTooLarge
	}
	l.all = append(l.all, Entry{leftover.Path(local), state})
	if state.Kind != Folder {
		return l.ctx.Err()
	}
	at, err := l.tree.spotOf(local + "/.")
	if err != nil {
		return err
	}
	opened, err := at.dir.Open(".")
	if err != nil {
		return err
	}
	names, err := opened.Readdirnames(-1)
	_ = opened.Close()
	if err != nil {
		return err
	}
	for _, name := range names {
		below := path.Join(local, name)
		now, err := l.tree.look(below)
		if err != nil {
			return err
		}
		if now.Kind != None {
			if err := l.add(below, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxCopied is how large a file is at most that is copied where it cannot be moved, in bytes.
const maxCopied = 256 << 20

// Lost are those of the entries at a target that could not be brought back if they were
// deleted.
func (r *Recorder) Lost(t Target, listed []Entry) ([]Entry, error) {
	if err := r.Objects.open(); err != nil {
		return nil, err
	}
	in, err := newTree(t.Way...)
	if err != nil {
		return nil, err
	}
	defer in.close()
	near, err := r.isNear(in)
	if err != nil {
		return nil, err
	}
	var lost []Entry
	for _, e := range listed {
		if lossOf(e.State, near) != "" {
			lost = append(lost, e)
		}
	}
	return lost, nil
}

// isNear reports whether what lies in the last folder on a way can be moved to the objects.
func (r *Recorder) isNear(in *tree) (bool, error) {
	return sameFileSystem(in.lent[len(in.lent)-1].handle, r.Objects.handle)
}

// lossOf is why something could not be brought back that is deleted; empty where it could.
func lossOf(s State, near bool) Loss {
	switch {
	case s.Kind == Other:
		return LossSpecial
	case !near && s.Size > maxCopied:
		return LossLarge
	}
	return ""
}

// Delete deletes a file, a link, or a folder with all that was listed in it. It fails with
// ErrChanged where something else lies at one of these paths, which then stays.
func (r *Recorder) Delete(ctx context.Context, call string, t Target, listed []Entry) (*Set, error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	defer r.changing.Unlock()
	w, err := r.newWork(r.newSet(call, ByTool), t.Way...)
	if err != nil {
		return nil, err
	}
	_, err = t.state(w.tree)
	near, nearErr := r.isNear(w.tree)
	if err := cmp.Or(err, nearErr); err != nil {
		w.tree.close()
		return nil, err
	}
	for _, e := range listed {
		w.add(Change{Path: e.Path, Op: opOf(e.State, State{}), Before: e.State, Lost: lossOf(e.State, near)}, source{})
	}
	return w.runToEnd(ctx)
}

// isFree reports whether something can be moved to a target.
func (w *work) isFree(to, from Target) bool {
	there, err := to.state(w.tree)
	return err == nil && there.Kind == None && !isWithin(to.Path, from.Path)
}

// Move moves a file, a link or a folder to a path where nothing lies, with the folders that
// are missing on the way. It fails with ErrChanged where something else lies at one of the
// two paths.
func (r *Recorder) Move(ctx context.Context, call string, from, to Target) (*Set, error) {
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	defer r.changing.Unlock()
	w, err := r.newWork(r.newSet(call, ByTool), to.Way...)
	if err != nil {
		return nil, err
	}
	w.from = from.Way
	way, err := newTree(from.Way...)
	if err != nil {
		w.tree.close()
		return nil, err
	}
	moved, err := from.state(way)
	if err == nil && r.Draft != "" && moved.Kind == Folder && w.isFree(to, from) {
		moved, err = r.movable(way, from)
	}
	way.close()
	if err != nil {
		w.tree.close()
		return nil, err
	}
	w.addMissing(to)
	gone, there := leftover.Path(from.Path), leftover.Path(to.Path)
	w.add(Change{Path: gone, Op: opOf(moved, State{}), Before: moved, To: there}, source{})
	w.add(Change{Path: there, Op: opOf(State{}, moved), After: moved, From: gone}, source{})
	return w.runToEnd(ctx)
}
