package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"fairlead/backend/event"
	"fairlead/backend/mcp/host"
	"fairlead/backend/settings"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/names"
	"fairlead/backend/workspace/watch"
)

// place is an open workspace, watched.
type place struct {
	folder *workspace.Folder
	names  *names.Names
	// suggested is what it suggests to models.
	suggested *suggestions
	// servers are the MCP servers that the user lets run there.
	servers *host.Workspace
	stop    context.CancelFunc
	// ended waits until the watcher has.
	ended func()
	// limited says why not everything is watched, and gone that the folder was moved or
	// deleted; the lock of the owner guards both.
	limited string
	gone    bool
}

// shownFolder owns what the window shows: a workspace, and a conversation of it.
type shownFolder struct {
	// mu guards what follows. Nobody who holds it waits for anything.
	mu       sync.Mutex
	place    *place // nil when none is open
	shown    string // the id of the conversation; empty until its first prompt
	attended string // the id of a shown run that another process works on
	tour     bool   // the place and the model are the guided tour's
	closed   bool   // no other is opened any more
}

// view is what the window shows at one moment.
type view struct {
	// folder is nil, and path empty, when none is open.
	folder *workspace.Folder
	names  *names.Names
	path   string
	// limited and gone are those of the place.
	limited string
	gone    bool
	// shown is the id of the conversation; empty until its first prompt.
	shown string
	tour  bool
}

// currentView returns what is shown.
func (f *shownFolder) currentView() view {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := view{shown: f.shown, tour: f.tour}
	if f.place != nil {
		v.folder, v.path, v.limited, v.gone = f.place.folder, f.place.folder.Path(), f.place.limited, f.place.gone
		v.names = f.place.names
	}
	return v
}

// setPlace shows a workspace, or none, and no conversation. It returns the workspace and the
// conversation of before, or reports that no other is opened any more.
func (f *shownFolder) setPlace(opened *place, tour bool) (before *place, shown string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, "", false
	}
	before, shown = f.place, f.shown
	f.place, f.tour, f.shown = opened, tour, ""
	return before, shown, true
}

// showSession shows a conversation of a folder, or none where id is empty, and returns
// the one before. It reports false, and changes nothing, where it is shown already or
// another folder is open. note is called under the lock.
func (f *shownFolder) showSession(id, folder string, note func()) (before string, changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shown == id || id != "" && (f.place == nil || f.place.folder.Path() != folder) {
		return "", false
	}
	before, f.shown = f.shown, id
	note()
	return before, true
}

// openServers returns the MCP servers of the open workspace, and its path; nil when none is open.
func (f *shownFolder) openServers() (servers *host.Workspace, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.place == nil {
		return nil, ""
	}
	return f.place.servers, f.place.folder.Path()
}

// close shows nothing any more, and returns what was shown.
func (f *shownFolder) close() *place {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.place
	f.place, f.shown, f.closed = nil, "", true
	return before
}

// noteChange notes what a change means for a workspace, and reports whether it is the open one.
func (f *shownFolder) noteChange(at *place, change watch.Change) (current bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at.limited, at.gone = change.Limited, change.Gone
	return f.place == at
}

// noteAttended notes that a run of another process is followed, and reports whether it was not.
func (f *shownFolder) noteAttended(runID string) (first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	first = f.attended != runID
	f.attended = runID
	return first
}

// forgetAttended notes that a run of another process is no longer followed.
func (f *shownFolder) forgetAttended(runID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.attended == runID {
		f.attended = ""
	}
}

// isAttended reports whether a run of another process is still to be followed.
func (f *shownFolder) isAttended(runID, sessionID string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.attended == runID && f.shown == sessionID
}

// openPlace opens a workspace, or the guided tour's, in place of the one that is
// open, and watches it. It returns its path.
func (w *Window) openPlace(dir string, tour bool) (path string, err error) {
	if err := w.conversations.beginCall(); err != nil {
		return "", err
	}
	defer w.conversations.endCall()
	folder, err := w.backend.OpenFolder(dir)
	if err != nil {
		return "", err
	}
	if !tour {
		w.knowFolder(folder)
	}
	return folder.Path(), w.enterFolder(folder, tour)
}

// enterFolder makes a workspace the open one and watches it. No conversation is shown then.
// While the guided tour is running it refuses, and closes the workspace. The window must
// not end meanwhile.
func (w *Window) enterFolder(folder *workspace.Folder, tour bool) error {
	ctx, stop := context.WithCancel(w.ctx)
	opened := &place{folder: folder, names: names.New(folder), suggested: newSuggestions(folder), stop: stop, servers: w.backend.Servers.Open(folder.Path())}
	entered := make(chan struct{})
	opened.ended = watch.Start(ctx, folder, func(change watch.Change) {
		<-entered
		w.announceChange(opened, change)
	})
	err := w.conversations.checkTour()
	if err == nil {
		err = w.swapPlace(opened, tour)
	}
	close(entered)
	if err != nil {
		w.closePlace(opened)
		return err
	}
	w.alive.Go(func() { w.startServers(opened) })
	w.alive.Go(func() {
		opened.suggested.follow(ctx, w.stateChanged, func(err error) { w.log.Warn("look for what the folder suggests", "error", err) })
	})
	return nil
}

// swapPlace shows a workspace, or none, in place of the one that is shown.
func (w *Window) swapPlace(opened *place, tour bool) error {
	before, shown, ok := w.folder.setPlace(opened, tour)
	if !ok {
		return errClosing
	}
	w.remembered.saveChange(func(s *settings.State) { s.Session = "" })
	w.closeUnshown(shown)
	w.closePlace(before)
	w.stateChanged()
	return nil
}

// announceChange tells the page what changed in a workspace, unless another one is
// open by now.
func (w *Window) announceChange(from *place, change watch.Change) {
	from.names.Changed()
	if !w.folder.noteChange(from, change) {
		return
	}
	w.emitter.announce(workspaceNews(change))
	from.suggested.noteChange(change)
	if change.Full || change.Gone {
		w.stateChanged()
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

// closePlace closes a workspace that is shown no more, if there is one. The watcher is not
// waited for: it may be in the middle of looking at a slow drive. The window must not end
// meanwhile.
func (w *Window) closePlace(closed *place) {
	if closed == nil {
		return
	}
	closed.stop()
	w.alive.Go(func() {
		closed.servers.Close()
		closed.ended()
		closed.names.Close()
		if err := closed.folder.Close(); err != nil {
			w.log.Warn("close the folder", "error", err)
		}
	})
}

// openFolder returns the open workspace.
func (w *Window) openFolder() (*workspace.Folder, error) {
	if folder := w.folder.currentView().folder; folder != nil {
		return folder, nil
	}
	return nil, &Fault{Code: CodeNoFolder, Message: "no folder is chosen to work on", Hint: "choose one"}
}

// chooseFolder opens a workspace and remembers it.
func (w *Window) chooseFolder(dir string) (Workspace, error) {
	path, err := w.openPlace(dir, false)
	if err != nil {
		return Workspace{}, fmt.Errorf("choose a folder: %w", err)
	}
	w.rememberFolder(path)
	w.stateChanged()
	return Workspace{Path: path, Name: folderName(path)}, nil
}

// rememberFolder makes a workspace the one of the next start.
func (w *Window) rememberFolder(path string) {
	w.remembered.saveChange(func(s *settings.State) { s.Opened(path) })
}
