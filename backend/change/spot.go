package change

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// errFar means that something cannot be moved: it lies on another file system, or on one
// that does not do it.
var errFar = errors.New("it lies on another file system")

// spot is an entry of a folder that is held open, there or not.
type spot struct {
	dir *os.Root
	// handle is the folder, opened to be named to the system.
	handle *os.File
	name   string
}

// Opened is a folder that is held open, with its path in the workspace.
type Opened struct {
	Root *os.Root
	Path string
}

// tree reaches what lies in a folder, and follows no link. It keeps the folders on the way
// to the last place open, because what is next to it mostly is asked for next. It is not
// safe for concurrent use.
type tree struct {
	// lent are the folders that the caller holds open, the top first, and open those that
	// were opened below one of them.
	lent, open []folder
}

// folder is one that is held open.
type folder struct {
	root   *os.Root
	handle *os.File
	path   string
}

// newTree returns a tree below a folder that is held open. Where a caller has opened more
// folders on the way to what is asked for, these are used, whatever their paths lead to by
// now.
func newTree(way ...Opened) (*tree, error) {
	t := &tree{}
	for _, o := range way {
		handle, err := o.Root.Open(".")
		if err != nil {
			t.close()
			return nil, err
		}
		t.lent = append(t.lent, folder{o.Root, handle, o.Path})
	}
	return t, nil
}

// close closes all folders but those that are the caller's.
func (t *tree) close() {
	t.closeTo(0)
	for _, f := range t.lent {
		_ = f.handle.Close()
	}
	t.lent = nil
}

func (t *tree) closeTo(kept int) {
	for _, f := range t.open[kept:] {
		_ = f.handle.Close()
		_ = f.root.Close()
	}
	t.open = t.open[:kept]
}

// errNoFolder means that the folder of a path is not there, or is none.
var errNoFolder = errors.New("its folder is not there")

// spotOf returns the place of a path, whose folder must be there. It holds until the next
// call.
func (t *tree) spotOf(local string) (spot, error) {
	dir, name := path.Split(local)
	dir = path.Clean(dir)
	if dir == "" {
		dir = "."
	}
	at, kept := t.lent[0], 0
	for _, f := range t.lent {
		if isWithin(dir, f.path) {
			at = f
		}
	}
	for kept < len(t.open) && isWithin(dir, t.open[kept].path) && isWithin(t.open[kept].path, at.path) {
		at = t.open[kept]
		kept++
	}
	t.closeTo(kept)
	for at.path != dir {
		rest := dir
		if at.path != "." {
			rest = dir[len(at.path)+1:]
		}
		part, _, _ := strings.Cut(rest, "/")
		below, err := at.below(part)
		if err != nil {
			return spot{}, err
		}
		t.open, at = append(t.open, below), below
	}
	return spot{at.root, at.handle, name}, nil
}

// below opens a folder in this one, and no other.
func (f folder) below(name string) (folder, error) {
	seen, err := f.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !seen.IsDir() {
		return folder{}, errNoFolder
	}
	if err != nil {
		return folder{}, err
	}
	root, err := f.root.OpenRoot(name + "/.") // with the dot, nothing but a folder is opened
	if err != nil {
		if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
			err = errNoFolder
		}
		return folder{}, err
	}
	below := folder{root: root, path: path.Join(f.path, name)}
	if below.handle, err = root.Open("."); err != nil {
		_ = root.Close()
		return folder{}, err
	}
	info, err := below.handle.Stat()
	if err == nil && !os.SameFile(seen, info) {
		err = errNoFolder
	}
	if err != nil {
		_ = below.handle.Close()
		_ = root.Close()
		return folder{}, err
	}
	return below, nil
}

// look returns what lies at a path, without the sum of its content; nothing where its folder
// is not there.
func (t *tree) look(local string) (State, error) { return t.lookBy(local, spot.look) }

// glance is look without attributes, each of which costs a call to the system.
func (t *tree) glance(local string) (State, error) {
	return t.lookBy(local, func(at spot) (State, error) { return lookAt(at.dir, at.name) })
}

func (t *tree) lookBy(local string, look func(spot) (State, error)) (State, error) {
	at, err := t.spotOf(local)
	if errors.Is(err, errNoFolder) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	return look(at)
}

// lookSince is look, which is quick where nothing has changed since.
func (t *tree) lookSince(local string, since State) (State, error) {
	now, err := t.glance(local)
	if err != nil || now.Inode != 0 && now.isUntouched(since) {
		now.Attributes = since.Attributes
		return now, err
	}
	return t.look(local)
}

// look returns what lies there, without the sum of its content.
func (s spot) look() (State, error) {
	state, err := lookAt(s.dir, s.name)
	if err == nil && (state.Kind == File || state.Kind == Folder) {
		state.Attributes, err = readAttributes(s)
	}
	return state, err
}

// setRest gives an entry what belongs to it beside its content. What the user may not set,
// such as another owner, stays as it is.
func (s spot) setRest(wanted State) error {
	now, err := lookAt(s.dir, s.name)
	if err != nil {
		return err
	}
	if now.Owner != wanted.Owner || now.Group != wanted.Group {
		if err := setOwner(s, wanted.Owner, wanted.Group); err != nil {
			return err
		}
	}
	if wanted.Kind != Link {
		if err := setMode(s, unixMode(wanted.Mode)); err != nil {
			return err
		}
		if err := setAttributes(s, wanted.Attributes); err != nil {
			return err
		}
	}
	return setTime(s, wanted.Modified)
}

// unixMode is a mode as the system has it.
func unixMode(mode fs.FileMode) uint32 {
	bits := uint32(mode.Perm())
	if mode&fs.ModeSetuid != 0 {
		bits |= 0o4000
	}
	if mode&fs.ModeSetgid != 0 {
		bits |= 0o2000
	}
	if mode&fs.ModeSticky != 0 {
		bits |= 0o1000
	}
	return bits
}
