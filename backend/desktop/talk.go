package desktop

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/session"
)

// Task is what the page asks for.
type Task struct {
	// Prompt is the task in words.
	Prompt string `json:"prompt"`
	// SessionID is the conversation to go on with; an empty one begins another, in
	// the open folder.
	SessionID string `json:"sessionId"`
	// Continue goes on with the last run of the conversation where it stopped,
	// without a prompt.
	Continue bool `json:"continue,omitempty"`
}

// Started names the run that began.
type Started struct {
	RunID     string `json:"runId"`
	SessionID string `json:"sessionId"`
}

// talk is an open conversation: the one that is shown, once a run of it began, and
// those at work.
type talk struct {
	conversation *backend.Conversation
	// folder is its workspace, and saved says that it is put away; the guided tour
	// is not.
	folder string
	saved  bool
	// runs are in order: those at work, and those that the store lacks. They change
	// under both locks of the window.
	runs []*session.Run
	// waiting are the calls and the guards that a person is asked about; the window's
	// mu guards it.
	waiting map[string]bool
	// leave ends the search for a title; the window's turn guards it.
	leave func()
}

// busy says whether a run is at work.
func (t *talk) busy() bool {
	return slices.ContainsFunc(t.runs, func(run *session.Run) bool { return !run.Events.Ended() })
}

// serves says whether a command of the conversation runs in the background.
func (t *talk) serves() bool {
	return slices.ContainsFunc(t.conversation.Jobs.List(), func(j process.Job) bool { return j.Background && j.Running })
}

// mark says how a conversation at work is marked in the list.
func (t *talk) mark() string {
	if len(t.waiting) > 0 {
		return markWaiting
	}
	return markRunning
}

// see takes note of what happens in a run, and says whether the list shows it.
func (t *talk) see(events []event.Event) (changed bool) {
	for _, e := range events {
		before := len(t.waiting)
		switch d := e.Data.(type) {
		case event.ConfirmRequest:
			t.waiting[d.CallID] = true
		case event.ConfirmResult:
			delete(t.waiting, d.CallID)
		case event.GuardRequest:
			t.waiting[d.GuardID] = true
		case event.GuardResult:
			delete(t.waiting, d.GuardID)
		case event.ToolResult:
			delete(t.waiting, d.CallID)
		case event.LifecycleStart, event.LifecycleEnd, event.LifecycleError:
			changed = true
		}
		changed = changed || len(t.waiting) != before
	}
	return changed
}

// Run begins to work on a task.
func (w *Window) Run(task Task) (Started, error) { return w.begin(task, false) }

// begin begins to work on a task, or on the guided tour's.
func (w *Window) begin(task Task, tour bool) (Started, error) {
	w.turn.Lock()
	defer w.turn.Unlock()
	prompt, err := w.said(task.Prompt)
	if task.Continue {
		err = w.going()
	}
	if err == nil && !tour && !task.Continue {
		err = w.checkTour(task.SessionID)
	}
	if err != nil {
		return Started{}, err
	}
	t, err := w.openTalk(task.SessionID)
	if err != nil {
		return Started{}, err
	}
	var run *session.Run
	if task.Continue {
		run, err = t.conversation.ContinueRun()
	} else {
		run, err = t.conversation.BeginRun(prompt)
	}
	if err != nil {
		w.release(t)
		return Started{}, err
	}
	if w.place != nil && w.place.folder.Path() == t.folder {
		w.setShown(t.conversation.ID) // first, so that nobody misses the beginning
	}
	w.began(t, run)
	return Started{RunID: run.ID, SessionID: t.conversation.ID}, nil
}

// openTalk opens a conversation, or begins one in the open workspace. The caller has
// the turn.
func (w *Window) openTalk(id string) (*talk, error) {
	w.mu.Lock()
	open := w.talks[id]
	// Only a new conversation in the tour's folder is the tour's.
	tour := w.tour && id == ""
	endpoint, err := w.endpoint(tour)
	mode, off := w.approve, w.off
	w.mu.Unlock()
	if open != nil {
		return open, nil
	}
	folder := ""
	if id == "" {
		if w.place == nil {
			return nil, &Fault{Code: CodeNoFolder, Message: "no folder is chosen to work on", Hint: "choose one"}
		}
		folder = w.place.folder.Path()
	}
	if err != nil {
		return nil, err
	}
	file := w.settings()
	limits, err := file.Limits()
	if err != nil {
		return nil, fmt.Errorf("read limits: %w", err)
	}
	asks := &asker{window: w}
	var asking approve.Asker
	if w.dialogs != nil {
		asking = asks
	}
	conversation, err := w.backend.Begin(w.ctx, backend.Task{
		Folder: folder, Session: id, Endpoint: endpoint, Mode: session.React,
		Limits: limits, Approve: mode, Asker: asking, Instructions: file.Value("instructions"),
		ProcessesChanged: w.processesChanged, UseInstructions: w.agreed, Presets: file.ToolPresets(), Defaults: file.ToolDefaults(), GroupsOff: off,
	})
	if err != nil {
		return nil, err
	}
	opened := &talk{
		conversation: conversation, folder: conversation.Workspace(), saved: endpoint.Provider.Name != catalog.Demo,
		waiting: map[string]bool{}, leave: func() {},
	}
	asks.talk = opened
	w.mu.Lock()
	w.talks[conversation.ID] = opened
	w.mu.Unlock()
	return opened, nil
}

