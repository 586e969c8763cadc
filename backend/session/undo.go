package session

import (
	"context"
	"errors"
	"slices"

	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// Changes is what a saved conversation has changed in its folder, for taking that back and
// making it again. The conversation is locked until Close.
type Changes struct {
	*change.Recorder
	// Saved is the conversation.
	Saved Saved

	store   *store.Store
	folder  *workspace.Folder
	objects *change.Objects
	unlock  func() error
}

// Sets lists what a saved conversation has changed in its folder, in order.
func (m *Manager) Sets(ctx context.Context, id string) ([]change.Set, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	return s.Sets(ctx, id)
}

// OpenChanges opens what a saved conversation has changed, in its folder, which open opens.
// One that another process works on, or that is open in this one, gives a *message.Refusal.
func (m *Manager) OpenChanges(
	ctx context.Context, saved Saved, left *leftover.Record, open func(dir string) (*workspace.Folder, error),
) (*Changes, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	c, err := m.lockChanges(ctx, s, saved, left, open)
	if errors.Is(err, store.ErrLocked) {
		return nil, inUseError(saved.ID)
	}
	return c, err
}

// lockChanges locks a conversation, opens what it has changed, and brings to its end what a
// crash cut off.
func (m *Manager) lockChanges(
	ctx context.Context, s *store.Store, saved Saved, left *leftover.Record, open func(dir string) (*workspace.Folder, error),
) (*Changes, error) {
	unlock, err := s.Lock(saved.ID)
	if err != nil {
		return nil, err
	}
	folder, err := open(saved.Workspace)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	c := &Changes{Saved: saved, store: s, folder: folder, objects: m.Objects(saved.ID), unlock: unlock}
	c.Recorder = change.NewRecorder(change.Options{
		Root: folder.Root(), Path: folder.Path(), SessionID: saved.ID, Journal: s, Objects: c.objects, Leftover: left,
		NewID: m.options.NewID, Log: m.options.Log,
	})
	if err := c.Recover(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close gives the conversation back.
func (c *Changes) Close() error {
	return errors.Join(c.folder.Close(), c.objects.Close(), c.unlock())
}

// namedPaths is how many paths the model is told by name.
const namedPaths = 20

// CarryOut does what a plan says, and has the next run of the conversation tell the model
// (SPEC CHG-05). The events say what was done.
func (c *Changes) CarryOut(ctx context.Context, plan change.Plan) (change.Done, []event.Data, error) {
	done, err := c.Recorder.CarryOut(ctx, plan)
	if len(done.Sets) == 0 {
		return done, nil, err
	}
	notice := message.Notice{Code: message.NoticeUndone}
	if plan.Redo {
		notice.Code = message.NoticeRedone
	}
	for _, path := range done.Paths() {
		if len(notice.Data.Paths) == namedPaths {
			notice.Data.Count++
		} else {
			notice.Data.Paths = append(notice.Data.Paths, workspace.Shown(string(path)))
		}
	}
	saved, readErr := c.store.Session(ctx, c.Saved.ID)
	if readErr == nil {
		readErr = c.store.SetNotices(ctx, c.Saved.ID, append(slices.Clip(saved.Notices), notice))
	}
	return done, eventsOf(plan.Redo, done.Sets), errors.Join(err, readErr)
}

// eventsOf tell of sets that took something back, or made it again.
func eventsOf(redo bool, sets []change.Set) []event.Data {
	var events []event.Data
	for i := range sets {
		data := event.JournalUndone{
			SetID: sets[i].ID, RunID: sets[i].RunID, CallID: sets[i].CallID, Paths: workspace.ChangesOf(&sets[i]),
		}
		if redo {
			events = append(events, event.JournalRedone(data))
		} else {
			events = append(events, data)
		}
	}
	return events
}
