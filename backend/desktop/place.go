package desktop

import (
	"context"
	"errors"
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/workspace"
)

// place is the open workspace, watched.
type place struct {
	folder *workspace.Folder
	stop   context.CancelFunc
	// ended waits until the watcher has.
	ended func()
	// limited says why not everything is watched.
	limited string
}

// openPlace opens a workspace in place of the one that is open, and watches it.
func (w *Window) openPlace(dir string) error {
	folder, err := w.backend.OpenFolder(dir)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.idle(); err != nil {
		return errors.Join(err, folder.Close())
	}
	if err := w.closeTalk(); err != nil {
		w.log.Warn("close the conversation before", "error", err)
	}
	w.closePlace()
	ctx, stop := context.WithCancel(w.ctx)
	opened := &place{folder: folder, stop: stop}
	opened.ended = folder.Watch(ctx, func(change workspace.Change) { w.announceChange(opened, change) })
	w.place, w.tour = opened, false
	return nil
}

func (w *Window) announceChange(from *place, change workspace.Change) {
	w.mu.Lock()
	from.limited = change.Limited
	w.mu.Unlock()
	paths := change.Paths
	if paths == nil {
		paths = []string{}
	}
	w.emitter.announce(event.WorkspaceChanged{Paths: paths, Full: change.Full, Gone: change.Gone, Limited: change.Limited})
}

// closePlace closes the workspace. The watcher's last report may wait for the
// lock that the caller holds, so it is not waited for.
func (w *Window) closePlace() {
	if w.place == nil {
		return
	}
	closed := w.place
	w.place = nil
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
	if err := w.openPlace(dir); err != nil {
		return Workspace{}, fmt.Errorf("choose a folder: %w", err)
	}
	w.mu.Lock()
	path := w.place.folder.Path()
	w.state.Opened(path)
	w.save()
	w.mu.Unlock()
	w.changed()
	return Workspace{Path: path, Name: name(path)}, nil
}
