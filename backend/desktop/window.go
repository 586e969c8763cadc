// Package desktop is the window's side: it brings the events of runs to the
// page, answers the page's calls and reads, asks in native dialogs, and keeps
// what the window remembers. Only open.go, shell.go and the files of the dialogs
// know the window system, and only builds with a window contain them.
package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"fairlead/backend"
	"fairlead/backend/event"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

const (
	// openTime is how long a call waits for the window to have opened its folders.
	openTime = 10 * time.Second
	// closeTime is how long runs may take to end when the window closes.
	closeTime = 2 * time.Second
	// thinkTime is how long after the first attempt to close the window, while a
	// run is running, a second one counts as the answer.
	thinkTime = 15 * time.Second
)

// Window is what all that is bound to the page works on. NewWindow makes one;
// Start opens it and Stop ends it.
type Window struct {
	// Version is shown to the user.
	Version string

	folders settings.Folders
	keys    *secret.Keys
	taken   []secret.Key // from the environment

	opened  chan struct{} // closed when Start is done
	openErr error
	native  Native
	dialogs Dialogs // nil where there are none
	// asking is full while a native dialog is open.
	asking  chan struct{}
	backend *backend.Backend
	log     *slog.Logger
	emitter *emitter

	// ctx lasts as long as the window, and alive holds what ends with it.
	ctx   context.Context //nolint:containedctx // the window system gives no other way to end what it started
	stop  context.CancelFunc
	alive sync.WaitGroup

	// The four owners of what changes while the window is open. Each has one lock, under
	// which nothing waits: whatever reads files, asks the keyring or writes does so without.
	folder        *shownFolder
	conversations *conversations
	chosen        *chosenModel
	offers        offers
	remembered    *remembered

	// attached are pictures that were not sent yet.
	attached attachedPictures
	// pasted are MCP servers that were read from a text and not added yet.
	pasted pastedServers

	// searching is the search in all conversations that the page waits for, and finding that in one. toIndex is
	// full while something may have ended that the search index does not have.
	searching, finding latest
	toIndex            chan struct{}

	noticer *noticer
	// front says that the page has the keyboard, for systems that do not tell that of their windows.
	front atomic.Bool

	leave sync.Once
}

// NewWindow returns a window that is not open yet. It reads what the window
// remembers, because size and place are needed before it opens, and takes the keys
// out of the environment before the window system starts programs of its own.
func NewWindow(version string, folders settings.Folders) *Window {
	w := &Window{
		Version: version, folders: folders, opened: make(chan struct{}), log: slog.New(slog.DiscardHandler),
		keys: secret.NewKeys(), asking: make(chan struct{}, 1), folder: &shownFolder{}, chosen: &chosenModel{},
		toIndex: make(chan struct{}, 1),
	}
	w.ctx, w.stop = context.WithCancel(context.Background())
	w.noticer = newNoticer(w)
	w.remembered = newRemembered(folders, func(err error) { w.log.Warn("remember the window's state", "error", err) })
	w.conversations = newConversations(defaultMode(w.remembered.settings()), w.remembered.modes(), w.remembered.noteMode, &w.alive)
	w.taken = w.keys.TakeEnvironment(w.remembered.keyVariables())
	return w
}

// tellUser shows something that came up when a conversation began.
func (w *Window) tellUser(text string) {
	w.remembered.addWarning(text)
	w.stateChanged()
}

// Remembered is where the window was when it was last closed.
func (w *Window) Remembered() settings.Place {
	return w.remembered.currentState().Window
}

