package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairlead/backend/leftover"
)

func now() time.Time { return time.Now() }

// source is where what lies at a path afterwards comes from: an object, or a content.
type source struct {
	object, spare string
	content       []byte
}

// work is a set that is being made: its changes are what is wanted, and in the end what was
// done.
type work struct {
	*Recorder
	set *Set
	// jobs are by the index of the change.
	jobs []job
	tree *tree
	// from is the way to what is moved, where the caller has opened it.
	from []Opened
	// spent are copies that nothing needs once the sets are saved.
	spent []string
	// upper is the layer that changes come from; nil for other sets.
	upper *tree
	// pending are all changes of the layer; when a set is recovered, only whose they are is known.
	pending *Pending
	// unmade are the changes that were wanted and not made, once that is known.
	unmade []Change
	// copiedBefore reports whether something was kept as a copy.
	copiedBefore bool
	// settled is closed when what was done survives a power cut and the copies of texts are
	// kept; nil where that was not begun. uncopied reports whether the copies could not be made,
	// and unsynced whether folders are still to be synced.
	settled  chan struct{}
	uncopied bool
	unsynced bool
	// recovering reports whether another process was making the set.
	recovering bool
	// times are what the folders are to be given that nobody else has changed in: an undo
	// has the times of what it takes back.
	times []FolderTime
	// progress has two steps for each change: kept, and made.
	progress progress
}

// job is what is to be known of a change while it is made.
type job struct {
	source source
	// shown is what an object holds that is put back, of a text that is to be copied.
	shown []byte
	// apart reports whether what lies there is another name of a file that stays, so that it is
	// not moved to the objects, where it would count as a name.
	apart bool
	// inLayer reports whether what is to lie there is still in the layer, and whole is the
	// folder there that it is moved with, nil for none.
	inLayer bool
	whole   *whole
	// written reports whether somebody had what lies there open for writing when it was kept.
	written bool
	// far reports whether what lies there is copied to the objects, and not moved.
	far bool
	// done reports whether the change was made; err is why it was not.
	done bool
	err  error
}

// newWork begins to make a set. finish gives back what it holds.
func (r *Recorder) newWork(set *Set, way ...Opened) (*work, error) {
	if err := r.Objects.open(); err != nil {
		return nil, err
	}
	if len(way) == 0 {
		way = r.top()
	}
	t, err := newTree(way...)
	if err != nil {
		return nil, err
	}
	return &work{Recorder: r, set: set, tree: t}, nil
}

// add adds a change that is wanted.
func (w *work) add(c Change, from source) {
	w.addJob(c, job{source: from})
}

func (w *work) addJob(c Change, j job) {
	w.set.Changes, w.jobs = append(w.set.Changes, c), append(w.jobs, j)
}

// run makes the set. Before anything is changed, what is there is kept and the set is saved, and
// both survive a power cut (SPEC CHG-02). What fails is left as it is, and its job has the error;
// what is returned kept it from beginning. finish is called next.
func (w *work) run(ctx context.Context) error {
	if err := w.keepAll(); err != nil {
		return err
	}
	w.set.Times = w.folderTimes()
	w.nameCopies()
	kept := make(chan error, 1)
	go func() { kept <- w.syncKept() }()
	err := w.Journal.SaveSets(ctx, true, *w.set)
	if err = errors.Join(<-kept, err); err != nil {
		w.unfinished = true // it may be saved all the same
		return err
	}
	w.changeAll()
	if err := w.finishFolders(); err != nil {
		w.unfinished = true
		return err
	}
	w.settleDown()
	return nil
}

// objectName is that of what was before a change.
func (w *work) objectName(i int) string { return w.set.ID + "-" + strconv.Itoa(i) }

// needsKept reports whether the content before a change leaves its path.
func needsKept(c Change) bool {
	return (c.Before.Kind == File || c.Before.Kind == Link) && c.Op != Mode && c.To == ""
}

// keepAll copies what is there before where it cannot be moved later, and chooses where all of it
// is kept. syncKept makes it survive.
func (w *work) keepAll() error {
	few := len(w.set.Changes) <= syncEach
	for i := range w.set.Changes {
		w.progress.step()
		c := &w.set.Changes[i]
		if !needsKept(*c) || c.Lost != "" {
			continue
		}
		at, err := w.tree.spotOf(string(c.Path))
		if err != nil {
			return fmt.Errorf("keep %s: %w", c.Path, err)
		}
		c.Kept = cmp.Or(w.jobs[i].source.object, w.objectName(i))
		near, err := sameFileSystem(at.handle, w.Objects.handle)
		if err != nil {
			return fmt.Errorf("keep %s: %w", c.Path, err)
		}
		w.jobs[i].far = !near || w.jobs[i].apart && (c.After.Kind == None || c.After.Kind == Folder)
		if w.jobs[i].far {
			c.Kept = w.objectName(i)
			err = w.keepCopy(c, c.Kept, at)
		} else {
			err = w.keepNear(i, few, at)
		}
		if err != nil {
			return fmt.Errorf("keep %s: %w", c.Path, err)
		}
	}
	return nil
}