// follow brings the events of a run to the page while its conversation is shown, and
// the list up to date, until the run's end or that of the window.
func (w *Window) follow(t *talk, run *session.Run) {
	var seq int64
	for {
		events, err := run.Events.After(w.ctx, seq)
		if err != nil {
			break
		}
		w.mu.Lock()
		shown := w.shown == t.conversation.ID
		changed := t.see(events)
		w.mu.Unlock()
		if slices.ContainsFunc(events, func(e event.Event) bool { return e.Type == event.TypePromptJoined }) {
			w.changed()
		}
		if shown {
			w.emitter.emit(events)
		}
		if changed && t.saved {
			w.listChanged()
		}
		seq += int64(len(events))
	}
	if w.ctx.Err() != nil {
		return
	}
	run.Wait()
	w.turn.Lock()
	w.ended(t, run)
	w.turn.Unlock()
	// The window stays open for days; what a long run took is not needed any more.
	debug.FreeOSMemory()
}

// ended lets go of a run that the store has, and of its conversation if that is not
// shown. The caller has the turn.
func (w *Window) ended(t *talk, run *session.Run) {
	w.mu.Lock()
	if t.saved && run.Events.Fault() == nil {
		t.runs = slices.DeleteFunc(t.runs, func(r *session.Run) bool { return r == run })
	}
	shown, busy := w.shown == t.conversation.ID, t.busy()
	if !busy {
		clear(t.waiting)
	}
	w.mu.Unlock()
	if w.ctx.Err() != nil || busy {
		return
	}
	if w.next(t); t.busy() {
		return
	}
	if !shown {
		w.release(t)
	}
	if t.saved && w.settings().Value("model_titles") == "true" {
		w.findTitle(t)
	}
}

// release closes a conversation that is not at work. What is said in it stays in the
// store; where a person has more to say, or a command runs in the background, it stays
// open. The caller has the turn.
func (w *Window) release(t *talk) {
	if t.busy() || w.ctx.Err() == nil && (len(t.queue()) > 0 || t.serves()) {
		return
	}
	w.mu.Lock()
	open := w.talks[t.conversation.ID] == t
	if open {
		delete(w.talks, t.conversation.ID)
	}
	w.mu.Unlock()
	if !open {
		return // it was opened anew since
	}
	t.leave()
	for _, run := range t.runs {
		run.Wait()
	}
	if err := t.conversation.Close(context.Background()); err != nil {
		w.log.Warn("close a conversation", "session", t.conversation.ID, "error", err)
	}
}

// going refuses once the window closes, because nothing opened then would be closed.
// The caller has the turn.
func (w *Window) going() error {
	if w.ctx.Err() != nil {
		return &message.Refusal{Code: message.InvalidState, Message: "Fairlead is closing"}
	}
	return nil
}

// idle refuses once the window closes, and while the guided tour is at work, because
// its folder and model are nobody's choice. Other runs keep the folder and the model
// that they began with (SPEC ST-03). The caller has the turn.
func (w *Window) idle() error {
	if err := w.going(); err != nil {
		return err
	}
	for _, t := range w.talks {
		if !t.saved && t.busy() {
			return &message.Refusal{Code: message.Busy, Message: "the guided tour is at work; stop it or wait for its end first"}
		}
	}
	return nil
}

// checkIdle is idle for who goes on without the turn, and asks again later.
func (w *Window) checkIdle() error {
	w.turn.Lock()
	defer w.turn.Unlock()
	return w.idle()
}

// Cancel ends a run.
func (w *Window) Cancel(runID string) (session.Cancelled, error) {
	cancelled, err := w.backend.Sessions.CancelRun(runID)
	return cancelled, w.elsewhere(runID, err)
}

// elsewhere is the error of a run that cannot be found: where another process works
// on it, that is said.
func (w *Window) elsewhere(runID string, err error) error {
	if !isMissing(err) {
		return err
	}
	if saved, missing := w.backend.Sessions.FindRun(w.ctx, runID); missing != nil || !saved.EndedAt.IsZero() || w.openRun(runID) != nil {
		return err
	}
	return &message.Refusal{
		Code: message.Busy, Elsewhere: true, Message: "another Fairlead works on this task; answer it or stop it there",
	}
}
