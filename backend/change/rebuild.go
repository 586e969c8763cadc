package change

import (
	"errors"
	"fmt"
	"io/fs"
)

// movable has a folder of a draft be one that can be moved, and returns what it is then: an overlay
// does not rename a folder that lies in the folder below. It is built anew beside its place, out of
// new names for its files, and takes that. One that can be moved stays what it is.
func (r *Recorder) movable(way *tree, from Target) (State, error) {
	at, err := way.spotOf(from.Path)
	if err != nil {
		return State{}, err
	}
	beside := spot{at.dir, at.handle, "." + at.name + "." + r.NewID() + ".moving"}
	if err = move(at, beside); errors.Is(err, errFar) {
		if err := rebuild(at, beside); err != nil {
			return State{}, errors.Join(fmt.Errorf("build the folder anew that is to be moved: %w", err), at.dir.RemoveAll(beside.name))
		}
		err = at.dir.RemoveAll(at.name)
	}
	if err == nil {
		err = move(beside, at)
	}
	if err != nil {
		return State{}, err
	}
	return way.look(from.Path)
}

// rebuild makes a folder like another one, at a place where nothing lies.
func rebuild(from, to spot) error {
	was, err := from.look()
	if err != nil {
		return err
	}
	if err := to.dir.Mkdir(to.name, 0o700); err != nil {
		return err
	}
	old, err := newTree(Opened{from.dir, "."})
	if err != nil {
		return err
	}
	defer old.close()
	fresh, err := newTree(Opened{to.dir, "."})
	if err != nil {
		return err
	}
	defer fresh.close()
	names, err := old.names(from.name)
	if err != nil {
		return err
	}
	for _, name := range names {
		source, err := old.spotOf(from.name + "/" + name)
		if err != nil {
			return err
		}
		target, err := fresh.spotOf(to.name + "/" + name)
		if err != nil {
			return err
		}
		info, err := source.dir.Lstat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = rebuild(source, target)
		} else {
			err = linkName(source, target)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return to.setRest(was)
}
