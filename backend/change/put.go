package change

import (
	"errors"
	"io/fs"
	"slices"

	"fairlead/backend/leftover"
)

// put has something lie at a path.
func (w *work) put(i int) error {
	c := &w.set.Changes[i]
	if c.From != "" {
		return w.moveWithin(i)
	}
	at, err := w.tree.spotOf(string(c.Path))
	if err != nil {
		return err
	}
	if w.jobs[i].inLayer {
		if err := w.stage(i); err != nil {
			return err
		}
	}
	from := w.jobs[i].source
	if from.object != "" {
		if err := w.makeIntact(from, c.After); err != nil {
			return err
		}
		if c.Same != "" {
			if w.jobs[i].inLayer && c.After.Size <= maxSummed {
				c.After.Sum, _ = w.Objects.sum(from.object) // without it, it stays a copy
			}
			w.linkSame(c, from.object)
		}
	}
	switch {
	case c.Op == Mode:
		return w.putRest(c, at)
	case c.After.Kind == Folder:
		return w.putFolder(i, at)
	case c.Before.Kind == None && from.object != "":
		return w.putObject(c, from, at)
	case c.Before.Kind == None:
		return w.putContent(c, from.content, at)
	case c.Before.Kind == Other:
		if err := expect(at, c); err != nil {
			return err
		}
		if err := at.dir.Remove(at.name); err != nil {
			return err
		}
		return w.putObject(c, from, at)
	case c.Before.Kind == Folder:
		return w.replaceFolder(c, from, at)
	}
	return w.replace(i, at)
}

// putRest gives what lies at a path what belongs to it beside its content. What is in a folder
// may have changed.
func (w *work) putRest(c *Change, at spot) error {
	now, err := lookAt(at.dir, at.name)
	if err != nil {
		return err
	}
	if same := c.Before.Kind == Folder && now.Kind == Folder && now.Inode == c.Before.Inode; !same && !now.isSameFile(c.Before) {
		return ErrChanged
	}
	return at.setRest(c.After)
}

// linkSame makes an object another name of a file in the folder, if that is what it is to
// be. Where that cannot be, the object stays the copy that it is.
func (w *work) linkSame(c *Change, object string) {
	other, err := newTree(w.top()...)
	if err != nil {
		return
	}
	defer other.close()
	now, err := other.look(string(c.Same))
	if err != nil {
		return
	}
	if same, err := other.holds(string(c.Same), &now, c.After); err != nil || !same || now.Mode != c.After.Mode || now.Modified != c.After.Modified {
		return
	}
	if from, err := other.spotOf(string(c.Same)); err == nil {
		w.Objects.linkIn(object, from)
	}
}

// putObject gives an object a place where nothing lies.
func (w *work) putObject(c *Change, object source, at spot) error {
	from := w.Objects.spot(object.object)
	if err := move(from, at); !errors.Is(err, errFar) {
		return err
	}
	state, err := from.look()
	if err != nil {
		return err
	}
	if state.Kind == File && c.After.Sum == "" {
		// The copy is another file: what it holds tells that it is what was to come.
		if c.After.Sum, err = w.Objects.sum(object.object); err != nil {
			return err
		}
	}
	passing, err := w.newPassing(c, at, State{Kind: state.Kind, Size: state.Size})
	if err != nil {
		return err
	}
	defer passing.end()
	if err := passing.copyFrom(from, state); err != nil {
		return err
	}
	if err := linkOrRename(passing.spot, at); err != nil {
		return err
	}
	return w.Objects.drop(object.object)
}

