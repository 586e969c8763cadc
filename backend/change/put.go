package change

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"fairlead/backend/leftover"
)

// put has something lie at a path.
func (w *work) put(i int) error {
	c, from := &w.set.Changes[i], w.jobs[i].source
	if c.From != "" {
		return w.moveWithin(i)
	}
	at, err := w.tree.spotOf(string(c.Path))
	if err != nil {
		return err
	}
	if from.object != "" {
		if err := w.makeIntact(from, c.After); err != nil {
			return err
		}
		if c.Same != "" {
			w.linkSame(c, from.object)
		}
	}
	switch {
	case c.Op == Mode:
		if err := expect(at, c); err != nil {
			return err
		}
		return at.setRest(c.After)
	case c.After.Kind == Folder:
		return w.putFolder(i, at)
	case c.Before.Kind == None && from.object != "":
		return w.putObject(c, from, at)
	case c.Before.Kind == None:
		return w.putContent(c, from.content, at)
	case c.Before.Kind == Folder:
		if err := at.dir.Remove(at.name); err != nil {
			return err
		}
		return w.putObject(c, from, at)
	}
	return w.replace(i, at)
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

// putFolder makes a folder, in the place of a file if need be.
func (w *work) putFolder(i int, at spot) error {
	c := &w.set.Changes[i]
	if c.Before.Kind != None {
		if err := w.take(i); err != nil {
			return err
		}
	}
	return at.dir.Mkdir(at.name, 0o755) // finishFolders gives it the rest, once all is in it
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
	temporary, entry, err := w.temporary(c, at, State{Size: state.Size})
	if err != nil {
		return err
	}
	defer entry.Gone()
	if _, err := copyEntry(temporary, from, state); err != nil {
		return err
	}
	if err := linkOrRename(temporary, at); err != nil {
		return errors.Join(err, at.dir.Remove(temporary.name))
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
func linkOrRename(temporary, at spot) error {
	if err := move(temporary, at); !errors.Is(err, errFar) {
		return err
	}
	// Where that is not done, a link is: it replaces nothing either.
	if err := at.dir.Link(temporary.name, at.name); err == nil {
		return at.dir.Remove(temporary.name)
	} else if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := at.dir.Lstat(at.name); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return at.dir.Rename(temporary.name, at.name)
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
	temporary, entry, err := w.writeTemporary(c, content, at)
	if err != nil {
		return err
	}
	defer entry.Gone()
	if err := linkOrRename(temporary, at); err != nil {
		return errors.Join(err, at.dir.Remove(temporary.name))
	}
	return nil
}

// writeTemporary writes a content to a temporary file beside a place.
func (w *work) writeTemporary(c *Change, content []byte, at spot) (spot, *leftover.Entry, error) {
	temporary, entry, err := w.temporary(c, at, State{Size: int64(len(content))})
	if err != nil {
		return spot{}, nil, err
	}
	file, err := at.dir.OpenFile(temporary.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		if info, statErr := file.Stat(); statErr == nil {
			err = entry.Found(info)
		}
		if err == nil {
			_, err = file.Write(content)
		}
		if err == nil {
			err = file.Sync()
		}
		if err = errors.Join(err, file.Close()); err != nil {
			_ = at.dir.Remove(temporary.name)
		}
	}
	if err != nil {
		entry.Gone()
		return spot{}, nil, err
	}
	return temporary, entry, nil
}

// replace puts something in the place of what lies there.
func (w *work) replace(i int, at spot) error {
	c, from := &w.set.Changes[i], w.jobs[i].source
	if !w.jobs[i].far {
		err := w.exchangeNear(c, from, at)
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
	var temporary spot
	var entry *leftover.Entry
	var err error
	if from.object == "" {
		if temporary, entry, err = w.writeTemporary(c, from.content, at); err == nil {
			err = temporary.setLike(c.Before)
		}
	} else if temporary, entry, err = w.temporary(c, at, State{Size: c.After.Size}); err == nil {
		object := w.Objects.spot(from.object)
		var state State
		if state, err = object.look(); err == nil {
			_, err = copyEntry(temporary, object, state)
		}
	}
	defer entry.Gone()
	if err != nil {
		return err
	}
	// For a moment it is what was there that has the temporary name.
	replaced, err := w.record(c, temporary.name, c.Before)
	if err != nil {
		return errors.Join(err, at.dir.Remove(temporary.name))
	}
	defer replaced.Gone()
	if err := exchangeBeside(temporary, at, c); err != nil {
		return errors.Join(err, at.dir.Remove(temporary.name))
	}
	return w.Objects.drop(from.object)
}

// exchangeBeside gives a temporary file the place of what the change begins with.
func exchangeBeside(temporary, at spot, c *Change) error {
	switch err := exchange(temporary, at); {
	case err == nil && expect(temporary, c) == nil:
		return at.dir.Remove(temporary.name)
	case err == nil:
		return errors.Join(ErrChanged, exchange(temporary, at))
	case !errors.Is(err, errFar):
		return err
	}
	if err := expect(at, c); err != nil {
		return err
	}
	return at.dir.Rename(temporary.name, at.name)
}

// exchangeNear puts something in the place of what lies there, which becomes an object.
func (w *work) exchangeNear(c *Change, from source, at spot) error {
	kept := w.Objects.spot(c.Kept)
	if from.object == "" {
		if err := w.writeObject(c, from.content, at, kept); err != nil {
			return err
		}
	}
	if err := exchange(kept, at); err != nil {
		return err
	}
	if expect(kept, c) != nil {
		return errors.Join(ErrChanged, exchange(kept, at))
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
	if err != nil {
		return errFar
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := leftover.Name(file, object.dir, object.name); err != nil {
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

// moveWithin moves what lies at one path to another, in the folder.
func (w *work) moveWithin(i int) error {
	c := &w.set.Changes[i]
	partner := slices.IndexFunc(w.set.Changes, func(o Change) bool { return o.Path == c.From && o.To == c.Path })
	if partner < 0 {
		return fmt.Errorf("move %s: it is not known from where", c.Path)
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
		err = w.renameWithin(c, at)
	}
	if err == nil && expectMoved(at, moved) != nil {
		err = errors.Join(ErrChanged, move(at, from))
	}
	w.note(partner, err)
	return err
}

// renameWithin moves where nothing can be moved at once without replacing something.
func (w *work) renameWithin(c *Change, at spot) error {
	if _, err := at.dir.Lstat(at.name); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return w.Root.Rename(string(c.From), string(c.Path))
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
	if err := at.dir.Remove(at.name); err != nil {
		if isNotEmpty(err) {
			err = errNotEmpty
		}
		return err
	}
	w.note(i, nil)
	return nil
}