// Start opens the folders and the workspace of the last time. dialogs is nil where
// there are no native dialogs, then the page asks alone.
func (w *Window) Start(native Native, dialogs Dialogs) {
	defer close(w.opened)
	w.native, w.dialogs = native, dialogs
	file := w.remembered.settings()
	calls, err := file.Calls()
	if err != nil {
		w.openErr = err
		return
	}
	w.backend, w.openErr = backend.Open(backend.Options{
		Folders: w.folders, LogLevel: file.Value("log_level"), Calls: calls, Keys: w.keys, Tell: w.tellUser, Window: true,
		ReadableFolders: file.ReadableFolders(), CommandMemory: file.CommandMemory(), UndoSpace: file.UndoSpace(), Helper: findHelper(), ServerChanged: w.serverChanged,
	})
	if w.openErr != nil {
		return
	}
	w.log = w.backend.Log
	for _, key := range w.taken {
		w.backend.Redactor.Add(key.Reveal())
	}
	w.emitter = &emitter{log: w.log, redact: w.backend.Redactor.Bytes, send: func(batch []json.RawMessage) { native.Emit(EventName, batch) }}
	w.comeBack()
	// The keyring can take its time, or wait for a user.
	w.alive.Go(w.findKey)
	w.alive.Go(w.prepareDocuments)
	w.alive.Go(w.keepIndexed)
}

// ServeNotices has the system tell of what happens while Fairlead is not in front, until the window ends.
func (w *Window) ServeNotices(notices Notices) {
	w.alive.Go(func() { w.noticer.serve(notices) })
}

// calmTime is how long after the start of the window what is not needed yet is made ready.
const calmTime = 30 * time.Second

// prepareDocuments makes the reader of PDF files ready, so that the first of them need not wait.
func (w *Window) prepareDocuments() {
	if w.pause(calmTime) {
		w.backend.PrepareDocuments(w.ctx)
	}
}

// comeBack opens the folder and the conversation of the last time.
func (w *Window) comeBack() {
	last := w.remembered.currentState()
	if last.Workspace == "" {
		return
	}
	path, err := w.openPlace(last.Workspace, false)
	if err != nil {
		w.remembered.addWarning(err.Error())
		return
	}
	w.setShown(last.Session, path)
}

// Stop ends every run with its commands and closes everything. A run that does not
// end in time is left, with what it works with, to the end of the process.
func (w *Window) Stop() error {
	<-w.opened
	w.stop()
	if w.openErr != nil {
		return nil
	}
	ctx, done := context.WithTimeout(context.Background(), closeTime)
	defer done()
	w.conversations.close()
	w.closePlace(w.folder.close())
	_ = w.backend.Sessions.EndRuns(ctx) // the backend's Close says it again
	for _, c := range w.conversations.listOpen() {
		w.closeIdle(c)
	}
	w.alive.Wait()
	w.purgeHidden(time.Now())
	return w.backend.Close(ctx)
}

// Closing reports whether the window should stay open although it was to be closed:
// when a run is running, so that the user can think again. Closed again soon after, it
// closes.
func (w *Window) Closing() (stay bool) {
	if w.conversations.stayOpen() {
		w.emitter.announce(event.WindowClosing{})
		return true
	}
	// Several may want to close at once, as both who hear of a signal do. After the
	// first the window system answers no more, and crashes when told to close again.
	again := true
	w.leave.Do(func() {
		w.rememberPlace()
		again = false
	})
	return again
}

func (w *Window) rememberPlace() {
	if !w.isOpen() {
		return
	}
	at := w.native.Place()
	w.remembered.saveChange(func(s *settings.State) { s.Window = at })
}

// isOpen reports whether Start is done and went well.
func (w *Window) isOpen() bool {
	select {
	case <-w.opened:
		return w.openErr == nil
	default:
		return false
	}
}

func (w *Window) waitOpen() error {
	select {
	case <-w.opened:
	case <-time.After(openTime):
		return &Fault{Code: CodeInternal, Message: "Fairlead does not start: its folders are not open after 10 s"}
	}
	if w.openErr != nil {
		return fmt.Errorf("start Fairlead: %w", w.openErr)
	}
	return nil
}

// stateChanged tells every page that what it shows of the window is out of date.
func (w *Window) stateChanged() { w.emitter.announce(event.WindowChanged{}) }

// showQuestion brings the window to the front, with the focus on the question about a call.
func (w *Window) showQuestion(callID string) {
	w.native.Show()
	w.emitter.announce(event.WindowReview{CallID: callID})
}

func (w *Window) logPanic(problem any, stack []byte) {
	w.log.Error("panic in a bound method", "panic", fmt.Sprint(problem), "stack", string(stack))
}

// folderName returns how a folder is called in the window.
func folderName(dir string) string { return filepath.Base(dir) }
