package change

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"runtime"
	"sync"

	"fairlead/backend/leftover"
)

// whole is a new folder of a layer of which everything is applied: it is moved with all that is
// in it, at once.
type whole struct {
	// changes are the indexes of the folder and of what is in it, the folder first.
	changes []int
}

// findWhole finds the folders of the layer that can be moved as a whole.
func (w *work) findWhole(p *Pending) {
	index := map[leftover.Path]int{}
	for i := range w.set.Changes {
		if w.isSimple(i) {
			index[w.set.Changes[i].Path] = i
		}
	}
	apart := map[string]bool{} // folders that something is in which is not simple, or stays
	for _, c := range p.Changes {
		if _, ok := index[c.Path]; ok && !p.marked[string(c.Path)] && p.without[c.Path] == nil && p.merged[c.Path] == nil {
			continue
		}
		setApart(apart, path.Dir(string(c.Path)))
		if c.After.Kind == Folder {
			setApart(apart, string(c.Path))
		}
	}
	for dir := range p.closed {
		setApart(apart, dir)
	}
	for dir := range p.unlisted {
		setApart(apart, dir)
	}
	wholes := map[string]*whole{}
	for _, c := range p.Changes { // a folder comes before what is in it
		i, ok := index[c.Path]
		if !ok || apart[string(c.Path)] {
			continue
		}
		of := wholes[path.Dir(string(c.Path))]
		if of == nil && c.After.Kind == Folder {
			of = &whole{}
		}
		if of == nil {
			continue
		}
		of.changes = append(of.changes, i)
		w.jobs[i].whole = of
		if c.After.Kind == Folder {
			wholes[string(c.Path)] = of
		}
	}
}

// isSimple reports whether a change is that something new comes from the layer as it is there.
func (w *work) isSimple(i int) bool {
	c := &w.set.Changes[i]
	if c.Before.Kind != None || c.From != "" || c.Same != "" {
		return false
	}
	return c.After.Kind == Folder || w.jobs[i].inLayer && (c.After.Kind == File || c.After.Kind == Link)
}

// setApart notes that a folder and those that it lies in are not moved as a whole.
func setApart(apart map[string]bool, dir string) {
	for ; !apart[dir]; dir = path.Dir(dir) {
		apart[dir] = true
	}
}

// putWhole moves a folder of the layer with all that is in it, if i is that folder. Where that
// cannot be, what is in it is made one by one.
func (w *work) putWhole(i int) {
	of := w.jobs[i].whole
	if of == nil || of.changes[0] != i {
		return
	}
	err := w.checkWhole(of)
	if err == nil {
		err = w.moveWhole(i)
	}
	for _, j := range of.changes {
		w.jobs[j].whole = nil
		if err == nil {
			w.note(j, nil)
		}
	}
}

func (w *work) moveWhole(i int) error {
	local := string(w.set.Changes[i].Path)
	at, err := w.tree.spotOf(local)
	if err != nil {
		return err
	}
	from, err := w.upper.spotOf(local)
	if err == nil {
		err = stripOwn(from)
	}
	if err == nil {
		err = move(from, at)
	}
	w.upper.closeTo(0) // what was opened below it is no longer in the layer
	return err
}

// checkWhole fails unless a folder of the layer has what was shown, and nothing else, and nobody
// has any of it open for writing. It takes the sums of the files.
func (w *work) checkWhole(of *whole) error {
	checkers := min(runtime.GOMAXPROCS(0), maxLookers, len(of.changes)/perChecker+1)
	failed := make([]error, checkers)
	var checking sync.WaitGroup
	for n := range checkers {
		part := of.changes[len(of.changes)*n/checkers : len(of.changes)*(n+1)/checkers]
		checking.Go(func() { failed[n] = w.checkPart(part) })
	}
	checking.Wait()
	if err := errors.Join(failed...); err != nil {
		return err
	}
	return w.checkNames(of)
}

// perChecker is how many changes it takes for another one to help with them.
const perChecker = 500

// checkPart checks some of what a folder of the layer has, by the indexes of the changes.
func (w *work) checkPart(changes []int) error {
	upper, err := newTree(Opened{w.upper.lent[0].root, "."})
	if err != nil {
		return err
	}
	defer upper.close()
	for _, i := range changes {
		c := &w.set.Changes[i]
		local := string(c.Path)
		at, err := upper.spotOf(local)
		if err != nil {
			return err
		}
		if c.After.Kind != File {
			if now, err := lookAt(at.dir, at.name); err != nil || now.Kind != c.After.Kind || now.Target != c.After.Target {
				return ErrChanged
			}
			continue
		}
		file, err := openSeen(at.dir, at.name, c.After)
		if err != nil {
			return err
		}
		written := isWritten(file)
		if !written && c.After.Size <= maxSummed {
			c.After.Sum, err = sumFile(file)
		}
		_ = file.Close()
		if written || err != nil {
			return cmp.Or(err, fmt.Errorf("%s is open for writing", local))
		}
	}
	return nil
}

// checkNames fails unless the folders have as many entries as there are changes in them.
func (w *work) checkNames(of *whole) error {
	count := map[string]int{}
	for _, i := range of.changes {
		local := string(w.set.Changes[i].Path)
		if w.set.Changes[i].After.Kind == Folder {
			count[local] += 0
		}
		if i != of.changes[0] {
			count[path.Dir(local)]++
		}
	}
	for dir, known := range count {
		names, err := w.upper.names(dir)
		if err != nil {
			return err
		}
		if len(names) != known {
			return ErrChanged
		}
	}
	return nil
}
