package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/workspace/autorun"
)

// Removable returns the place of what is to be deleted or moved: a file, a link itself, or a
// folder. Its errors are those of Locate, FILE_NOT_FOUND, DENIED_FILE for what holds secrets
// and for what is git's own, UNSUPPORTED_FILE for what is neither file, folder nor link and
// for the workspace itself, EXECUTION_ERROR for a read-only file.
func (f *Folder) Removable(name string) (Place, error) {
	r, err := f.openTo(name, true)
	if err != nil {
		return Place{}, err
	}
	defer r.close()
	place := r.Place
	if err := checkSecret(place); err != nil {
		return Place{}, err
	}
	switch {
	case !place.Exists():
		return Place{}, f.NotFound(place)
	case place.Path == ".":
		return Place{}, toolError(message.UnsupportedFile, "%s is the workspace itself: name something in it", quotePath(place.given))
	case inGit(place.given) || inGit(place.Path) || r.isInRepository():
		return Place{}, ofGit(place.given)
	case place.Info.Mode().IsRegular() && place.Info.Mode()&writable == 0:
		return Place{}, toolError(message.ExecutionError, "%s is read-only: ask the user to allow changing it", quotePath(place.Path))
	case !IsListable(place.Info.Mode().Type()):
		return Place{}, toolError(message.UnsupportedFile, "%s is no file, folder or link", quotePath(place.Path))
	}
	if place.folder, err = r.lastFolder().statFolder(); err != nil {
		return Place{}, toolError(message.ExecutionError, "look at %s: %s", quotePath(place.given), systemReason(err))
	}
	return place, nil
}

// Vacant returns the place that something is to be moved to, where nothing lies. Its errors
// are those of Writable, and EXECUTION_ERROR where something does.
func (f *Folder) Vacant(name string) (Place, error) {
	place, err := f.Writable(name)
	if err != nil {
		return Place{}, err
	}
	if place.Exists() {
		return Place{}, alreadyThere(place)
	}
	return place, nil
}

func alreadyThere(place Place) error {
	return toolError(message.ExecutionError, "%s is there already: delete it first, or choose another path", quotePath(place.Path))
}

// Entries lists what lies at a place that Removable found: itself, and all that is in it.
// Besides the error of ctx it fails with DENIED_FILE where something of it holds secrets or
// is git's own, and with EXECUTION_ERROR where there is too much.
func (f *Folder) Entries(ctx context.Context, place Place) ([]change.Entry, error) {
	r, target, err := f.openTarget(place)
	if err != nil {
		return nil, err
	}
	defer r.close()
	entries, err := f.changes.List(ctx, target)
	if err != nil {
		return nil, changeError("look at", place, err)
	}
	folders := map[string][]string{}
	for _, e := range entries {
		local := string(e.Path)
		if IsSecret(local) {
			return nil, toolError(message.DeniedFile, "%s holds keys or passwords: ask the user to move or delete it", quotePath(local))
		}
		if inGit(local) {
			return nil, ofGit(local)
		}
		folders[path.Dir(local)] = append(folders[path.Dir(local)], path.Base(local))
	}
	for dir, names := range folders {
		d := names
		if isWithinOrAt(dir, place.Path) && isRepository(d) {
			return nil, ofGit(dir)
		}
	}
	return entries, nil
}

// Lost are those of the entries at a place that could not be brought back if they were
// deleted.
func (f *Folder) Lost(place Place, entries []change.Entry) ([]change.Entry, error) {
	r, target, err := f.openTarget(place)
	if err != nil {
		return nil, err
	}
	defer r.close()
	lost, err := f.changes.Lost(target, entries)
	if err != nil {
		return nil, changeError("look at", place, err)
	}
	return lost, nil
}

// PushesOut reports whether what is kept of older changes would be deleted to keep these
// entries.
func (f *Folder) PushesOut(entries []change.Entry) (bool, error) {
	size := int64(0)
	for _, e := range entries {
		size += e.State.Size
	}
	frees, err := f.changes.PushesOut(size)
	if err != nil {
		return false, fmt.Errorf("find out whether there is space to undo it: %w", err)
	}
	return frees, nil
}

// UndoOf is how far something can be taken back that loses these entries.
func UndoOf(quality message.UndoQuality, lost []change.Entry) *message.Undo {
	undo := &message.Undo{Quality: quality}
	for _, e := range lost {
		if len(undo.Lost) == namedLost {
			undo.More++
		} else {
			undo.Lost = append(undo.Lost, Shown(string(e.Path)))
		}
	}
	return undo
}

// namedLost is how many entries are named that could not be brought back.
const namedLost = 5

// isWithinOrAt reports whether a path is another one, or lies in it.
func isWithinOrAt(local, dir string) bool { return local == dir || strings.HasPrefix(local, dir+"/") }

// Delete deletes what lies at a place that Removable found, with all that Entries listed. It
// fails with STALE_FILE, and deletes nothing of it, where something else lies there by now;
// what came into a folder meanwhile stays there, with the folders that it lies in.
func (f *Folder) Delete(ctx context.Context, call string, place Place, entries []change.Entry) (*change.Set, error) {
	r, target, err := f.openTarget(place)
	if err != nil {
		return nil, err
	}
	defer r.close()
	set, err := f.changes.Delete(ctx, call, target, entries)
	if err != nil {
		return set, changeError("delete", place, err)
	}
	return set, nil
}

// Move moves what lies at a place that Removable found to one that Vacant found. It fails
// with STALE_FILE, and moves nothing, where one of them is not as it was.
func (f *Folder) Move(ctx context.Context, call string, from, to Place) (*change.Set, error) {
	r, source, err := f.openTarget(from)
	if err != nil {
		return nil, err
	}
	defer r.close()
	way, target, err := f.openTarget(to)
	if err != nil {
		return nil, err
	}
	defer way.close()
	if isWithinOrAt(to.Path, from.Path) {
		return nil, toolError(message.InvalidArguments, "%s lies in %s, which cannot be moved into itself", quotePath(to.Path), quotePath(from.Path))
	}
	if way.isInRepository() {
		return nil, ofGit(to.Path)
	}
	set, err := f.changes.Move(ctx, call, source, target)
	if err != nil {
		return set, changeError("move", from, err)
	}
	return set, nil
}

// openTarget opens the way to a place that was found, and fails with STALE_FILE where
// something else lies there by now. The caller closes the way.
func (f *Folder) openTarget(place Place) (*route, change.Target, error) {
	r, err := f.walkEntry(place.Path)
	if err != nil {
		return nil, change.Target{}, err
	}
	if err := r.checkSame(place); err != nil {
		r.close()
		return nil, change.Target{}, err
	}
	return r, r.target(), nil
}

// target is the end of the way, as package change takes it.
func (r *route) target() change.Target {
	t := change.Target{Path: r.Path, Seen: r.Info}
	for _, d := range r.folders {
		t.Way = append(t.Way, change.Opened{Root: d.root, Path: d.path})
	}
	return t
}

// changeError is the error of a change that was not made, or not wholly.
func changeError(verb string, place Place, err error) error {
	if errors.Is(err, change.ErrChanged) {
		return changedMeanwhile(place.Path)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return toolError(message.ExecutionError, "%s %s: %s", verb, quotePath(place.Path), systemReason(err))
}

// isRepository reports whether a folder with these names in it is one in which git keeps a
// repository.
func isRepository(names []string) bool {
	return autorun.IsRepository(func(name string) bool { return slices.Contains(names, name) })
}

// IsLink reports whether a place is a link itself.
func (p Place) IsLink() bool { return p.Exists() && p.Info.Mode()&fs.ModeSymlink != 0 }
