package desktop

import (
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// Task is what the page asks for.
type Task struct {
	// Prompt is the task in words.
	Prompt string `json:"prompt"`
	// SessionID is the conversation to go on with; an empty one begins another, in
	// the open folder.
	SessionID string `json:"sessionId"`
	// Pictures are the ids of those that go with the prompt.
	Pictures []string `json:"pictures,omitempty"`
	// Continue goes on with the last run of the conversation where it stopped,
	// without a prompt.
	Continue bool `json:"continue,omitempty"`
}

// Started names the run that began.
type Started struct {
	RunID     string `json:"runId"`
	SessionID string `json:"sessionId"`
}

// conversation is an open one: the one that is shown, once a run of it began, and
// those with a run.
type conversation struct {
	*backend.Conversation

	// folder is its workspace, and saved reports that it is saved; the guided tour is not.
	folder string
	saved  bool
	// runs are those that begin, and follow follows them once.
	runs   iter.Seq[*session.Run]
	follow sync.Once
	// The owner's lock guards what follows: waiting are the calls and the guards that a
	// user is asked about, and whether in a dialog too, leave ends the search for a title,
	// users counts the calls that use it, and outdated says that it was opened with other
	// settings than those that hold now.
	waiting  map[string]bool
	leave    func()
	users    int
	outdated bool
}

// isBusy reports whether a run is running.
func (c *conversation) isBusy() bool { return c.Running() }

// countCommands counts the commands of the conversation that run in the background.
func (c *conversation) countCommands() int {
	count := 0
	for _, job := range c.Jobs.List() {
		if job.Background && job.Running {
			count++
		}
	}
	return count
}

// listMark returns how a conversation with a run is marked in the list.
func (c *conversation) listMark() string {
	if len(c.waiting) > 0 {
		return markWaiting
	}
	return markRunning
}

// noteEvents takes note of what happens in a run, and reports whether the list shows it.
func (c *conversation) noteEvents(events []event.Event) (changed bool) {
	for _, e := range events {
		before := len(c.waiting)
		switch d := e.Data.(type) {
		case event.ConfirmRequest:
			if _, again := c.waiting[d.CallID]; !again {
				c.waiting[d.CallID] = true
			}
		case event.ConfirmResult:
			delete(c.waiting, d.CallID)
		case event.GuardRequest:
			c.waiting[d.GuardID] = true
		case event.GuardResult:
			delete(c.waiting, d.GuardID)
		case event.ToolResult:
			delete(c.waiting, d.CallID)
		case event.LifecycleStart, event.LifecycleEnd, event.LifecycleError:
			changed = true
		}
		changed = changed || len(c.waiting) != before
	}
	return changed
}

// Run begins to work on a task.
func (w *Window) Run(task Task) (Started, error) { return w.beginRun(task, false) }

// beginRun begins to work on a task, or on the guided tour's.
func (w *Window) beginRun(task Task, tour bool) (Started, error) {
	prompt, err := cleanPrompt(task.Prompt)
	if err != nil && !task.Continue {
		return Started{}, err
	}
	pictures, err := w.attached.find(task.Pictures)
	if err != nil {
		return Started{}, err
	}
	check := func() error { return nil }
	if !tour && !task.Continue {
		check = func() error { return w.checkTask(task.SessionID) }
	}
	var started Started
	err = w.withConversation(task.SessionID, check, func(c *conversation) error {
		var run *session.Run
		var err error
		if task.Continue {
			run, err = c.ContinueRun()
		} else {
			run, err = c.BeginRun(prompt, pictures...)
		}
		if err != nil {
			return err
		}
		w.setShown(c.ID, c.folder) // first, so that nobody misses the beginning
		started = Started{RunID: run.ID, SessionID: c.ID}
		return nil
	})
	if err == nil {
		w.attached.forget(task.Pictures)
	}
	return started, err
}

// withConversation does something with a conversation, which it opens if need be; an empty
// id begins one in the open workspace. check is asked first, and may be nil. The runs that
// begin are followed. One that was opened in vain is closed again.
func (w *Window) withConversation(id string, check func() error, do func(*conversation) error) error {
	if err := w.conversations.beginCall(); err != nil {
		return err
	}
	defer w.conversations.endCall()
	if check != nil {
		if err := check(); err != nil {
			return err
		}
	}
	c, opened, err := w.useConversation(id)
	if err != nil {
		return err
	}
	if err = do(c); err == nil {
		c.follow.Do(func() { w.alive.Go(func() { w.followRuns(c) }) })
	}
	w.endUse(c, opened && err != nil)
	return err
}

// endUse lets go of a conversation that a call has worked on, or opened in vain.
func (w *Window) endUse(c *conversation, inVain bool) {
	w.conversations.endUse(c)
	if inVain || w.folder.currentView().shown != c.ID {
		w.closeIdle(c)
	}
}

// useConversation finds an open conversation, opens one, or begins one in the open
// workspace, and reports whether it had to be opened; endUse lets go of it.
func (w *Window) useConversation(id string) (c *conversation, opened bool, err error) {
	if c := w.conversations.useOrReserve(id); c != nil {
		return c, false, nil
	}
	chosen := w.remembered.currentState().Model
	c, err = w.newConversation(id)
	w.conversations.endReservation(id, c)
	if c != nil {
		for _, path := range w.conversations.readableIn(id) {
			_ = c.LetRead(path) // one that is gone cannot be read
		}
	}
	if c != nil && w.remembered.currentState().Model != chosen { // it was changed meanwhile
		if endpoint, err := w.remembered.chosenEndpoint(false); err == nil {
			w.giveModel(c, endpoint)
		}
	}
	return c, true, err
}

// newConversation opens a conversation, or begins one in the open workspace.
func (w *Window) newConversation(id string) (*conversation, error) {
	view := w.folder.currentView()
	if id == "" && view.folder == nil {
		return nil, &Fault{Code: CodeNoFolder, Message: "no folder is chosen to work on", Hint: "choose one"}
	}
	endpoint, err := w.remembered.chosenEndpoint(view.tour && id == "") // only a new conversation in its folder is the tour's
	if err != nil {
		return nil, err
	}
	asks := &asker{window: w}
	task, err := w.newTask(endpoint, asks)
	if err != nil {
		return nil, err
	}
	if task.Session = id; id == "" {
		task.Folder = view.path
	}
	opened, err := w.backend.OpenConversation(w.ctx, task)
	if err != nil {
		return nil, err
	}
	c := &conversation{
		Conversation: opened, folder: opened.Workspace(), saved: endpoint.Provider.Name != catalog.Demo,
		runs: opened.FollowRuns(w.ctx), waiting: map[string]bool{}, leave: func() {},
	}
	asks.conversation = c
	return c, nil
}

// newTask returns what a conversation with a model is opened with. asks asks its questions.
func (w *Window) newTask(endpoint catalog.Endpoint, asks *asker) (backend.Task, error) {
	file := w.remembered.settings()
	limits, err := file.Limits()
	if err != nil {
		return backend.Task{}, fmt.Errorf("read limits: %w", err)
	}
	var asking approve.Asker
	if w.dialogs != nil {
		asking = asks
	}
	mode, off := w.conversations.nextOptions()
	return backend.Task{
		Endpoint: endpoint, Mode: session.React, Limits: limits, Approve: mode, Asker: asking, AskAhead: true, Instructions: file.Value("instructions"),
		ProcessesChanged: w.processesChanged, UseInstructions: w.usesInstructions, UseSkill: w.usesSkill, Memory: w.usesMemory(),
		Presets: file.ToolPresets(), Defaults: file.ToolDefaults(), GroupsOff: off,
	}, nil
}

// usesMemory reports whether models are given what was noted about folders.
func (w *Window) usesMemory() bool { return w.remembered.settings().Value("memory") == "true" }

// followRuns brings the events of the runs to the page while their conversation is shown,
// and the list up to date, until the conversation is closed or the window ends.
func (w *Window) followRuns(c *conversation) {
	for run := range c.runs {
		w.conversations.setTitleSearch(c, func() {})
		_ = run.Follow(w.ctx, func(events []event.Event) error { // the state has the end of one that cannot be read
			w.emitEvents(c, events)
			return nil
		})
		if w.ctx.Err() != nil {
			return
		}
		run.Wait()
		w.settleRun(c)
	}
}

// emitEvents brings events of a run to the page.
func (w *Window) emitEvents(c *conversation, events []event.Event) {
	shown := w.folder.currentView().shown == c.ID
	changed := w.conversations.noteEvents(c, events)
	w.noticer.take(c, events)
	if slices.ContainsFunc(events, func(e event.Event) bool { return e.Type == event.TypePromptJoined }) {
		w.stateChanged()
	}
	if shown {
		w.emitter.emit(events)
	}
	if changed && c.saved {
		w.listChanged()
	}
}

// settleRun begins the next run of a conversation, or closes it if it is not shown.
func (w *Window) settleRun(c *conversation) {
	w.conversations.forgetQuestions(c)
	if w.ctx.Err() != nil || w.beginNext(c) {
		return
	}
	if w.folder.currentView().shown != c.ID || w.conversations.isOutdated(c) {
		w.closeIdle(c)
	}
	if c.saved && w.remembered.settings().Value("model_titles") == "true" {
		w.findTitle(c)
	}
	// The window stays open for days; what a long run took is not needed any more.
	debug.FreeOSMemory()
}

// beginNext begins the run that waits in a conversation, if one does, and reports whether one
// is running.
func (w *Window) beginNext(c *conversation) (running bool) {
	run, err := c.NextPrompt()
	if err != nil {
		w.tellUser("the next prompt that waits cannot be begun: " + err.Error())
	}
	if run != nil {
		w.stateChanged()
	}
	return c.isBusy()
}

// closeIdle closes a conversation in which no run is running, unless somebody needs it.
func (w *Window) closeIdle(c *conversation) {
	if err := w.conversations.closeIdle(c); err != nil {
		w.log.Warn("close a conversation", "session", c.ID, "error", err)
	}
}

// checkIdle refuses once the window closes, and while the guided tour is running.
func (w *Window) checkIdle() error {
	if w.ctx.Err() != nil {
		return errClosing
	}
	return w.conversations.checkTour()
}

// Cancel ends a run.
func (w *Window) Cancel(runID string) (session.Cancelled, error) {
	cancelled, err := w.backend.Sessions.CancelRun(runID)
	return cancelled, w.explainMissing(runID, err)
}

// explainMissing returns the error of a run that cannot be found: where another process works
// on it, that is said.
func (w *Window) explainMissing(runID string, err error) error {
	if !isMissing(err) {
		return err
	}
	if saved, missing := w.backend.Sessions.FindRun(w.ctx, runID); missing != nil || !saved.EndedAt.IsZero() || w.conversations.findRun(runID) != nil {
		return err
	}
	return &message.Refusal{
		Code: message.Busy, Elsewhere: true, Message: "another Fairlead works on this task; answer it or stop it there",
	}
}
