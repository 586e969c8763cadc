package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
)

// Secrets lists the files and folders that hold keys or passwords (SPEC SEC-06), those that git
// ignores too, and other names of such files, relative to the folder. Of what lies in a folder
// that is listed nothing is. In a draft what was made there is none.
func (f *Folder) Secrets(ctx context.Context) ([]string, error) {
	if f.draft != nil {
		names, err := f.draft.below.Secrets(ctx)
		return topPaths(append(names, f.draft.copies(IsSecret)...)), err
	}
	names, linked, err := f.secrets.list(ctx, f.root)
	if err == nil && linked {
		names, err = f.lookForSecrets(ctx)
	}
	return topPaths(names), err
}

// topPaths returns those of some paths that lie in none of the others, in order.
func topPaths(names []string) []string {
	slices.Sort(names)
	top := names[:0]
	for _, name := range names {
		if len(top) == 0 || !isWithinOrAt(name, top[len(top)-1]) {
			top = append(top, name)
		}
	}
	return top
}

// lookForSecrets looks at all that is in the folder: files with secrets can have other names.
func (f *Folder) lookForSecrets(ctx context.Context) ([]string, error) {
	var found []string
	inodes := map[uint64]bool{}
	others := map[uint64][]string{}
	err := f.changes.Each(ctx, func(local leftover.Path, s change.State) {
		name := string(local)
		switch {
		case s.Kind == change.Link || name == ".":
		case IsSecret(name):
			found = append(found, name)
			inodes[s.Inode] = true
		case s.Kind == change.File && s.Links > 1:
			others[s.Inode] = append(others[s.Inode], name)
		}
	})
	for inode, names := range others {
		if inodes[inode] {
			found = append(found, names...)
		}
	}
	return found, err
}

// secretList knows which entries of each folder were secret at the last look: a folder is read
// again once it has changed, and no file is looked at whose name says nothing. It is safe for
// concurrent use.
type secretList struct {
	mu  sync.Mutex
	top *secretsInFolder
	// watch tells when there is nothing to look at; watched is set once it was made.
	watch   *folderWatch
	watched bool
	// found and linked are what the last look has found, if the watch has seen all of it.
	found  []string
	linked bool
	known  bool
}

// close ends the watch.
func (l *secretList) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watch.close()
	l.watch = nil
}

// secretsInFolder are the entries of a folder that count: those that are secret, and folders that
// are not.
type secretsInFolder struct {
	secrets []string
	folders []folderIn
	// inode is the folder's number, changed when it changed last, and read when it was read, in
	// nanoseconds since 1970.
	inode         uint64
	changed, read int64
}

// folderIn is a folder in another one; below is nil where it was not read.
type folderIn struct {
	name  string
	below *secretsInFolder
}

// readAfter is how much later than its last change a folder is read at least where it is not read
// again: the clock of a file system can be that late.
const readAfter = 50 * time.Millisecond

// list returns what is secret by its name, and reports whether a file of that has other names.
func (l *secretList) list(ctx context.Context, root *os.Root) (found []string, linked bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	notes := notesChanges(root)
	if !l.watched && notes {
		l.watched, l.watch = true, newFolderWatch()
		l.top = nil // all of it is to be watched
	}
	if l.watch.isQuiet() && l.known {
		return slices.Clone(l.found), l.linked, nil
	}
	info, err := root.Stat(".")
	if err != nil {
		return nil, false, err
	}
	w := &secretWalk{ctx: ctx, watch: l.watch}
	if !notes {
		l.top = nil
	}
	if l.top, err = l.top.refresh(root, "", info, l.watch); err == nil {
		err = w.visit(root, ".", l.top)
	}
	l.found, l.linked, l.known = slices.Clone(w.found), w.linked, err == nil && l.watch.isOpen()
	return w.found, w.linked, err
}

// secretWalk is one look.
type secretWalk struct {
	ctx    context.Context //nolint:containedctx // it lasts as long as the look
	watch  *folderWatch
	found  []string
	linked bool
}

