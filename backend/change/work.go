package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairlead/backend/leftover"
)

func now() time.Time { return time.Now() }

// source is where what lies at a path afterwards comes from: an object, or a content.
type source struct {
	object  string
	content []byte
}

// work is a set that is being made: its changes are what is wanted, and in the end what was
// done.
type work struct {
	*Recorder
	set *Set
	// sources are by the index of the change; zero for those that need none.
	sources []source
	tree    *tree
	// from is the way to what is moved, where the caller has opened it.
	from []Opened
	// far is by the index of the change: what lies there cannot be moved to the objects.
	far []bool
	// done and failed are by the index of the change. What has failed is not done.
	done   []bool
	failed []error
	// recovering says that another process was making the set.
	recovering bool
	// times are what the folders are to be given that nobody else has changed in: an undo
	// has the times of what it takes back.
	times []FolderTime
}

// newWork begins to make a set. end gives back what it holds.
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
	w.set.Changes = append(w.set.Changes, c)
	w.sources = append(w.sources, from)
}

// run makes the set. Before anything is changed, what is there is kept and the set is saved
// (SPEC CHG-02). What fails is left as it is, and failed says why; the error is one that
// kept it from beginning.
func (w *work) run(ctx context.Context) error {
	n := len(w.set.Changes)
	w.far, w.done, w.failed = make([]bool, n), make([]bool, n), make([]error, n)
	if err := w.keepAll(); err != nil {
		return err
	}
	w.set.Times = w.folderTimes()
	if err := w.Journal.SaveSets(ctx, true, *w.set); err != nil {
		return err
	}
	w.changeAll()
	w.finishFolders()
	w.syncFolders()
	return nil
}

// objectName is that of what was before a change.
func (w *work) objectName(i int) string { return w.set.ID + "-" + strconv.Itoa(i) }

// needsKept reports whether the content before a change leaves its path.
func needsKept(c Change) bool {
	return (c.Before.Kind == File || c.Before.Kind == Link) && c.Op != Mode && c.To == ""
}

// keepAll makes what is there before survive, and chooses where it is kept.
func (w *work) keepAll() error {
	for i := range w.set.Changes {
		c := &w.set.Changes[i]
		if !needsKept(*c) || c.Lost != "" {
			continue
		}
		at, err := w.tree.spotOf(string(c.Path))
		if err != nil {
			return fmt.Errorf("keep %s: %w", c.Path, err)
		}
		c.Kept = cmp.Or(w.sources[i].object, w.objectName(i))
		if w.far[i] = !sameFileSystem(at.handle, w.Objects.handle); w.far[i] {
			c.Kept = w.objectName(i)
			err = w.keepCopy(c, c.Kept, at)
		} else {
			err = w.keepNear(c, at)
		}
		if err != nil {
			return fmt.Errorf("keep %s: %w", c.Path, err)
		}
	}
	return w.Objects.handle.Sync()
}

// keepCopy copies what lies at a place.
func (w *work) keepCopy(c *Change, name string, at spot) error {
	copied, err := w.Objects.copyIn(name, at, c.Before)
	if err == nil {
		c.Before.Sum = cmp.Or(c.Before.Sum, copied.Sum)
	}
	return err
}

// keepNear makes a file that will be moved survive a power cut. One that somebody can still
// write to then, by another name or because it is open, is copied too (SPEC CHG-02).
func (w *work) keepNear(c *Change, at spot) error {
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
	if c.Before.Links > 1 || isWritten(file) {
		return w.keepCopy(c, copyName(c.Kept), at)
	}
	return file.Sync()
}

// copyName is that of the copy of an object that others may still write to.
func copyName(object string) string { return object + ".copy" }

// changeAll changes what is wanted: files go, those in a folder before it; then what is to
// be there comes, a folder before what is in it; and folders that are to be gone go last,
// because what was moved has left them by then.
func (w *work) changeAll() {
	order := make([]int, len(w.set.Changes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return comparePaths(w.set.Changes[a].Path, w.set.Changes[b].Path) })
	for _, i := range slices.Backward(order) {
		switch c := w.set.Changes[i]; {
		case c.After.Kind != None || c.To != "":
		case c.Before.Kind == Folder:
			_ = w.removeFolder(i) // what is moved may still be in it
		default:
			w.note(i, w.take(i))
		}
	}
	for _, i := range order {
		if w.set.Changes[i].After.Kind != None {
			w.note(i, w.put(i))
		}
	}
	for _, i := range slices.Backward(order) {
		if c := w.set.Changes[i]; !w.done[i] && c.After.Kind == None && c.Before.Kind == Folder && c.To == "" {
			w.note(i, w.removeFolder(i))
		}
	}
}

// comparePaths orders a folder before what is in it.
func comparePaths(a, b leftover.Path) int {
	return slices.Compare(strings.Split(string(a), "/"), strings.Split(string(b), "/"))
}

