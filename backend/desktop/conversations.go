package desktop

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// conversations owns the open conversations, and what the next one begins with.
type conversations struct {
	// mu guards what follows. Nobody who holds it waits for anything.
	mu   sync.Mutex
	open map[string]*conversation // by id
	// moving are the ids of conversations that are being opened, closed or deleted. Each
	// channel is closed when that is done.
	moving map[string]chan struct{}
	// modes say what is asked about, by the id of the conversation, where that was chosen; approve
	// holds for the others, and next for the one that begins next.
	modes         map[string]approve.Mode
	approve, next approve.Mode
	// noteMode has a saved conversation's mode remembered over a restart. It waits for nothing.
	noteMode func(id string, mode approve.Mode)
	// readable are the files with keys that commands may read without a question, by the id of
	// the conversation, as the user has agreed since the window began.
	readable map[string][]string
	off      []string // the sets of tools that a new conversation begins without
	// again asks once more, by hash, what was left to the window and only a dialog can
	// allow.
	again   map[string]func(runID string)
	told    time.Time // when the user was told that a run goes on
	decided bool      // the window is to close whatever is running
	closed  bool      // nothing is opened any more
	// calls are those that open or begin something: the window ends after them.
	calls *sync.WaitGroup
}

func newConversations(mode approve.Mode, modes map[string]approve.Mode, noteMode func(string, approve.Mode), calls *sync.WaitGroup) *conversations {
	return &conversations{
		open: map[string]*conversation{}, moving: map[string]chan struct{}{}, again: map[string]func(string){},
		modes: modes, approve: mode, next: mode, noteMode: noteMode, readable: map[string][]string{}, calls: calls,
	}
}

// errClosing refuses once the window closes, because nothing opened then would be closed.
var errClosing = &message.Refusal{Code: message.InvalidState, Message: "Fairlead is closing"}

// beginCall begins a call that opens or begins something; it refuses once the window closes.
// The caller ends it with endCall.
func (c *conversations) beginCall() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosing
	}
	c.calls.Add(1)
	return nil
}

// endCall ends a call that beginCall began.
func (c *conversations) endCall() { c.calls.Done() }

// find finds an open conversation; nil where it is not open.
func (c *conversations) find(id string) *conversation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[id]
}

// listOpen returns the open conversations, in the order in which they were begun.
func (c *conversations) listOpen() []*conversation {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*conversation, 0, len(c.open))
	for _, one := range c.open {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *conversation) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// useOrReserve finds an open conversation, which stays open until endUse. Where there is
// none it is reserved for the caller, who opens it and calls endReservation; it waits for
// one that somebody else opens or closes. A new conversation has no id yet.
func (c *conversations) useOrReserve(id string) *conversation {
	for id != "" {
		c.mu.Lock()
		if one := c.open[id]; one != nil {
			one.users++
			c.mu.Unlock()
			return one
		}
		others := c.moving[id]
		if others == nil {
			c.moving[id] = make(chan struct{})
		}
		c.mu.Unlock()
		if others == nil {
			return nil
		}
		<-others
	}
	return nil
}

// useOpen finds an open conversation, which stays open until endUse; nil where it is not open.
// It waits for one that is being opened or closed.
func (c *conversations) useOpen(id string) *conversation {
	one := c.useOrReserve(id)
	if one == nil {
		c.endReservation(id, nil)
	}
	return one
}

// endReservation gives back what useOrReserve reserved: with the conversation, which the
// caller uses until endUse, or with nil where it could not be opened.
func (c *conversations) endReservation(id string, one *conversation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one != nil {
		one.users++
		if id == "" {
			c.modes[one.ID] = c.next
			if one.saved {
				c.noteMode(one.ID, c.next)
			}
		}
		one.SetApprove(c.modeOf(one.ID)) // it may have changed meanwhile
		c.open[one.ID] = one
	}
	c.endMove(id)
}

// endMove has those go on who wait for a conversation that is opened or closed now. The
// caller holds mu.
func (c *conversations) endMove(id string) {
	if waiting := c.moving[id]; waiting != nil {
		delete(c.moving, id)
		close(waiting)
	}
}

// endUse says that a caller of useOrReserve needs the conversation no more.
func (c *conversations) endUse(one *conversation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.users--
}

// closeIdle closes a conversation in which no run is running and that nobody uses. What is
// said in it stays in the store; where a user has more to say, or a command runs in the
// background, it stays open.
func (c *conversations) closeIdle(one *conversation) error {
	id := one.ID
	c.mu.Lock()
	if c.open[id] != one || one.users > 0 || one.isBusy() || !c.closed && (len(one.waitingPrompts()) > 0 || one.countCommands() > 0) {
		c.mu.Unlock()
		return nil
	}
	delete(c.open, id)
	c.moving[id] = make(chan struct{})
	leave := one.leave
	c.mu.Unlock()
	leave()
	err := one.Close(context.Background())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endMove(id)
	return err
}

