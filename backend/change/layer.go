package change

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// ReadLayer returns what a command has changed in a layer.
func (r *Recorder) ReadLayer(ctx context.Context, layer *Layer) (*Pending, error) {
	return r.readLayer(ctx, layer, baseline{
		since: func(string) int64 { return layer.Since }, left: func(string) int64 { return 0 },
		wasThere: func(string) bool { return false }, text: func(string) []byte { return nil }, unit: func(leftover.Path) string { return "" },
	})
}

// baseline is what is known of the folder as it was below a layer.
type baseline struct {
	// since returns from what time on a change of the folder at a path is somebody else's.
	since func(local string) int64
	// left returns when the folder was changed last at a path by what was applied of the layer; 0
	// where it was not.
	left func(local string) int64
	// wasThere reports whether it is known to have had something at a path.
	wasThere func(local string) bool
	// text returns the text that it had at a path; nil where it is not known.
	text func(local string) []byte
	// unit returns the sum of a unit before anything of it was changed; empty where it is not known.
	unit func(unit leftover.Path) string
}

// readLayer returns what is changed in a layer.
func (r *Recorder) readLayer(ctx context.Context, layer *Layer, below baseline) (*Pending, error) {
	top, err := layer.Enter()
	if err != nil {
		return nil, err
	}
	pending := &Pending{
		Layer: layer, Collisions: map[int]Collision{}, closed: map[string]fs.FileMode{},
		marked: map[string]bool{}, unlisted: map[string]bool{},
	}
	upper, err := newTree(Opened{layer.Upper, "."})
	if err != nil {
		return nil, err
	}
	defer upper.close()
	defer pending.closeAgain(upper)
	if top&0o700 != 0o700 {
		pending.closed["."] = top
	}
	lower, err := newTree(r.top()...)
	if err != nil {
		return nil, err
	}
	defer lower.close()
	l := &layerLook{
		ctx: ctx, baseline: below, upper: upper, lower: lower,
		pending: pending, copied: map[leftover.Path]bool{}, names: map[uint64]leftover.Path{},
	}
	above, err := l.lookTop(upper, ".")
	if err != nil {
		return nil, err
	}
	above.Mode = top
	if err := l.merge(".", above, false); err != nil {
		return nil, err
	}
	if err := l.pair(); err != nil {
		return nil, err
	}
	l.findNames()
	l.findUnits()
	if err := l.collide(); err != nil {
		return nil, err
	}
	return l.pending, errors.Join(l.collideUnits(), l.mergeTexts())
}

// layerLook looks through a layer, and compares it with the folder below.
type layerLook struct {
	ctx context.Context //nolint:containedctx // it lasts as long as the look
	baseline
	upper, lower *tree
	pending      *Pending
	// copied are changed paths whose content was copied from the folder before.
	copied map[leftover.Path]bool
	// names are paths that were copied and are as they were, by the inodes of the copies.
	names map[uint64]leftover.Path
}

// errLayerTooLarge means that a command changed more than is looked at.
var errLayerTooLarge = errors.New("the command changed too many files to be looked at")

// add adds a change.
func (l *layerLook) add(c Change) error {
	if len(l.pending.Changes) == maxLooked {
		return errLayerTooLarge
	}
	if n := len(l.pending.Changes); n == cap(l.pending.Changes) {
		l.pending.Changes = slices.Grow(l.pending.Changes, max(n, 16)) // there may be very many
	}
	l.pending.Changes = append(l.pending.Changes, c)
	return l.ctx.Err()
}

// layerEntry is what lies in a layer at a path.
type layerEntry struct {
	State
	// gone is set where the entry stands for nothing.
	gone bool
	// opaque is set for a folder that hides what the folder below has there, and copied where
	// the content was copied from that.
	opaque, copied bool
}

// look returns what lies in the layer at a path. Attributes of the overlay's own are left out.
func (l *layerLook) look(local string) (layerEntry, error) {
	at, err := l.upper.spotOf(local)
	if err != nil {
		return layerEntry{}, err
	}
	info, err := at.dir.Lstat(at.name)
	if err != nil {
		return layerEntry{}, err
	}
	if overlay.IsWhiteout(info) {
		return layerEntry{gone: true}, nil
	}
	e := layerEntry{}
	if e.State, err = at.look(); err != nil {
		return e, err
	}
	e.opaque, e.copied = overlay.IsOpaque(e.Attributes), overlay.IsCopied(e.Attributes)
	all := len(e.Attributes)
	maps.DeleteFunc(e.Attributes, func(name string, _ []byte) bool { return overlay.IsOwn(name) })
	if len(e.Attributes) < all {
		l.pending.marked[local] = true
	}
	if len(e.Attributes) == 0 {
		e.Attributes = nil
	}
	return e, nil
}

// lookTop is look for the folder at a path itself, the top included.
func (l *layerLook) lookTop(t *tree, local string) (State, error) {
	at, err := t.spotOf(local + "/.")
	if err != nil {
		return State{}, err
	}
	at.name = "."
	state, err := at.look()
	maps.DeleteFunc(state.Attributes, func(name string, _ []byte) bool { return overlay.IsOwn(name) })
	if len(state.Attributes) == 0 {
		state.Attributes = nil
	}
	return state, err
}

