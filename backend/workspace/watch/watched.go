package watch

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"

	"fairlead/backend/workspace"
)

// watchedFolder is a folder that the source watches.
type watchedFolder struct {
	// info is what was there when it was added: a folder of the same name may
	// have taken its place since.
	info fs.FileInfo
	// rules apply to its entries.
	rules *workspace.Rules
	// below are the names of watched folders in it, and left those of folders that
	// the rules leave out: when one goes, nothing tells that it was a folder.
	below, left map[string]bool
	// entries is how many it has, as far as that matters.
	entries int
}

// watchAnew begins to watch the whole folder anew. Watches of folders that moved
// while their changes were missed cannot be told from others, so none is kept.
func (w *watcher) watchAnew(ctx context.Context) {
	w.source.closeSource()
	w.watched, w.entries, w.limited = map[string]*watchedFolder{}, 0, ""
	var err error
	if w.source, err = w.open(); err != nil {
		w.source, w.limited = source{}, limitedNone
		return
	}
	w.add(ctx, ".", w.folder.Rules(), func(string) {})
}

// unread is a folder that is to be watched, with the rules from above it.
type unread struct {
	name  string
	outer *workspace.Rules
}

// add watches a folder and all below it, the upper ones first, so that a limit
// leaves out the deepest. It tells found what is in them already: of that the
// source reports nothing.
func (w *watcher) add(ctx context.Context, name string, outer *workspace.Rules, found func(path string)) {
	for queue := []unread{{name, outer}}; len(queue) > 0 && ctx.Err() == nil; queue = queue[1:] {
		more, ok := w.addOne(ctx, queue[0], found)
		if !ok {
			return
		}
		queue = append(queue, more...)
	}
}

// addOne watches one folder and returns those in it; false if no more can be
// watched.
func (w *watcher) addOne(ctx context.Context, next unread, found func(path string)) (below []unread, ok bool) {
	info, ok := w.attachFolder(next.name)
	if !ok || info == nil {
		return nil, ok
	}
	listed, err := w.folder.ListFolder(ctx, next.name, next.outer)
	if err != nil {
		// It went away, or ctx ended. A part of the entries is better than none.
		w.detachFolder(next.name)
		return nil, true
	}
	folder := &watchedFolder{info: info, rules: listed.Rules, below: map[string]bool{}, left: map[string]bool{}}
	if w.limits.files > 0 {
		if w.entries+listed.Count > w.limits.files {
			w.noteLimit(limitedFiles)
			w.detachFolder(next.name)
			return nil, true
		}
		folder.entries = listed.Count
		w.entries += folder.entries
	}
	w.rememberFolder(next.name, folder)
	for _, name := range listed.LeftOut {
		folder.left[name] = true
	}
	for _, e := range listed.Entries {
		local := path.Join(next.name, e.Name())
		found(local)
		if e.IsDir() {
			below = append(below, unread{local, folder.rules})
		}
	}
	return below, true
}

// attachFolder makes the source watch a folder and returns what it watches; nil if it is
// no folder or cannot be read, false if the source takes no more. The source
// follows links. When a folder is swapped for one just now, either what it leads
// to cannot be read from here, or an event of the folder above tells.
func (w *watcher) attachFolder(name string) (fs.FileInfo, bool) {
	if w.source.add == nil {
		return nil, false
	}
	if len(w.watched) >= w.limits.folders {
		w.noteLimit(limitedFolders)
		return nil, false
	}
	info, err := w.folder.Lstat(name)
	if err != nil || !info.IsDir() {
		return nil, true
	}
	if err := w.source.add(w.absolutePath(name)); err != nil {
		if isFolderFault(err) {
			return nil, true
		}
		if isExhausted(err) {
			w.noteLimit(limitedExhausted)
		} else {
			w.noteLimit(limitedNone)
		}
		return nil, false
	}
	return info, true
}

// detachFolder makes the source forget a folder.
func (w *watcher) detachFolder(name string) {
	if w.source.remove == nil {
		return
	}
	if err := w.source.remove(w.absolutePath(name)); err != nil && !isForgotten(err) {
		// Some systems find the watch of a folder only where it lies.
		w.batch.markMissed()
	}
}

// rememberFolder remembers a watched folder.
func (w *watcher) rememberFolder(name string, folder *watchedFolder) {
	w.watched[name] = folder
	if above := w.watched[path.Dir(name)]; above != nil && name != "." {
		above.below[path.Base(name)] = true
	}
}

// dropFolder forgets a folder and all below it. It reports whether it was watched.
func (w *watcher) dropFolder(name string) bool {
	folder := w.watched[name]
	if folder == nil {
		return false
	}
	for below := range folder.below {
		w.dropFolder(path.Join(name, below))
	}
	delete(w.watched, name)
	if above := w.watched[path.Dir(name)]; above != nil {
		delete(above.below, path.Base(name))
	}
	w.entries -= folder.entries
	w.detachFolder(name)
	if w.limited != "" && 10*len(w.watched) < 9*w.limitedAt {
		// There is space for others, enough to begin anew.
		w.batch.markMissed()
	}
	return true
}

// noteLimit notes why not everything is watched; the first reason stays.
func (w *watcher) noteLimit(why string) {
	if w.limited == "" {
		w.limited, w.limitedAt = why, len(w.watched)
	}
}

// absolutePath returns the path of a local name for the source.
func (w *watcher) absolutePath(name string) string {
	return filepath.Join(w.folder.Path(), filepath.FromSlash(name))
}
