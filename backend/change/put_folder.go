package change

import (
	"errors"
	"io/fs"
)

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

// replaceFolder puts an object in the place of a folder that is empty by now: at once, so that
// one of the two is there after a crash, where the file system does that and the folder can be
// moved.
func (w *work) replaceFolder(c *Change, from source, at spot) error {
	object := w.Objects.spot(from.object)
	err := exchange(object, at)
	if errors.Is(err, errFar) || errors.Is(err, fs.ErrPermission) {
		if err := at.dir.Remove(at.name); err != nil {
			return err
		}
		return w.putObject(c, from, at)
	}
	if err != nil {
		return err
	}
	taken, err := object.look()
	if err == nil && taken.Kind != Folder {
		err = ErrChanged
	}
	if err == nil {
		err = object.dir.Remove(object.name)
	}
	if err != nil { // it has become something else, or something has come into it
		return errors.Join(err, exchange(object, at))
	}
	return nil
}
