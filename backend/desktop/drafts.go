package desktop

import (
	"errors"
	"net/http"
	"path/filepath"
	"slices"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// DraftNote names the draft of the conversation.
type DraftNote struct {
	ID string `json:"id"`
	// Began is when it began, in milliseconds since 1970.
	Began int64 `json:"began"`
	// Past says what it began with; null where that was the folder as it was then.
	Past *PastFolder `json:"past"`
}

// PastFolder is a folder at an earlier time, with which a draft began.
type PastFolder struct {
	// At is that time, in milliseconds since 1970.
	At int64 `json:"at"`
	// Missing are paths that are not as they were. More counts those that are not listed, Ignored those
	// that git ignores, and InDraft what was changed in a draft by then.
	Missing []MissingPath `json:"missing"`
	More    int           `json:"more"`
	Ignored int           `json:"ignored"`
	InDraft int           `json:"inDraft"`
}

// MissingPath is a path that is not as it was.
type MissingPath struct {
	Path string `json:"path"`
	// Why is one of change.Absence or change.Loss.
	Why string `json:"why"`
}

// DraftView is what is in a draft.
type DraftView struct {
	// ID names it; empty where there is none.
	ID string `json:"id"`
	// Hash names exactly what is shown: applying it names it too.
	Hash string `json:"hash"`
	// Runs reports whether something still runs in it, which is ended before it is applied or dropped.
	Runs bool `json:"runs"`
	// Changes are the paths, a folder before what is in it.
	Changes []message.PendingChange `json:"changes"`
}

// draftOf returns the draft that a conversation has; nil for none.
func (w *Window) draftOf(id string) *DraftNote {
	notes, err := change.ListDraftsOf(w.backend.Sessions.DraftsOf(id))
	if err != nil {
		w.log.Warn("look for a draft", "error", err)
	}
	at := slices.IndexFunc(notes, func(n change.DraftNote) bool { return n.Dropped.IsZero() })
	if at < 0 {
		return nil
	}
	return &DraftNote{ID: notes[at].ID, Began: notes[at].Began.UnixMilli(), Past: w.pastOf(id, notes[at].ID)}
}

// pastOf returns what a draft began with; nil where that was the folder as it was then.
func (w *Window) pastOf(sessionID, draftID string) *PastFolder {
	past, err := change.ReadPast(filepath.Join(w.backend.Sessions.DraftsOf(sessionID), draftID))
	if err != nil {
		w.log.Warn("look for what a draft began with", "error", err)
	}
	if past == nil {
		return nil
	}
	folder := &PastFolder{At: past.At.UnixMilli(), Missing: []MissingPath{}, More: past.More, Ignored: past.Ignored, InDraft: past.InDraft}
	for _, one := range past.Missing {
		folder.Missing = append(folder.Missing, MissingPath{Path: workspace.Shown(string(one.Path)), Why: string(one.Why)})
	}
	return folder
}

// readDraft reads what is in the draft of a conversation.
func (w *Window) readDraft(request *http.Request) (any, error) {
	ctx, id := request.Context(), request.PathValue("session")
	view := DraftView{Changes: []message.PendingChange{}}
	show := func(r *change.Recorder, draft *session.Draft) error {
		if draft == nil {
			return nil
		}
		view.ID, view.Hash = draft.Draft.ID, draft.Fingerprint()
		rows, _, _ := workspace.ShowPending(r, draft.Pending, draft.Held, func(int) bool { return true })
		view.Changes = append(view.Changes, rows...)
		return draft.Close()
	}
	if open := w.conversations.useOpen(id); open != nil {
		defer w.endUse(open, false)
		draft, err := open.ReadDraft(ctx)
		err = errors.Join(err, show(open.Changes(), draft))
		view.Runs = open.DraftRuns()
		return view, err
	}
	saved, err := w.backend.Sessions.Find(ctx, id, "")
	if err != nil {
		return view, err
	}
	draft, r, closeAll, err := w.backend.ReadSavedDraft(ctx, saved)
	if err != nil {
		return view, err
	}
	err = errors.Join(show(r, draft), closeAll())
	return view, err
}

// errOtherDraft refuses to apply what was not shown.
var errOtherDraft = &Fault{Code: Code(message.InvalidState), Message: "the draft has changed since it was shown", Hint: "look at it again"}

// draftChanged tells every page that a draft was decided about.
func (w *Window) draftChanged() {
	w.stateChanged()
	w.listChanged()
}

// DraftChoice is what of a draft is applied.
type DraftChoice struct {
	// Paths are those that are; without any it is all but what is held.
	Paths []string `json:"paths"`
	// WithoutHunks has, by path, the headers of the parts that are left out of its text.
	WithoutHunks map[string][]string `json:"withoutHunks,omitempty"`
}

// ApplyDraft makes changes of the draft of a conversation in its folder. The hash names what was
// shown. What runs in the draft is ended.
func (c *Changes) ApplyDraft(sessionID, hash string, choice DraftChoice) (None, error) {
	return Guard(c.window, func() (None, error) {
		w := c.window
		defer w.draftChanged()
		return None{}, w.changeSession(w.ctx, sessionID, func(changes *session.Changes) error {
			draft, err := changes.ReviewDraft(w.ctx)
			if err != nil {
				return err
			}
			if draft.Fingerprint() != hash {
				return errors.Join(errOtherDraft, draft.Close())
			}
			chosen := message.Chosen{WithoutHunks: choice.WithoutHunks}
			if len(choice.Paths) > 0 {
				chosen.Paths = choice.Paths
			}
			applied, err := changes.Choose(draft, chosen)
			if err != nil {
				return errors.Join(err, draft.Close())
			}
			done, missed, err := changes.ApplyDraft(w.ctx, draft, applied)
			w.announceChanges(done...)
			if err == nil && missed > 0 {
				err = errOtherDraft
			}
			return err
		})
	})
}

// DropDraft drops the draft of a conversation; for a while it can be taken back.
func (c *Changes) DropDraft(sessionID string) (None, error) {
	return Guard(c.window, func() (None, error) {
		w := c.window
		defer w.draftChanged()
		return None{}, w.changeSession(w.ctx, sessionID, func(changes *session.Changes) error {
			draft, err := changes.ReviewDraft(w.ctx)
			if err != nil {
				return err
			}
			done, err := changes.DropDraft(w.ctx, draft)
			if done != nil {
				w.announceChanges(done)
			}
			return err
		})
	})
}

// RestoreDraft takes back a draft that was dropped.
func (c *Changes) RestoreDraft(sessionID, draftID string) (None, error) {
	return Guard(c.window, func() (None, error) {
		w := c.window
		defer w.draftChanged()
		return None{}, w.changeSession(w.ctx, sessionID, func(changes *session.Changes) error { return changes.RestoreDraft(draftID) })
	})
}
