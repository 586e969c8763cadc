package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"

	"fairlead/backend/workspace"
)

// noteEvent notes what one event of the source means.
func (w *watcher) noteEvent(ctx context.Context, e fsnotify.Event) {
	if !e.Has(fsnotify.Create | fsnotify.Write | fsnotify.Remove | fsnotify.Rename) {
		return
	}
	local, ok := strings.CutPrefix(e.Name, w.folder.Path()+string(filepath.Separator))
	if !ok {
		// The folder itself. If it is still there, it may be another, not watched.
		if e.Has(fsnotify.Remove | fsnotify.Rename) {
			w.batch.markMissed()
		}
		return
	}
	name := filepath.ToSlash(local)
	base := path.Base(name)
	folder := w.watched[path.Dir(name)]
	switch {
	case w.batch.rescan:
		// Everything is looked at again in any case.
		w.batch.noteTime()
	case e.Has(fsnotify.Rename) && w.watched[name] != nil:
		// The source knows what is below by the old names, and may have been told
		// to watch it by the new ones meanwhile.
		w.batch.markMissed()
	case folder == nil || len(name) > workspace.MaxPath:
		// Of a folder that was dropped, and reported, meanwhile; or not for people.
	case base == workspace.IgnoreFile:
		w.batch.markMissed()
	case e.Op == fsnotify.Write && w.batch.coversPath(name):
		// The same file once more.
		w.batch.noteTime()
	case w.isUnfinished(e, name):
	default:
		w.noteEntry(ctx, e, name, folder)
	}
}

// isUnfinished reports whether an event is of a file that a write has not finished, or had not
// when it happened. What is written to a file without a name is told by a name that
// nothing has.
func (w *watcher) isUnfinished(e fsnotify.Event, name string) bool {
	if w.folder.IsUnfinished(name) {
		return true
	}
	if e.Op != fsnotify.Write {
		return false
	}
	_, err := w.folder.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// noteEntry notes an event of one entry of a watched folder.
func (w *watcher) noteEntry(ctx context.Context, e fsnotify.Event, name string, folder *watchedFolder) {
	base := path.Base(name)
	wasFolder, wasLeft := false, folder.left[base]
	if e.Has(fsnotify.Remove | fsnotify.Rename) {
		wasFolder = w.dropFolder(name)
		delete(folder.left, base)
		w.countEntries(folder, -1)
	}
	if e.Has(fsnotify.Create) {
		w.countEntries(folder, 1)
	}
	info, err := w.folder.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if wasLeft || !wasFolder && folder.rules.IgnoresPath(name, false) {
			return
		}
	case err != nil:
		// Not to be told what it is: the path alone says to look.
	case folder.rules.IgnoresPath(name, info.IsDir()):
		if info.IsDir() {
			w.dropFolder(name)
			folder.left[base] = true
		}
		return
	case !workspace.IsListable(info.Mode()):
		return
	case info.IsDir() && !workspace.IsSecret(name):
		if known := w.watched[name]; known == nil || !os.SameFile(known.info, info) {
			w.dropFolder(name)
			w.add(ctx, name, folder.rules, w.batch.add)
		} else if !e.Has(fsnotify.Create) {
			// What changed in it has events of its own.
			return
		}
	}
	if !workspace.IsSecret(name) {
		w.batch.add(name)
	} else if e.Op != fsnotify.Write {
		w.batch.add(path.Dir(name))
	}
}

// countEntries follows how many entries a watched folder has. Where that is bounded and
// gets out of bounds, watching begins anew and leaves out the fullest.
func (w *watcher) countEntries(folder *watchedFolder, change int) {
	if w.limits.files == 0 {
		return
	}
	folder.entries += change
	if w.entries += change; w.entries > w.limits.files {
		w.batch.markMissed()
	}
}
