package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"fairlead/backend/leftover"
	"fairlead/backend/message"
)

const (
	newFile   fs.FileMode = 0o644
	newFolder fs.FileMode = 0o755
	// writable is the owner's right to write; on Windows it is the opposite of
	// the read-only attribute.
	writable fs.FileMode = 0o200
)

// Writable returns the place that a file would be written to, or why it would
// not be: the errors of Locate, DENIED_FILE for files that hold secrets and for
// git's own folder, UNSUPPORTED_FILE for what is no regular file, EXECUTION_ERROR
// for a read-only file.
func (f *Folder) Writable(name string) (Place, error) {
	r, err := f.openRoute(name)
	if err != nil {
		return Place{}, err
	}
	defer r.close()
	place := r.Place
	if err := checkSecret(place); err != nil {
		return Place{}, err
	}
	if inGit(place.given) || inGit(place.Path) || r.isInRepository() {
		return Place{}, ofGit(place.given)
	}
	if place.folder, err = r.lastFolder().statFolder(); err != nil {
		return Place{}, toolError(message.ExecutionError, "look at %s: %s", quotePath(place.given), systemReason(err))
	}
	if !place.Exists() {
		if made := strings.TrimPrefix(place.Path, place.parent); !utf8.ValidString(made) {
			return Place{}, toolError(message.UnsupportedFile, "%s is not UTF-8: give a new file a name that is", quotePath(place.Path))
		}
		return place, nil
	}
	if err := checkRegular(place.Path, place.Info); err != nil {
		return Place{}, err
	}
	if place.Info.Mode()&writable == 0 {
		return Place{}, toolError(message.ExecutionError, "%s is read-only: ask the user to allow writing it", quotePath(place.Path))
	}
	return place, nil
}

func ofGit(name string) error {
	return toolError(message.DeniedFile, "%s belongs to git: use git commands to change it", quotePath(name))
}

// isInRepository reports whether a folder on the way is one of git's, as which it can be known
// when it was renamed, too, or would be with what is written. Working trees that lie
// in such a folder are not git's.
func (r *route) isInRepository() bool {
	names := append(strings.Split(r.Path, "/"), "")
	for i, d := range slices.Backward(r.folders) {
		if d.isRepository(names[min(i, len(names)-1)]) {
			return true
		}
		if d.has(".git") {
			return false
		}
	}
	return false
}

// Write makes content the whole content of the file that name leads to; see Replace.
// Its errors are those of Writable and of Replace.
func (f *Folder) Write(name string, content []byte) error {
	place, err := f.Writable(name)
	if err != nil {
		return err
	}
	return f.Replace(place, content)
}

// Replace makes content the whole content of a file that Writable found, at once or
// not at all: readers and a crash see the old or the new content. The file is
// replaced, so that its other hard links keep the old content; its mode stays.
// Missing folders are made. It fails with STALE_FILE, and writes nothing, if there
// is another file or folder at that place than Writable found.
func (f *Folder) Replace(place Place, content []byte) error {
	r, err := f.walkDirect(place.Path)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.checkSame(place); err != nil {
		return err
	}
	made, err := f.makeFolders(r, place)
	if err != nil {
		return err
	}
	if r.isInRepository() {
		return ofGit(place.Path)
	}
	mode := newFile
	if r.Exists() {
		mode = r.Info.Mode().Perm()
	}
	w := write{folder: f, in: r.lastFolder(), base: path.Base(place.Path), mode: mode, created: !r.Exists(), content: content}
	err = w.putFile()
	if w.created && errors.Is(err, fs.ErrExist) {
		return changedMeanwhile(place.Path)
	}
	if err != nil {
		return toolError(message.ExecutionError, "write %s: %s", quotePath(place.Path), systemReason(err))
	}
	made.keepFolders()
	return nil
}

// checkSame refuses a route that is not to the same file in the same folder as place.
func (r *route) checkSame(place Place) error {
	folder, err := r.lastFolder().statFolder()
	switch {
	case err != nil:
		return toolError(message.ExecutionError, "look at %s: %s", quotePath(place.Path), systemReason(err))
	case !os.SameFile(folder, place.folder) || !sameContent(r.Info, place.Info):
		return changedMeanwhile(place.Path)
	}
	return nil
}

// sameContent reports whether two descriptions are of one file that was not written
// to in between, or both of none.
func sameContent(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// madeFolders are folders that were made for a file, which are on record until it is
// there.
type madeFolders []*leftover.Entry

// keepFolders takes them off the record.
func (m madeFolders) keepFolders() {
	for _, entry := range m {
		entry.Gone()
	}
}

// makeFolders makes the folders that are missing on the way, and opens them.
func (f *Folder) makeFolders(r *route, place Place) (made madeFolders, err error) {
	missing := strings.Split(strings.TrimPrefix(place.Path, r.lastFolder().joinName("")), "/")
	missing = missing[:len(missing)-1]
	if len(missing) == 0 {
		return nil, nil
	}
	defer func() {
		if err != nil {
			made.keepFolders()
		}
	}()
	for i := range missing {
		name := r.lastFolder().joinName(strings.Join(missing[:i+1], "/"))
		entry, err := f.record.Add(leftover.Thing{
			Kind: leftover.Folder, Root: leftover.Path(f.path), Name: leftover.Path(name), Since: time.Now(),
		})
		if err != nil {
			return made, toolError(message.ExecutionError, "make the folder %s: %s", quotePath(name), systemReason(err))
		}
		made = append(made, entry)
	}
	if err := f.record.Sync(); err != nil {
		return made, toolError(message.ExecutionError, "make the folder %s: %s", quotePath(r.lastFolder().joinName(missing[0])), systemReason(err))
	}
	for i, name := range missing {
		in := r.lastFolder()
		err := in.root.Mkdir(name, newFolder)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return made, toolError(message.ExecutionError, "make the folder %s: %s", quotePath(in.joinName(name)), systemReason(err))
		}
		if err != nil {
			made[i].Gone() // somebody else was quicker
		}
		below, err := in.openBelow(name)
		if err != nil {
			return made, changedMeanwhile(in.joinName(name))
		}
		r.folders = append(r.folders, below)
		if info, err := below.statFolder(); err == nil {
			_ = made[i].Found(info) // without its number it is known by its time
		}
	}
	return made, nil
}

// syncFolder makes a rename survive a power cut. Where folders cannot be synced
// the file system does it in its own time.
func syncFolder(dir *os.Root) {
	if handle, err := dir.Open("."); err == nil {
		_ = handle.Sync()
		_ = handle.Close()
	}
}