// merge compares a folder that both have. hides reports whether it has nothing of the one below,
// because it is opaque, or lies in a folder that is.
func (l *layerLook) merge(local string, above State, hides bool) error {
	if err := l.enter(local, above); err != nil {
		return err
	}
	below, err := l.lookTop(l.lower, local)
	if err != nil {
		return err
	}
	if after := above; !after.sameRest(withTime(below, after.Modified)) {
		after.Inode, after.Links = below.Inode, below.Links
		if err := l.add(Change{Path: leftover.Path(local), Op: Mode, Before: below, After: after}); err != nil {
			return err
		}
	}
	l.pending.times = append(l.pending.times, FolderTime{Path: leftover.Path(local), Before: below.Modified, After: above.Modified, Closed: closedMode(below)})
	names, err := l.upper.names(local)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := l.compare(path.Join(local, name), true, hides); err != nil {
			return err
		}
	}
	if !hides {
		return nil
	}
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	under, err := l.lower.names(local)
	if err != nil {
		return err
	}
	for _, name := range under {
		if !known[name] {
			if err := l.remove(path.Join(local, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// enter lets what is in a folder of the layer be looked at.
func (l *layerLook) enter(local string, is State) error {
	if local == "." || is.Mode&0o700 == 0o700 {
		return nil
	}
	at, err := l.upper.spotOf(local)
	if err != nil {
		return err
	}
	l.pending.closed[local] = is.Mode
	return setMode(at, 0o700)
}

// closeAgain gives folders of the layer their modes.
func (p *Pending) closeAgain(upper *tree) {
	for _, local := range slices.Backward(slices.Sorted(maps.Keys(p.closed))) {
		if at, err := upper.spotOf(local); err == nil {
			_ = setMode(at, unixMode(p.closed[local])) // it is looked at again all the same
		}
	}
}

func withTime(s State, modified int64) State {
	s.Modified = modified
	return s
}

// names lists what is in a folder, in order.
func (t *tree) names(local string) ([]string, error) {
	at, err := t.spotOf(local + "/.")
	if err != nil {
		return nil, err
	}
	opened, err := at.dir.Open(".")
	if err != nil {
		return nil, err
	}
	names, err := opened.Readdirnames(-1)
	slices.Sort(names)
	return names, errors.Join(err, opened.Close())
}

// compare compares an entry of the layer with what the folder below has at its path, which has
// nothing there where over is not set. hides is that of the folder that it lies in.
func (l *layerLook) compare(local string, over, hides bool) error {
	entry, err := l.look(local)
	if err != nil {
		return err
	}
	below := State{}
	if over {
		if below, err = l.lower.look(local); err != nil {
			return err
		}
	}
	if entry.opaque {
		l.pending.opaque = append(l.pending.opaque, local)
	}
	c := Change{Path: leftover.Path(local), Before: below, After: entry.State}
	switch {
	case entry.gone && below.Kind == None:
		l.pending.unlisted[path.Dir(local)] = true
		return nil // somebody else has removed it too
	case entry.gone:
		return l.remove(local)
	case entry.Kind == Folder && below.Kind == Folder:
		return l.merge(local, entry.State, hides || entry.opaque)
	case below.Kind == Folder:
		if err := l.removeContents(local); err != nil {
			return err
		}
	case below.Kind == entry.Kind && entry.Kind == File:
		same, err := l.equal(local, local, below, entry.State)
		if err != nil {
			return err
		}
		if same {
			l.names[entry.Inode] = c.Path
			if below.sameRest(entry.State) {
				return nil // it was opened to be written, and was not
			}
			c.Op, c.After.Inode, c.After.Links = Mode, below.Inode, below.Links // it stays the same file
		}
	case below.Kind == entry.Kind && entry.Kind == Link && below.Target == entry.Target && below.sameRest(entry.State):
		return nil
	}
	l.copied[c.Path] = entry.copied
	c.Op = cmp.Or(c.Op, opOf(c.Before, c.After))
	if err := l.add(c); err != nil || entry.Kind != Folder {
		return err
	}
	if err := l.enter(local, entry.State); err != nil {
		return err
	}
	names, err := l.upper.names(local)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := l.compare(path.Join(local, name), false, false); err != nil {
			return err
		}
	}
	return nil
}

// remove adds that what the folder below has at a path goes, with all that is in it.
func (l *layerLook) remove(local string) error {
	below, err := l.lower.look(local)
	if err != nil || below.Kind == None {
		return err
	}
	if err := l.add(Change{Path: leftover.Path(local), Op: opOf(below, State{}), Before: below}); err != nil || below.Kind != Folder {
		return err
	}
	return l.removeContents(local)
}

func (l *layerLook) removeContents(local string) error {
	names, err := l.lower.names(local)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := l.remove(path.Join(local, name)); err != nil {
			return err
		}
	}
	return nil
}

// Made returns the paths that the conversation has made and that were not there before.
func (r *Recorder) Made(ctx context.Context) (map[leftover.Path]bool, error) {
	sets, err := r.Sets(ctx)
	if err != nil {
		return nil, err
	}
	made := map[leftover.Path]bool{}
	for _, set := range sets {
		for _, c := range set.Changes {
			if c.Before.Kind == None && c.From == "" {
				made[c.Path] = true
			}
		}
	}
	return made, nil
}