// syncKept makes survive a power cut what was kept, and each file that will be moved.
func (w *work) syncKept() error {
	if len(w.set.Changes) > syncEach && syncAll(w.tree.lent[0].handle) != nil {
		if err := w.syncMoved(); err != nil {
			return err
		}
	}
	if !w.copiedBefore {
		return nil
	}
	return syncFolder(w.Objects.handle)
}

// syncMoved syncs each file that will be moved, where they cannot be synced together.
func (w *work) syncMoved() error {
	for i := range w.set.Changes {
		c := &w.set.Changes[i]
		if w.jobs[i].far || c.Kept == "" || c.Before.Kind != File {
			continue
		}
		at, err := w.tree.spotOf(string(c.Path))
		if err != nil {
			return err
		}
		file, err := openSeen(at.dir, at.name, c.Before)
		if errors.Is(err, fs.ErrPermission) {
			continue
		}
		if err != nil {
			return err
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// keepCopy copies what lies at a place.
func (w *work) keepCopy(c *Change, name string, at spot) error {
	w.copiedBefore = true
	copied, err := w.Objects.copyIn(name, at, c.Before)
	if err == nil {
		c.Before.Sum = cmp.Or(c.Before.Sum, copied.Sum)
	}
	return err
}

// keepNear makes a file that will be moved survive a power cut. One that somebody can still
// write to then, by another name or because it is open, is copied too (SPEC CHG-02).
// Those that are many are synced together afterwards, not each.
func (w *work) keepNear(i int, each bool, at spot) error {
	c := &w.set.Changes[i]
	if c.Before.Kind != File {
		return nil
	}
	file, err := openSeen(at.dir, at.name, c.Before)
	if errors.Is(err, fs.ErrPermission) {
		return nil // what this user cannot read, no program of theirs has just written
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if w.jobs[i].written = isWritten(file); w.jobs[i].written || c.Before.Links > 1 {
		c.Spare = w.objectName(i) + ".spare"
		return w.keepCopy(c, c.Spare, at)
	}
	if each {
		return file.Sync()
	}
	return nil
}

// changeAll changes what is wanted: files go, those in a folder before it; then what is to
// be there comes, a folder before what is in it; and folders that are to be gone go last, those
// too that a file takes the place of, because what was moved has left them by then. New names of
// a file come once that is as it is to be, and before folders go that they are moved out of. A
// folder in which nothing can be changed meanwhile, before or afterwards, can be.
func (w *work) changeAll() {
	order := make([]int, len(w.set.Changes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return comparePaths(w.set.Changes[a].Path, w.set.Changes[b].Path) })
	// Where a folder cannot be opened, what is in it cannot be changed, and says so.
	for _, t := range w.set.Times {
		if t.Closed != 0 {
			_ = w.setFolderMode(t.Path, t.Closed|0o700)
		}
	}
	for _, i := range order {
		if c := w.set.Changes[i]; c.Before.Kind == Folder && c.After.Kind != Folder && isClosed(c.Before) {
			_ = w.setFolderMode(c.Path, 0o700)
		}
	}
	for _, i := range slices.Backward(order) {
		switch c := w.set.Changes[i]; {
		case c.After.Kind != None || c.To != "":
		case c.Before.Kind == Folder:
			_ = w.removeFolder(i) // what is moved may still be in it
		default:
			w.note(i, w.take(i))
		}
	}
	last := func(c Change) bool {
		closes := c.Op == Mode && c.After.Kind == Folder && isClosed(c.After)
		return closes || c.Before.Kind == Folder && c.After.Kind != Folder
	}
	put := func(i int) {
		if w.putWhole(i); w.jobs[i].done {
			return
		}
		err := w.put(i)
		if err != nil && w.jobs[i].inLayer {
			err = errors.Join(err, w.unstage(i))
		}
		w.note(i, err)
	}
	// A file that is replaced is known by its time, which others of its names get, and what gets
	// another name has its time by then.
	turn := func(c Change) int {
		switch {
		case c.Same != "" && c.After.Kind == File:
			return 2
		case c.Op == Mode && c.After.Kind == File:
			return 1
		}
		return 0
	}
	for now := range 3 {
		for _, i := range order {
			if c := w.set.Changes[i]; c.After.Kind != None && !last(c) && turn(c) == now {
				put(i)
			}
		}
	}
	for _, i := range slices.Backward(order) {
		c := w.set.Changes[i]
		switch {
		case c.After.Kind != None && last(c):
			put(i)
		case !w.jobs[i].done && c.After.Kind == None && c.Before.Kind == Folder && c.To == "":
			w.note(i, w.removeFolder(i))
		}
	}
}

// comparePaths orders a folder before what is in it.
func comparePaths(a, b leftover.Path) int {
	return slices.Compare(strings.Split(string(a), "/"), strings.Split(string(b), "/"))
}

// note notes how a change went.
func (w *work) note(i int, err error) {
	w.jobs[i].done, w.jobs[i].err = err == nil, err
	w.progress.step()
}
