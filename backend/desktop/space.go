package desktop

import (
	"context"
	"errors"

	"fairlead/backend/message"
	"fairlead/backend/session"
)

// Space is how much is kept to take changes back, in bytes.
type Space struct {
	Bytes int64 `json:"bytes"`
	Limit int64 `json:"limit"`
}

// Space returns how much is kept to take changes back.
func (c *Changes) Space() (Space, error) {
	return Guard(c.window, func() (Space, error) {
		bytes, limit, err := c.window.backend.Sessions.KeptSpace()
		return Space{bytes, limit}, err
	})
}

// Free lets go of all that is kept to take changes back, but for those of conversations in
// which a run is running, or that another process works on.
func (c *Changes) Free() (Space, error) {
	return Guard(c.window, func() (Space, error) {
		w := c.window
		saved, err := w.backend.Sessions.List(w.ctx, "", session.All, -1)
		if err != nil {
			return Space{}, err
		}
		for _, one := range saved {
			if err := w.freeSession(w.ctx, one.ID); err != nil {
				return Space{}, err
			}
		}
		bytes, limit, err := w.backend.Sessions.KeptSpace()
		return Space{bytes, limit}, err
	})
}

// freeSession lets go of what is kept of what one conversation changed.
func (w *Window) freeSession(ctx context.Context, id string) error {
	open := w.conversations.useOpen(id)
	if open == nil {
		return w.backend.Sessions.FreeSession(ctx, id)
	}
	defer w.endUse(open, false)
	changes, err := open.OpenChanges()
	if refused, ok := errors.AsType[*message.Refusal](err); ok && refused.Code == message.Busy {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(changes.FreeAll(ctx), changes.Close())
}
