package workspace

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"fairlead/backend/change"
	"fairlead/backend/message"
)

const (
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
	_, err = f.Replace(context.Background(), "", place, content, change.Lines{})
	return err
}

// Replace makes content the whole content of a file that Writable found, at once or
// not at all: readers and a crash see the old or the new content. The file is
// replaced, so that its other hard links keep the old content; mode, owner and attributes
// stay. Missing folders are made. It is recorded as what the call has done. It fails with
// STALE_FILE, and writes nothing, if there is another file or folder at that place than
// Writable found.
func (f *Folder) Replace(ctx context.Context, call string, place Place, content []byte, lines change.Lines) (*change.Set, error) {
	r, err := f.walkDirect(place.Path)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.checkSame(place); err != nil {
		return nil, err
	}
	if r.isInRepository() {
		return nil, ofGit(place.Path)
	}
	set, err := f.changes.Write(ctx, call, r.target(), content, lines)
	if err != nil {
		return set, changeError("write", place, err)
	}
	return set, nil
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