// note notes how a change went.
func (w *work) note(i int, err error) { w.done[i], w.failed[i] = err == nil, err }

// expect fails if a place does not hold what the change begins with.
func expect(at spot, c *Change) error {
	now, err := lookAt(at.dir, at.name)
	if err == nil && !now.isSameFile(c.Before) {
		err = ErrChanged
	}
	return err
}

// take moves what lies at a path to the objects.
func (w *work) take(i int) error {
	c := &w.set.Changes[i]
	at, err := w.tree.spotOf(string(c.Path))
	if err != nil {
		return err
	}
	if c.Before.Kind == Other || c.Lost != "" {
		if err := expect(at, c); err != nil {
			return err
		}
		return at.dir.Remove(at.name)
	}
	kept := w.Objects.spot(c.Kept)
	if !w.far[i] {
		switch err = move(at, kept); {
		case err == nil && expect(kept, c) == nil:
			return nil
		case err == nil:
			return errors.Join(ErrChanged, move(kept, at))
		case !errors.Is(err, errFar):
			return err
		}
		if err := w.keepAfterAll(i, at); err != nil {
			return err
		}
	}
	return w.removeCopied(c, at)
}

// keepAfterAll copies what was to be moved and cannot be.
func (w *work) keepAfterAll(i int, at spot) error {
	c := &w.set.Changes[i]
	w.far[i], c.Kept = true, w.objectName(i)
	err := w.keepCopy(c, c.Kept, at)
	if err == nil {
		err = w.Objects.handle.Sync()
	}
	if err == nil {
		err = w.Journal.SaveSets(context.Background(), true, *w.set)
	}
	return err
}

// removeCopied removes what was copied, if it still lies there.
func (w *work) removeCopied(c *Change, at spot) error {
	temporary, entry, err := w.temporary(c, at, c.Before)
	if err != nil {
		return err
	}
	defer entry.Gone()
	if err := at.dir.Rename(at.name, temporary.name); err != nil {
		return err
	}
	if err := expect(temporary, c); err != nil {
		return errors.Join(err, at.dir.Rename(temporary.name, at.name))
	}
	return at.dir.Remove(temporary.name)
}

// temporary is a place beside another for what the state describes, on record.
func (w *work) temporary(c *Change, at spot, s State) (spot, *leftover.Entry, error) {
	name := leftover.TemporaryName()
	entry, err := w.Leftover.Add(leftover.Thing{
		Kind: leftover.File, Root: leftover.Path(w.Path), Name: leftover.Path(path.Join(path.Dir(string(c.Path)), name)),
		Inode: s.Inode, Size: s.Size, Since: now(),
	})
	if err == nil {
		err = w.Leftover.Sync()
	}
	return spot{at.dir, at.handle, name}, entry, err
}

// put has something lie at a path.
func (w *work) put(i int) error {
	c, from := &w.set.Changes[i], w.sources[i]
	if c.From != "" {
		return w.moveWithin(i)
	}
	at, err := w.tree.spotOf(string(c.Path))
	if err != nil {
		return err
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
		return w.putObject(c, from.object, at)
	case c.Before.Kind == None:
		return w.putContent(c, from.content, at)
	case c.Before.Kind == Folder:
		if err := at.dir.Remove(at.name); err != nil {
			return err
		}
		return w.putObject(c, from.object, at)
	}
	return w.replace(i, at)
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
func (w *work) putObject(c *Change, object string, at spot) error {
	from := w.Objects.spot(w.intactObject(object, c.After))
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
	return w.Objects.drop(object)
}

// intactObject is the name of an object with a content: where others could write to what
// was moved, and did, its copy.
func (w *work) intactObject(object string, wanted State) string {
	now, err := w.Objects.look(object)
	if err == nil && now.Kind == File && now.Links > 1 {
		if sum, err := sumAt(w.Objects.root, object, now); err == nil && wanted.Sum != "" && sum != wanted.Sum {
			if copied, err := w.Objects.look(copyName(object)); err == nil && copied.Kind == File {
				return copyName(object)
			}
		}
	}
	return object
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
		if err = linkFile(file, at); err == nil || errors.Is(err, fs.ErrExist) {
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
	c, from := &w.set.Changes[i], w.sources[i]
	if !w.far[i] {
		err := w.exchangeNear(c, from, at)
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
		object := w.Objects.spot(w.intactObject(from.object, c.After))
		var state State
		if state, err = object.look(); err == nil {
			_, err = copyEntry(temporary, object, state)
		}
	}
	defer entry.Gone()
	if err != nil {
		return err
	}
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
	} else if intact := w.intactObject(from.object, c.After); intact != from.object {
		if err := w.Objects.root.Rename(intact, from.object); err != nil {
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
	if err := linkFile(file, object); err != nil {
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
	other, err := newTree(w.top()...)
	if len(w.from) > 0 {
		other, err = newTree(w.from...)
	}
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

// errNotEmpty says that a folder holds what the call did not make.
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
