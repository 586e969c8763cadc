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
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

const (
	// openTime is how long a call waits for the window to have opened its folders.
	openTime = 10 * time.Second
	// closeTime is how long runs may take to end when the window closes.
	closeTime = 2 * time.Second
	// thinkTime is how long after the first attempt to close the window, while a
	// run is at work, a second one counts as the answer.
	thinkTime = 15 * time.Second
)

// Window is what all that is bound to the page works on. NewWindow makes one;
// Start opens it and Stop ends it.
type Window struct {
	// Version is shown to the person.
	Version string

	folders  settings.Folders
	warnings []string
	keys     *secret.Keys
	taken    []secret.Key // from the environment

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

	// turn is held by the one call that opens or closes a workspace or a
	// conversation, changes the model or begins a run, which can take seconds while
	// the keyring is asked. place, tour, talks, their runs and shown change under both
	// locks; either is enough to read them.
	turn sync.Mutex

	mu        sync.Mutex
	file      settings.File
	providers catalog.Catalog // the known ones and those of the file
	state     settings.State
	place     *place           // the open workspace; nil when none is
	talks     map[string]*talk // the open conversations by id
	shown     string           // the id of the one that is shown; empty until the first prompt
	attended  string           // the id of a shown run that another process works on
	tour      bool             // the place and the model are the guided tour's
	approve   approve.Mode
	off       []string      // the sets of tools that a new conversation begins without
	source    secret.Source // of the chosen model's key, as far as known
	facts     catalog.Facts // of the chosen model, likewise
	listed    []string      // the models of the last test
	// again asks once more, by hash, what was left to the window and only a dialog can
	// allow.
	again   map[string]func(runID string)
	told    time.Time // when the user was told that a run goes on
	decided bool      // the window is to close whatever is running

	leave sync.Once
}

// NewWindow returns a window that is not open yet. It reads what the window
// remembers, because size and place are needed before it opens, and takes the keys
// out of the environment before the window system starts programs of its own.
func NewWindow(version string, folders settings.Folders) *Window {
	w := &Window{
		Version: version, folders: folders, opened: make(chan struct{}), log: slog.New(slog.DiscardHandler),
		keys: secret.NewKeys(), talks: map[string]*talk{}, asking: make(chan struct{}, 1), again: map[string]func(string){},
	}
	w.ctx, w.stop = context.WithCancel(context.Background())
	var err error
	if err = w.readSettings(); err != nil {
		w.warn(err)
	}
	if w.state, err = settings.ReadState(folders.State); err != nil {
		w.warn(err)
	}
	// What passes without a question is never more than the window can offer.
	if w.approve = approve.Mode(w.file.Value("approve")); w.approve == approve.All {
		w.approve = approve.Ask
	}
	w.taken = w.keys.TakeEnvironment(w.keyVariables())
	return w
}

func (w *Window) warn(err error) { w.warnings = append(w.warnings, err.Error()) }

// tell shows something that came up when a conversation began. Nobody holds the
// lock then.
func (w *Window) tell(text string) {
	w.mu.Lock()
	w.warnings = append(w.warnings, text)
	w.mu.Unlock()
	w.changed()
}

// Remembered is where the window was when it was last closed.
func (w *Window) Remembered() settings.Place {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.Window
}

// Start opens the folders and the workspace of the last time. dialogs is nil where
// there are no native dialogs, then the page asks alone.
func (w *Window) Start(native Native, dialogs Dialogs) {
	defer close(w.opened)
	w.native, w.dialogs = native, dialogs
	file := w.settings()
	calls, err := file.Calls()
	if err != nil {
		w.openErr = err
		return
	}
	w.backend, w.openErr = backend.Open(backend.Options{
		Folders: w.folders, LogLevel: file.Value("log_level"), Calls: calls, Keys: w.keys, Tell: w.tell, Window: true,
		ReadableFolders: file.ReadableFolders(), CommandMemory: file.CommandMemory(), Helper: helper(),
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
	// The keyring can take its time, or wait for a person.
	w.alive.Go(w.findKey)
}

// comeBack opens the folder and the conversation of the last time.
func (w *Window) comeBack() {
	if w.state.Workspace == "" {
		return
	}
	last := w.state.Session
	if _, err := w.openPlace(w.state.Workspace, false); err != nil {
		w.warn(err)
		return
	}
	w.turn.Lock()
	defer w.turn.Unlock()
	w.setShown(last)
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
	_ = w.backend.Sessions.EndRuns(ctx) // the backend's Close says it again
	w.turn.Lock()
	for _, t := range w.talks {
		w.release(t)
	}
	w.closePlace()
	w.turn.Unlock()
	w.alive.Wait()
	w.purge(time.Now())
	return w.backend.Close(ctx)
}

// Closing says whether the window should stay open although it was to be closed:
// when a run is at work, so that the person can think again. Closed again soon
// after, it closes.
func (w *Window) Closing() (stay bool) {
	w.mu.Lock()
	stay = !w.decided && w.busy() && time.Since(w.told) > thinkTime
	if stay {
		w.told = time.Now()
	} else {
		w.decided = true
	}
	w.mu.Unlock()
	if stay {
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

// busy says whether a run is at work. The caller holds mu.
func (w *Window) busy() bool {
	for _, t := range w.talks {
		if t.busy() {
			return true
		}
	}
	return false
}

func (w *Window) rememberPlace() {
	if !w.isOpen() {
		return
	}
	at := w.native.Place()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Window = at
	w.save()
}

// isOpen says whether Start is done and went well.
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

// save writes what the window remembers. A failure costs only memory of it, and
// is in the log. The caller holds mu.
func (w *Window) save() {
	if err := w.state.Write(w.folders.State); err != nil {
		w.log.Warn("remember the window's state", "error", err)
	}
}

// changed tells every page that what it shows of the window is out of date.
func (w *Window) changed() { w.emitter.announce(event.WindowChanged{}) }

// review brings the window to the front, with the focus on the question that it shows.
func (w *Window) review() {
	w.native.Show()
	w.emitter.announce(event.WindowReview{})
}

func (w *Window) logPanic(problem any, stack []byte) {
	w.log.Error("panic in a bound method", "panic", fmt.Sprint(problem), "stack", string(stack))
}

// name is how a folder is called in the window.
func name(dir string) string { return filepath.Base(dir) }
