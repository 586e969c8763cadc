package change

import (
	"errors"
	"io/fs"
)

// stagedName is that of the object that something of the layer is on its way to the folder.
func (w *work) stagedName(i int) string {
	if w.jobs[i].far {
		return w.objectName(i) + stagedFar
	}
	return w.objectName(i) // it changes places with what is kept
}

// stagedFar ends the name of one that is copied to the folder.
const stagedFar = ".new"

// stage makes an object of what the layer has for a change. Where somebody still has it open
// for writing, who then outlives the command, it is a copy.
func (w *work) stage(i int) error {
	c := &w.set.Changes[i]
	from, err := w.upper.spotOf(string(c.Path))
	if err != nil {
		return err
	}
	to := w.Objects.spot(w.stagedName(i))
	if err := stripOwn(from); err != nil {
		return err
	}
	written := false
	if c.After.Kind == File {
		file, err := openSeen(from.dir, from.name, c.After)
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		if err == nil {
			written = isWritten(file)
			_ = file.Close()
		}
	}
	err = errFar
	if !written {
		err = move(from, to)
	}
	if errors.Is(err, errFar) {
		state, lookErr := from.look()
		if lookErr != nil {
			return lookErr
		}
		_, err = copyEntry(to, from, state, func(info fs.FileInfo) error {
			c.After.Inode = stateOf(info).Inode
			return nil
		})
	}
	if err == nil {
		w.jobs[i].source = source{object: to.name}
	}
	return err
}

// unstage gives the layer back what could not be applied.
func (w *work) unstage(i int) error {
	name := w.jobs[i].source.object
	if name == "" || w.upper == nil {
		return nil
	}
	to, err := w.upper.spotOf(string(w.set.Changes[i].Path))
	if err != nil {
		return err
	}
	err = move(w.Objects.spot(name), to)
	if errors.Is(err, fs.ErrExist) { // it was copied
		err = w.Objects.drop(name)
	}
	if err == nil {
		w.jobs[i].source = source{}
	}
	return err
}

// isStaged reports whether something of the layer may still be on its way to the folder.
func (w *work) isStaged(i int) bool {
	return w.set.Layer != "" && (w.recovering || w.jobs[i].inLayer && w.jobs[i].source.object != "")
}

// returnStaged does the same once the set is finished: for a change that another process was making,
// if it had come so far, and where the layer could not take it back before.
func (w *work) returnStaged(i int, c Change) error {
	for _, name := range []string{w.objectName(i), w.objectName(i) + stagedFar} {
		now, err := w.Objects.look(name)
		if err != nil {
			return err
		}
		if c.After.Inode == 0 || now.Inode != c.After.Inode {
			continue
		}
		layer, err := w.layerOf(w.set)
		if layer == nil || err != nil {
			return err // it was dropped, where there is no error
		}
		upper, err := newTree(Opened{layer.Upper, "."})
		if err != nil {
			return errors.Join(err, layer.Close())
		}
		to, err := upper.spotOf(string(c.Path))
		if err == nil {
			if err = move(w.Objects.spot(name), to); errors.Is(err, fs.ErrExist) {
				err = nil // it was copied
			}
		}
		upper.close()
		return errors.Join(err, layer.Close())
	}
	return nil
}
