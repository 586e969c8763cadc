package desktop

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// The marks of conversations running; others are marked with why their last run
// ended.
const (
	markRunning = "running"
	markWaiting = "waiting"
)

const (
	// undoTime is how long a deleted conversation can be brought back, with some
	// time for the way of the answer.
	undoTime = 10 * time.Second
	// maxListed is how many conversations a list shows at most.
	maxListed = 10_000
	// maxTitle is how long a title is at most, in characters.
	maxTitle = 200
)

// SessionEntry is a conversation in the list.
type SessionEntry struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// UpdatedAt is when a run of it last began or ended, in milliseconds since 1970.
	UpdatedAt int64 `json:"updatedAt"`
	// Mark is running, waiting (for an answer to a question), or why the last run
	// ended: one of message.Reason.
	Mark string `json:"mark"`
	// Draft reports whether it has a draft that waits to be decided about.
	Draft bool `json:"draft"`
	// Processes counts its commands that run in the background.
	Processes int `json:"processes"`
	// Pinned and Archived say what the user did with it; it is never both.
	Pinned   bool `json:"pinned"`
	Archived bool `json:"archived"`
	// Folder is its workspace where that is not the open one.
	Folder *Workspace `json:"folder"`
}

// SessionList is the list of conversations: those of other folders in which something runs, then
// those of the open one, the pinned ones and then the others, each last worked on first.
type SessionList struct {
	Sessions []SessionEntry `json:"sessions"`
	// More says that there are more than were asked for.
	More bool `json:"more"`
	// Archived counts those of the open folder that are archived, which are a list of their own.
	Archived int `json:"archived"`
}

// RunList is a part of the runs of a conversation, in order.
type RunList struct {
	Runs []RunState `json:"runs"`
	// Earlier says that there are more before them.
	Earlier bool `json:"earlier"`
}

// listChanged tells every page that the list of conversations is out of date. A run may have ended.
func (w *Window) listChanged() {
	w.emitter.announce(event.SessionsChanged{})
	w.noticer.count(w.conversations.countWaiting())
	select {
	case w.toIndex <- struct{}{}:
	default:
	}
}

// listSessions reads the list of conversations, or that of the archived ones.
func (w *Window) listSessions(request *http.Request) (any, error) {
	ctx, query := request.Context(), request.URL.Query()
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil || limit < 1 || limit > maxListed {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: "limit is no number from 1 to 10,000"}
	}
	which := session.Current
	if query.Get("archived") == "true" {
		which = session.Archived
	}
	folder := w.folder.currentView().path
	entry, going := w.entriesOf()
	list := SessionList{Sessions: []SessionEntry{}}
	if which == session.Current {
		for _, id := range going.elsewhere {
			saved, err := w.backend.Sessions.Find(ctx, id, "")
			switch {
			case isMissing(err): // it was deleted this moment
			case err != nil:
				return nil, err
			default:
				list.Sessions = append(list.Sessions, entry(saved))
			}
		}
	}
	if folder == "" {
		return list, nil
	}
	saved, err := w.listSaved(ctx, folder, which, limit+1, going.marks)
	if err != nil {
		return nil, err
	}
	if list.More = len(saved) > limit; list.More {
		saved = saved[:limit]
	}
	if which == session.Current {
		if saved, err = w.withPinned(ctx, folder, saved); err != nil {
			return nil, err
		}
	}
	for i := range saved {
		list.Sessions = append(list.Sessions, entry(saved[i]))
	}
	list.Archived, err = w.backend.Sessions.CountArchived(ctx, folder)
	return list, err
}

// withPinned returns all pinned conversations of a folder, however long ago they were worked on,
// and then those of a list that are not pinned.
func (w *Window) withPinned(ctx context.Context, folder string, listed []session.Saved) ([]session.Saved, error) {
	pinned, err := w.backend.Sessions.List(ctx, folder, session.Pinned, maxListed)
	for i := range listed {
		if !listed[i].Pinned {
			pinned = append(pinned, listed[i])
		}
	}
	return pinned, err
}

// listSaved lists saved conversations of a folder. One with a run that is not ours is
// run by another process, or was when that crashed.
func (w *Window) listSaved(ctx context.Context, folder string, which session.Which, limit int, marks map[string]string) ([]session.Saved, error) {
	saved, err := w.backend.Sessions.List(ctx, folder, which, limit)
	foreign := func(s session.Saved) bool { return s.Reason == "" && marks[s.ID] == "" }
	if err != nil || !slices.ContainsFunc(saved, foreign) {
		return saved, err
	}
	if err := w.backend.Sessions.Recover(ctx); err != nil {
		return nil, err
	}
	return w.backend.Sessions.List(ctx, folder, which, limit)
}