// close has nothing be opened any more.
func (c *conversations) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
}

// findRun finds a run of an open conversation that the store does not have whole; nil where it
// is none.
func (c *conversations) findRun(id string) *session.Run {
	for _, one := range c.listOpen() {
		for _, run := range one.KeptRuns() {
			if run.ID == id {
				return run
			}
		}
	}
	return nil
}

// noteEvents takes note of what happens in a run, and reports whether the list shows it.
func (c *conversations) noteEvents(one *conversation, events []event.Event) (changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return one.noteEvents(events)
}

// forgetQuestions forgets the questions of a conversation in which no run is running.
func (c *conversations) forgetQuestions(one *conversation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !one.isBusy() {
		clear(one.waiting)
	}
}

// leaveToWindow has what waits in a conversation be answered in the window, without dialogs.
func (c *conversations) leaveToWindow(one *conversation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range one.waiting {
		one.waiting[id] = false
	}
}

// isLeftToWindow reports whether a question about a call is to be answered in the window.
func (c *conversations) isLeftToWindow(one *conversation, callID string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	dialog, waits := one.waiting[callID]
	return waits && !dialog
}

// setTitleSearch has a search for a title be ended by leave, in place of the one before.
func (c *conversations) setTitleSearch(one *conversation, leave func()) {
	c.mu.Lock()
	before := one.leave
	one.leave = leave
	c.mu.Unlock()
	before()
}

// checkTour refuses while the guided tour is running, because its folder and model are
// nobody's choice. Other runs keep the folder and the model that they began with (SPEC
// ST-03).
func (c *conversations) checkTour() error {
	for _, one := range c.listOpen() {
		if !one.saved && one.isBusy() {
			return &message.Refusal{Code: message.Busy, Message: "the guided tour is running; stop it or wait for its end first"}
		}
	}
	return nil
}

// setApprove sets what is asked about in a conversation, from its next call on; an empty id means
// the one that begins next, and those after it.
func (c *conversations) setApprove(id string, mode approve.Mode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == "" {
		c.next = mode
		return
	}
	c.modes[id] = mode
	one := c.open[id]
	if one != nil {
		one.SetApprove(mode)
	}
	if one == nil || one.saved {
		c.noteMode(id, mode)
	}
}

// markOutdated notes that the settings changed which open conversations were opened with, and
// returns those conversations.
func (c *conversations) markOutdated() []*conversation {
	open := c.listOpen()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range open {
		one.outdated = true
	}
	return open
}

// isOutdated reports whether a conversation was opened with other settings than those that hold
// now.
func (c *conversations) isOutdated(one *conversation) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return one.outdated
}

// letRead lets the commands of a conversation read a file with keys.
func (c *conversations) letRead(id, path string) error {
	if one := c.find(id); one != nil {
		if err := one.LetRead(path); err != nil {
			return err
		}
	}
	c.mu.Lock()
	if !slices.Contains(c.readable[id], path) {
		c.readable[id] = append(c.readable[id], path)
	}
	c.mu.Unlock()
	if one := c.find(id); one != nil { // it may have been opened meanwhile
		_ = one.LetRead(path) // it was found before, or is gone
	}
	return nil
}

// readableIn lists what the commands of a conversation may read.
func (c *conversations) readableIn(id string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.readable[id]...)
}

// approveMode returns what is asked about in a conversation; an empty id means the one that
// begins next.
func (c *conversations) approveMode(id string) approve.Mode {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == "" {
		return c.next
	}
	return c.modeOf(id)
}

// modeOf is what is asked about in a conversation that has begun. The caller holds mu.
func (c *conversations) modeOf(id string) approve.Mode {
	return cmp.Or(c.modes[id], c.approve)
}

// nextOptions returns what the next conversation begins with.
func (c *conversations) nextOptions() (mode approve.Mode, off []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next, c.off
}

// switchGroup switches a set of tools for the next conversation.
func (c *conversations) switchGroup(name string, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off = session.Switched(c.off, name, on)
}

// stayOpen reports whether the window should stay open although it was to be closed.
func (c *conversations) stayOpen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy := false
	for _, one := range c.open {
		busy = busy || one.isBusy()
	}
	stay := !c.decided && busy && time.Since(c.told) > thinkTime
	if stay {
		c.told = time.Now()
	} else {
		c.decided = true
	}
	return stay
}

// allowClose has the window close whatever is running.
func (c *conversations) allowClose() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.decided = true
}

// keepQuestion keeps how a question is asked once more, until ctx ends.
func (c *conversations) keepQuestion(ctx context.Context, hash string, again func(runID string)) {
	c.mu.Lock()
	c.again[hash] = again
	c.mu.Unlock()
	context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.again, hash)
	})
}

// findQuestion finds how a question is asked once more; nil where it is unknown or decided.
func (c *conversations) findQuestion(hash string) func(runID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again[hash]
}
