package desktop

import (
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
	// Folder is its workspace where that is not the open one.
	Folder *Workspace `json:"folder"`
}

// SessionList is the list of conversations: those that are running in other folders, then
// those of the open one, last worked on first.
type SessionList struct {
	Sessions []SessionEntry `json:"sessions"`
	// More says that there are more than were asked for.
	More bool `json:"more"`
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
	select {
	case w.toIndex <- struct{}{}:
	default:
	}
}

// listSessions reads the list of conversations.
func (w *Window) listSessions(request *http.Request) (any, error) {
	limit, err := strconv.Atoi(request.URL.Query().Get("limit"))
	if err != nil || limit < 1 || limit > maxListed {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: "limit is no number from 1 to 10,000"}
	}
	folder := w.folder.currentView().path
	marks, elsewhere := w.conversations.runningMarks(folder)
	list := SessionList{Sessions: []SessionEntry{}}
	drafts, err := w.backend.Sessions.HaveDrafts()
	if err != nil {
		w.log.Warn("look for drafts", "error", err)
	}
	for _, id := range elsewhere {
		saved, err := w.backend.Sessions.Find(request.Context(), id, "")
		if err != nil {
			return nil, err
		}
		entry := entryOf(saved, marks, drafts)
		entry.Folder = &Workspace{Path: saved.Workspace, Name: folderName(saved.Workspace)}
		list.Sessions = append(list.Sessions, entry)
	}
	if folder == "" {
		return list, nil
	}
	saved, err := w.listSaved(request.Context(), folder, limit+1, marks)
	if err != nil {
		return nil, err
	}
	if list.More = len(saved) > limit; list.More {
		saved = saved[:limit]
	}
	for i := range saved {
		list.Sessions = append(list.Sessions, entryOf(saved[i], marks, drafts))
	}
	return list, nil
}

// listSaved lists the saved conversations of a folder. One with a run that is not ours is
// run by another process, or was when that crashed.
func (w *Window) listSaved(ctx context.Context, folder string, limit int, marks map[string]string) ([]session.Saved, error) {
	saved, err := w.backend.Sessions.List(ctx, folder, limit)
	foreign := func(s session.Saved) bool { return s.Reason == "" && marks[s.ID] == "" }
	if err != nil || !slices.ContainsFunc(saved, foreign) {
		return saved, err
	}
	if err := w.backend.Sessions.Recover(ctx); err != nil {
		return nil, err
	}
	return w.backend.Sessions.List(ctx, folder, limit)
}

func entryOf(saved session.Saved, marks map[string]string, drafts map[string]bool) SessionEntry {
	mark := marks[saved.ID]
	switch {
	case mark != "":
	case saved.Reason != "":
		mark = string(saved.Reason)
	default:
		mark = markRunning
	}
	return SessionEntry{ID: saved.ID, Title: saved.Title, UpdatedAt: saved.UpdatedAt.UnixMilli(), Mark: mark, Draft: drafts[saved.ID]}
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
		return &message.Refusal{Code: message.Busy, Message: "a task is running in this conversation; stop it or wait for its end first"}
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