// entriesOf returns what makes an entry of a conversation, wherever its workspace is, and what
// goes on in those that are open.
func (w *Window) entriesOf() (func(session.Saved) SessionEntry, activity) {
	folder := w.folder.currentView().path
	going := w.conversations.lookAt(folder)
	drafts, err := w.backend.Sessions.HaveDrafts()
	if err != nil {
		w.log.Warn("look for drafts", "error", err)
	}
	return func(saved session.Saved) SessionEntry {
		e := SessionEntry{
			ID: saved.ID, Title: saved.Title, UpdatedAt: saved.UpdatedAt.UnixMilli(),
			Mark:  cmp.Or(going.marks[saved.ID], string(saved.Reason), markRunning),
			Draft: drafts[saved.ID], Processes: going.commands[saved.ID], Pinned: saved.Pinned, Archived: saved.Archived,
		}
		if saved.Workspace != folder {
			e.Folder = &Workspace{Path: saved.Workspace, Name: folderName(saved.Workspace)}
		}
		return e
	}, going
}

// renameSession gives a conversation the title that the user chose.
func (w *Window) renameSession(ctx context.Context, id, title string) error {
	title = strings.Join(strings.Fields(message.Visible(strings.ToValidUTF8(title, "\uFFFD"))), " ")
	if title == "" {
		return &Fault{Code: CodeUsage, Message: "the title is empty", Hint: "type one"}
	}
	if letters := []rune(title); len(letters) > maxTitle {
		title = string(letters[:maxTitle])
	}
	if err := w.backend.Sessions.Rename(ctx, id, title); err != nil {
		return err
	}
	w.listChanged()
	w.stateChanged()
	return nil
}

// pinSession pins or unpins a conversation.
func (w *Window) pinSession(ctx context.Context, id string, on bool) error {
	if err := w.backend.Sessions.Pin(ctx, id, on); err != nil {
		return err
	}
	w.listChanged()
	w.stateChanged()
	return nil
}

// archiveSession archives a conversation in which nothing runs, or takes it out of the archive.
func (w *Window) archiveSession(ctx context.Context, id string, on bool) error {
	if c := w.conversations.find(id); on && c != nil {
		switch {
		case c.isBusy():
			return errTaskRuns
		case c.countCommands() > 0:
			return &message.Refusal{Code: message.Busy, Message: "a command is running in this conversation; stop it or wait for its end first"}
		}
	}
	if err := w.backend.Sessions.Archive(ctx, id, on); err != nil {
		return err
	}
	if on && w.folder.currentView().shown == id {
		w.setShown("", "")
	}
	w.listChanged()
	w.stateChanged()
	return nil
}

// errTaskRuns refuses to take a conversation out of the list in which a run is running.
var errTaskRuns = &message.Refusal{Code: message.Busy, Message: "a task is running in this conversation; stop it or wait for its end first"}

// removeSession takes a conversation out of the list, and deletes it once nobody can want it
// back any more.
func (w *Window) removeSession(ctx context.Context, id string) error {
	if err := w.conversations.beginCall(); err != nil {
		return err
	}
	defer w.conversations.endCall()
	c := w.conversations.find(id)
	switch {
	case c != nil && c.isBusy():
		return errTaskRuns
	case w.draftOf(id) != nil:
		return &Fault{Code: CodeHasDraft, Message: "the conversation has a draft", Hint: "apply it or drop it first"}
	case c != nil:
		for _, prompt := range c.waitingPrompts() {
			_ = c.RemovePrompt(prompt.ID) // it goes with the conversation
		}
		c.Jobs.Close() // its commands go with it
		w.closeIdle(c)
	}
	if err := w.backend.Sessions.Hide(ctx, id); err != nil {
		return err
	}
	if w.folder.currentView().shown == id {
		w.setShown("", "")
	}
	w.listChanged()
	w.alive.Go(func() {
		select {
		case <-w.ctx.Done(): // Stop deletes it
		case <-time.After(undoTime):
			w.purgeHidden(time.Now().Add(-undoTime))
		}
	})
	return nil
}

// purgeHidden deletes the conversations that were taken out of the list until then.
func (w *Window) purgeHidden(until time.Time) {
	if err := w.backend.Sessions.Purge(context.Background(), until); err != nil {
		w.log.Warn("delete conversations", "error", err)
	}
}

// restoreSession brings a conversation back into the list.
func (w *Window) restoreSession(ctx context.Context, id string) error {
	if err := w.backend.Sessions.Restore(ctx, id); err != nil {
		return err
	}
	w.listChanged()
	return nil
}

// writeMarkdown writes a conversation as Markdown.
func (w *Window) writeMarkdown(request *http.Request) (any, error) {
	ctx, id := request.Context(), request.PathValue("session")
	saved, err := w.backend.Sessions.Find(ctx, id, "")
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	if err := session.WriteMarkdown(&text, saved, w.backend.Sessions.EachMessage(ctx, id)); err != nil {
		return nil, err
	}
	return message.Harmless(text.String()), nil
}

// isMissing says that a conversation is not there.
func isMissing(err error) bool {
	refusal, ok := errors.AsType[*message.Refusal](err)
	return ok && refusal.Code == message.NotFound
}
