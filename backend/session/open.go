package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// Opening says which conversation to open.
type Opening struct {
	// ID is that of a saved conversation, or Last for the one that was last worked on; empty
	// for a new one.
	ID string
	// Workspace is the folder of a new conversation. A saved one must work on it, or be the
	// last one that does, unless it is empty.
	Workspace string
	// Unsaved conversations are not saved.
	Unsaved bool
	// Prepare opens what the conversation works with, which the Close of its Config gives
	// back; it gives back what it opened where it fails. saved has the id, and the folder
	// unless Workspace was empty for a new conversation. What is kept is
	// the manager's.
	Prepare func(saved Saved, kept Kept) (Config, error)
}

// Kept is what a conversation keeps outside its folder beside what was said.
type Kept struct {
	// Outputs are the full outputs of its calls.
	Outputs *workspace.Outputs
	// Objects are what was in its folder before it changed that, and Changes the sets of
	// what it changed.
	Objects *change.Objects
	Changes change.Journal
}

// Open opens a conversation. One that is not there gives a *message.Refusal, and so does
// one that another process, or another driver of this one, has open (SPEC ST-02): its
// code is BUSY.
func (m *Manager) Open(ctx context.Context, o Opening) (_ *Driver, err error) {
	d := &Driver{found: o.ID != "" && !o.Unsaved}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.releaseAll())
		}
	}()
	saved, store := Saved{ID: m.options.NewID(), Workspace: o.Workspace}, (*store.Store)(nil)
	switch {
	case o.Unsaved:
	case o.ID == "":
		// This takes as long as all that comes before a new conversation needs it.
		go func() { _, _ = m.openStore(ctx) }()
	default:
		if saved, err = m.findIn(ctx, o.ID, o.Workspace); err != nil {
			return nil, err
		}
		if store, err = m.lockSaved(ctx, d, saved.ID); err != nil {
			return nil, err
		}
	}
	if d.outputs, err = workspace.OpenOutputs(filepath.Join(m.options.OutputsFolder, saved.ID)); err != nil {
		return nil, err
	}
	d.objects = m.Objects(saved.ID)
	kept := Kept{Outputs: d.outputs, Objects: d.objects, Changes: &change.Memory{}}
	if !o.Unsaved {
		kept.Changes = journal{m}
	}
	config, err := o.Prepare(saved, kept)
	if err != nil {
		return nil, err
	}
	d.close = config.Close
	if !o.Unsaved && store == nil {
		if store, err = m.lockSaved(ctx, d, saved.ID); err != nil {
			return nil, err
		}
	}
	config.Store = store
	if !d.found {
		d.Session = m.newSession(saved.ID, config)
	} else if d.Session, err = m.loadSession(ctx, saved, config); err != nil {
		return nil, err
	}
	d.keep = d.keepRun
	return d, nil
}

// findIn finds a saved conversation, which must work on the folder unless that is empty.
func (m *Manager) findIn(ctx context.Context, id, folder string) (Saved, error) {
	saved, err := m.Find(ctx, id, folder)
	if err != nil {
		return Saved{}, err
	}
	if folder != "" && saved.Workspace != folder {
		return Saved{}, &message.Refusal{
			Code:    message.InvalidParams,
			Message: fmt.Sprintf("conversation %s works on %s, not on %s; leave out --workspace", saved.ID, saved.Workspace, folder),
		}
	}
	return saved, nil
}

// lockSaved takes the lock of a conversation that is saved, for a driver that gives it back.
func (m *Manager) lockSaved(ctx context.Context, d *Driver, id string) (*store.Store, error) {
	s, err := m.openStore(ctx)
	if err != nil {
		return nil, err
	}
	d.unlock, err = s.Lock(id)
	if errors.Is(err, store.ErrLocked) {
		return nil, inUseError(id)
	}
	return s, err
}

// inUseError is the refusal of a conversation that another process works on.
func inUseError(id string) error {
	return &message.Refusal{
		Code: message.Busy, Elsewhere: true,
		Message: fmt.Sprintf("another Fairlead works on conversation %s; wait for it, or close it there", id),
	}
}

// releaseAll gives back what the conversation works with, or what of it was opened.
func (d *Driver) releaseAll() error {
	var err error
	if d.close != nil {
		err = d.close()
	}
	if d.Session != nil {
		err = errors.Join(err, d.keepLeft())
	}
	switch {
	case d.outputs == nil:
	case d.found || d.Session != nil && d.config.Store != nil && d.Begun():
		err = errors.Join(err, d.outputs.Close(), d.objects.Close())
	default:
		err = errors.Join(err, d.outputs.Remove())
		if d.objects != nil {
			err = errors.Join(err, d.objects.Remove())
		}
	}
	if d.unlock != nil {
		err = errors.Join(err, d.unlock())
	}
	return err
}

// keepLeft saves what the commands that have ended now have left.
func (d *Driver) keepLeft() error {
	d.left = append(d.left, d.TakeNotices()...)
	if len(d.left) == 0 || d.config.Store == nil || !d.Begun() {
		return nil
	}
	return d.config.Store.SetNotices(context.Background(), d.ID, d.left)
}