// visit looks at what is in a folder.
func (w *secretWalk) visit(root *os.Root, local string, known *secretsInFolder) error {
	for _, name := range known.secrets {
		info, err := root.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue // it went, or leads to what has a name of its own
		}
		w.found = append(w.found, path.Join(local, name))
		if err := w.countNames(root, name); err != nil {
			return err
		}
	}
	opened, err := root.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	handle := opened.Fd()
	for i := range known.folders {
		at := &known.folders[i]
		if at.below != nil && len(at.below.secrets)+len(at.below.folders) == 0 && at.below.holdsIn(handle, at.name) {
			continue // most are such
		}
		info, err := root.Lstat(at.name)
		if err != nil || !info.IsDir() {
			continue
		}
		if err := w.enter(root, at, path.Join(local, at.name), info); err != nil {
			return err
		}
	}
	return w.ctx.Err()
}

// countNames finds out whether a file at a path, or in a folder that lies there, has other names.
func (w *secretWalk) countNames(root *os.Root, name string) error {
	return change.Walk(root, name, func(local string, info fs.FileInfo) error {
		switch {
		case info.Mode().IsRegular():
			_, links, _ := change.IdentityOf(info)
			w.linked = w.linked || links != 1
		case info.IsDir():
			w.watchAt(root, local)
		}
		return w.ctx.Err()
	})
}

// watchAt watches a folder with secrets: what is linked into it has another name there.
func (w *secretWalk) watchAt(root *os.Root, local string) {
	opened, err := root.Open(local)
	if err != nil {
		w.watch.close()
		return
	}
	w.watch.add(opened)
	_ = opened.Close()
}

// enter looks at a folder in another one. One that nobody may read has nothing that is seen.
func (w *secretWalk) enter(root *os.Root, at *folderIn, local string, info fs.FileInfo) error {
	below, err := root.OpenRoot(at.name)
	if errors.Is(err, fs.ErrPermission) {
		w.watch.close()
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if at.below, err = at.below.refresh(below, at.name, info, w.watch); err == nil {
		err = w.visit(below, local, at.below)
	}
	return errors.Join(err, below.Close())
}

// refresh returns what is in a folder of a name: as it was read before, where that still holds.
func (s *secretsInFolder) refresh(root *os.Root, name string, info fs.FileInfo, watch *folderWatch) (*secretsInFolder, error) {
	if s.holds(info) {
		return s, nil
	}
	fresh := &secretsInFolder{read: time.Now().UnixNano()}
	fresh.inode, _, fresh.changed = change.IdentityOf(info)
	if err := fresh.readAll(root, name, watch); err != nil {
		return nil, err
	}
	if s != nil {
		known := map[string]*secretsInFolder{}
		for _, at := range s.folders {
			known[at.name] = at.below
		}
		for i := range fresh.folders {
			fresh.folders[i].below = known[fresh.folders[i].name]
		}
	}
	return fresh, nil
}

// holds reports whether what was read still holds for a folder.
func (s *secretsInFolder) holds(now fs.FileInfo) bool {
	inode, _, changed := change.IdentityOf(now)
	return s.holdsFor(inode, changed)
}

// holdsFor is holds for a folder's number and when it changed last.
func (s *secretsInFolder) holdsFor(inode uint64, changed int64) bool {
	return s != nil && inode != 0 && s.inode == inode && s.changed == changed && s.read-changed > int64(readAfter)
}

// readAll reads the entries of a folder of a name, which is watched from then on.
func (s *secretsInFolder) readAll(root *os.Root, name string, watch *folderWatch) error {
	opened, err := root.Open(".")
	if errors.Is(err, fs.ErrPermission) {
		watch.close() // it would not tell when it can be read
		return nil
	}
	if err != nil {
		return err
	}
	watch.add(opened)
	entries, err := opened.ReadDir(-1)
	for _, e := range entries {
		switch {
		case secretEntry(name, e.Name()):
			s.secrets = append(s.secrets, e.Name())
		case e.IsDir():
			s.folders = append(s.folders, folderIn{name: e.Name()})
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // it goes at this moment
	}
	return errors.Join(err, opened.Close())
}

// SecretAt returns the path, as Secrets has it, of a file or a folder with keys that the user
// has named. An error is a *message.ToolError.
func (f *Folder) SecretAt(name string) (string, error) {
	place, err := f.Locate(name)
	if err != nil {
		return "", err
	}
	if !place.Exists() {
		return "", f.NotFound(place)
	}
	if top := path.Dir(place.Path); IsSecret(top) {
		return "", toolError(message.InvalidArguments, "%s lies in a folder that is covered as a whole; name that folder", quotePath(place.Path))
	}
	return place.Path, nil
}
