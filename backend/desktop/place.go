package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fairlead/backend/event"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/watch"
)

// place is the open workspace, watched.
type place struct {
	folder *workspace.Folder
	stop   context.CancelFunc
	// ended waits until the watcher has.
	ended func()
	// limited says why not everything is watched.
	limited string
	// gone says that the folder was moved or deleted.
	gone bool
}

// openPlace opens a workspace, or the guided tour's, in place of the one that is
// open, and watches it. It returns its path.
func (w *Window) openPlace(dir string, tour bool) (path string, err error) {
	folder, err := w.backend.OpenFolder(dir)
	if err != nil {
		return "", err
	}
	w.turn.Lock()
	defer w.turn.Unlock()
	if err := w.idle(); err != nil {
		return "", errors.Join(err, folder.Close())
	}
	w.enter(folder, tour)
	return folder.Path(), nil
}

// enter makes a workspace the open one and watches it. No conversation is shown
// then. The caller has the turn.
func (w *Window) enter(folder *workspace.Folder, tour bool) {
	w.setShown("")
	w.closePlace()
	ctx, stop := context.WithCancel(w.ctx)
	opened := &place{folder: folder, stop: stop}
	w.mu.Lock()
	defer w.mu.Unlock()
	opened.ended = watch.Start(ctx, folder, func(change watch.Change) { w.announceChange(opened, change) })
	w.place, w.tour = opened, tour
}

// announceChange tells the page what changed in a workspace, unless another one is
// open by now.
func (w *Window) announceChange(from *place, change watch.Change) {
	w.mu.Lock()
	from.limited, from.gone = change.Limited, change.Gone
	current := w.place == from
	w.mu.Unlock()
	if !current {
		return
	}
	w.emitter.announce(workspaceNews(change))
	if change.Full || change.Gone || slices.Contains(change.Paths, "AGENTS.md") {
		w.changed()
	}
}

// pathBytes is how much JSON the paths of one report may take, so that the whole
// stays below maxJSON: an event that is not a run's has no address to be read at.
const pathBytes = maxJSON - 1024

// workspaceNews puts a report into the words of the page. More paths than fit are
// a reason to look at everything.
func workspaceNews(change watch.Change) event.WorkspaceChanged {
	news := event.WorkspaceChanged{Paths: change.Paths, Full: change.Full, Gone: change.Gone, Limited: change.Limited}
	if text, err := json.Marshal(change.Paths); err != nil || len(text) > pathBytes {
		news.Paths, news.Full = nil, true
	}
	if news.Paths == nil {
		news.Paths = []string{}
	}
	return news
}

// closePlace closes the workspace. The caller has the turn. The watcher is not
// waited for: it may be in the middle of looking at a slow drive.
func (w *Window) closePlace() {
	if w.place == nil {
		return
	}
	w.mu.Lock()
	closed := w.place
	w.place = nil
	w.mu.Unlock()
	closed.stop()
	w.alive.Go(func() {
		closed.ended()
		if err := closed.folder.Close(); err != nil {
			w.log.Warn("close the folder", "error", err)
		}
	})
}

// openFolder returns the open workspace.
func (w *Window) openFolder() (*workspace.Folder, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.place == nil {
		return nil, &Fault{Code: CodeNoFolder, Message: "no folder is chosen to work on", Hint: "choose one"}
	}
	return w.place.folder, nil
}

// choose opens a workspace and remembers it.
func (w *Window) choose(dir string) (Workspace, error) {
	path, err := w.openPlace(dir, false)
	if err != nil {
		return Workspace{}, fmt.Errorf("choose a folder: %w", err)
	}
	w.remember(path)
	w.changed()
	return Workspace{Path: path, Name: name(path)}, nil
}

// remember makes a workspace the one of the next start.
func (w *Window) remember(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Opened(path)
	w.save()
}