// makeIntact has an object hold what it is to: where others could write to what was moved,
// and did, its copy takes its place. They keep theirs, by the other name.
func (w *work) makeIntact(object source, wanted State) error {
	if object.spare == "" || wanted.Sum == "" {
		return nil
	}
	now, err := w.Objects.look(object.object)
	if err != nil || now.Kind != File || now.Links < 2 {
		return err // nobody else has it: what was written to it is the newest that there is
	}
	sum, err := w.Objects.sum(object.object)
	if err != nil || sum == wanted.Sum {
		return err
	}
	err = w.Objects.root.Rename(object.spare, object.object)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// linkOrRename gives a file its name where nothing lies, beside its temporary one.
func linkOrRename(passing, at spot) error {
	if err := move(passing, at); !errors.Is(err, errFar) {
		return err
	}
	// Where that is not done, a link is: it replaces nothing either.
	if err := at.dir.Link(passing.name, at.name); err == nil {
		return at.dir.Remove(passing.name)
	} else if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := at.dir.Lstat(at.name); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return at.dir.Rename(passing.name, at.name)
}

// putContent makes a new file.
func (w *work) putContent(c *Change, content []byte, at spot) error {
	file, err := leftover.Unnamed(at.dir, 0o644)
	if err == nil {
		defer func() { _ = file.Close() }()
		if _, err := file.Write(content); err != nil {
			return err
		}
		if err := file.Sync(); err != nil {
			return err
		}
		if err = leftover.Name(file, at.dir, at.name); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	passing, err := w.newPassing(c, at, State{Size: int64(len(content))})
	if err != nil {
		return err
	}
	defer passing.end()
	if err := passing.write(content); err != nil {
		return err
	}
	return linkOrRename(passing.spot, at)
}

// replace puts something in the place of what lies there.
func (w *work) replace(i int, at spot) error {
	c, from := &w.set.Changes[i], w.jobs[i].source
	if !w.jobs[i].far {
		err := w.exchangeNear(i, at)
		if err == nil && w.jobs[i].apart {
			return w.Objects.root.Rename(c.Spare, c.Kept)
		}
		if !errors.Is(err, errFar) {
			return err
		}
		if err := w.keepAfterAll(i, at); err != nil {
			return err
		}
	}
	passing, err := w.newPassing(c, at, State{Kind: c.After.Kind, Size: c.After.Size})
	if err != nil {
		return err
	}
	defer passing.end()
	if from.object == "" {
		err = passing.write(from.content)
		if err == nil {
			err = passing.note(passing.setLike(c.Before))
		}
	} else {
		object := w.Objects.spot(from.object)
		var state State
		if state, err = object.look(); err == nil {
			err = passing.copyFrom(object, state)
		}
	}
	if err != nil {
		return err
	}
	// For a moment it is what was there that lies there.
	replaced, err := w.record(c, passing.name, c.Before)
	if err != nil {
		return err
	}
	defer passing.end(replaced)
	if err := passing.exchange(at, c); err != nil {
		return err
	}
	return w.Objects.drop(from.object)
}

// exchangeNear puts something in the place of what lies there, which becomes an object.
func (w *work) exchangeNear(i int, at spot) error {
	c, from := &w.set.Changes[i], w.jobs[i].source
	kept := w.Objects.spot(c.Kept)
	if from.object == "" {
		if err := w.writeObject(c, from.content, at, kept); err != nil {
			return err
		}
	}
	if err := exchange(kept, at); err != nil {
		return err
	}
	if err := w.expectTaken(kept, i); err != nil {
		return errors.Join(err, exchange(kept, at))
	}
	return nil
}

// writeObject writes a content to an object that is about to take a place: made in the
// folder of that, so that it has what is inherited there, and like what lies there.
func (w *work) writeObject(c *Change, content []byte, at, object spot) error {
	if err := w.Objects.drop(object.name); err != nil {
		return err
	}
	file, err := leftover.Unnamed(at.dir, c.Before.Mode.Perm())
	if isFault(err) {
		return err
	}
	if err != nil {
		return errFar
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := leftover.Name(file, object.dir, object.name); isFault(err) {
		return err
	} else if err != nil {
		return errFar
	}
	if err := object.setLike(c.Before); err != nil {
		return err
	}
	return file.Sync()
}

// setLike gives a new file what belongs to the one that it replaces, but for the time.
func (s spot) setLike(replaced State) error {
	now, err := lookAt(s.dir, s.name)
	if err != nil {
		return err
	}
	replaced.Modified = now.Modified
	return s.setRest(replaced)
}

// errHalf means that the path from where something is to be moved is no longer as it was.
var errHalf = errors.New("where it is to be moved from has changed")

// moveWithin moves what lies at one path to another, in the folder.
func (w *work) moveWithin(i int) error {
	c := &w.set.Changes[i]
	partner := slices.IndexFunc(w.set.Changes, func(o Change) bool { return o.Path == c.From && o.To == c.Path })
	if partner < 0 {
		return errHalf
	}
	way := w.from
	if len(way) == 0 {
		way = w.top()
	}
	other, err := newTree(way...)
	if err != nil {
		return err
	}
	defer other.close()
	from, err := other.spotOf(string(c.From))
	if err != nil {
		return err
	}
	at, err := w.tree.spotOf(string(c.Path))
	if err != nil {
		return err
	}
	moved := w.set.Changes[partner].Before
	if err := expectMoved(from, moved); err != nil {
		return err
	}
	err = move(from, at)
	if errors.Is(err, errFar) {
		err = w.renameWithin(c, from, at)
	}
	if err == nil {
		if err = expectMoved(at, moved); err != nil {
			err = errors.Join(err, move(at, from))
		}
	}
	w.note(partner, err)
	return err
}

// renameWithin moves where nothing can be moved at once without replacing something.
func (w *work) renameWithin(c *Change, from, at spot) error {
	if _, err := at.dir.Lstat(at.name); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return whenFree(from, func() error { return w.Root.Rename(string(c.From), string(c.Path)) })
}

// expectMoved fails if a place does not hold what is moved. What is in a folder may have
// changed.
func expectMoved(at spot, moved State) error {
	now, err := lookAt(at.dir, at.name)
	if err == nil && (now.Kind != moved.Kind || now.Inode != moved.Inode || now.Kind == File && !now.isSameFile(moved)) {
		err = ErrChanged
	}
	return err
}

// errNotEmpty means that a folder holds what the call did not make.
var errNotEmpty = errors.New("there is something else in it")

// removeFolder removes an empty folder.
func (w *work) removeFolder(i int) error {
	at, err := w.tree.spotOf(string(w.set.Changes[i].Path))
	if err != nil {
		return err
	}
	now, err := lookAt(at.dir, at.name)
	switch {
	case err != nil:
		return err
	case now.Kind != Folder:
		return ErrChanged
	}
	if err := whenFree(at, func() error { return at.dir.Remove(at.name) }); err != nil {
		if isNotEmpty(err) {
			err = errNotEmpty
		}
		return err
	}
	w.note(i, nil)
	return nil
}
