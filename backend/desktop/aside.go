package desktop

import (
	"context"
	"errors"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// AsideView is what a command has changed in a copy of the folder and nobody has decided about.
type AsideView struct {
	// ID names it, and CallID is the call.
	ID     string `json:"id"`
	CallID string `json:"callId"`
	// Changes are the paths, a folder before what is in it.
	Changes []message.PendingChange `json:"changes"`
}

// addAside adds what is set aside of a run.
func (r *Review) addAside(ctx context.Context, changes *change.Recorder, runID string) error {
	all, err := changes.Aside(ctx)
	for _, a := range all {
		if a.RunID == runID {
			rows, _, _ := workspace.ShowPending(changes, a.Pending, workspace.CollisionsOf(a.Pending), func(int) bool { return true })
			r.Aside = append(r.Aside, AsideView{ID: a.ID, CallID: a.CallID, Changes: rows})
		}
		err = errors.Join(err, a.Layer.Close())
	}
	return err
}

// ApplyAside applies changes of a command of a run that were set aside: those at paths, or all
// where there are none.
func (c *Changes) ApplyAside(runID, id string, paths []string) (None, error) {
	return Guard(c.window, func() (None, error) {
		w := c.window
		return None{}, w.changeFolder(w.ctx, runID, func(changes *session.Changes) error {
			if len(paths) == 0 {
				paths = nil
			}
			done, err := changes.ApplyAside(w.ctx, id, paths)
			w.announceChanges(done...)
			return err
		})
	})
}

// DropAside deletes changes of a command of a run that were set aside.
func (c *Changes) DropAside(runID, id string) (None, error) {
	return Guard(c.window, func() (None, error) {
		w := c.window
		return None{}, w.changeFolder(w.ctx, runID, func(changes *session.Changes) error {
			done, err := changes.DropAside(w.ctx, id)
			if done != nil {
				w.announceChanges(done)
			}
			return err
		})
	})
}
