package change

import (
	"cmp"
	"errors"
)

// belowTree is the folder below the draft, or the folder itself, where a set of a draft is only shown.
func (r *Recorder) belowTree() (*tree, error) {
	return newTree(Opened{cmp.Or(r.Below, r.Root), "."})
}

// textBelow returns the text that was at the path of a change before, and that the folder below the draft
// has; nil where it is none, or was changed there.
func (r *Recorder) textBelow(c Change) ([]byte, error) {
	is, err := r.isBelow(c)
	if err != nil || !is {
		return nil, err
	}
	below, err := r.belowTree()
	if err != nil {
		return nil, err
	}
	defer below.close()
	at, err := below.spotOf(string(c.Path))
	if err != nil {
		return nil, err
	}
	return readText(at.dir, at.name)
}

// isBelow reports whether the folder below the draft still has what was at the path of a change before.
func (r *Recorder) isBelow(c Change) (bool, error) {
	below, err := r.belowTree()
	if err != nil {
		return false, err
	}
	defer below.close()
	now, err := below.glance(string(c.Path))
	return now.Kind == c.Before.Kind && now.isUntouched(c.Before), err
}

// copyBelow makes an object of that, and returns its name and the sum of its content.
func (w *work) copyBelow(c Change) (object, sum string, err error) {
	object = w.objectName(len(w.jobs)) + ".below"
	below, err := w.belowTree()
	if err != nil {
		return "", "", err
	}
	defer below.close()
	at, err := below.spotOf(string(c.Path))
	if errors.Is(err, errNoFolder) {
		err = ErrChanged
	}
	if err != nil {
		return "", "", err
	}
	copied, err := w.Objects.copyIn(object, at, c.Before)
	return object, copied.Sum, err
}
