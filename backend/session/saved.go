package session

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// Saved is a saved conversation: the store's own, named here for the entry points, which
// do not import it.
type Saved = store.Session

// SavedRun is a run of a saved conversation, named here for the same reason.
type SavedRun = store.Run

// Which says which conversations a list has: the store's own, named here for the same reason.
type Which = store.Which

// The lists of conversations.
const (
	All      = store.All
	Current  = store.Current
	Pinned   = store.Pinned
	Archived = store.Archived
)

// Last names the conversation that was last worked on, of those that are not archived.
const Last = "last"

// undoTime is how long another process may take to bring a conversation back that it
// took out of the lists.
const undoTime = time.Minute

// List lists at most limit saved conversations of a workspace, those last worked on
// first; of all workspaces where it is "".
//
// Where none was ever saved, no database is made for it.
func (m *Manager) List(ctx context.Context, folder string, which Which, limit int) ([]Saved, error) {
	if m.isNew() {
		return nil, nil
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	return s.Sessions(ctx, folder, which, limit)
}

// CountArchived counts the archived conversations of a workspace.
func (m *Manager) CountArchived(ctx context.Context, folder string) (int, error) {
	if m.isNew() {
		return 0, nil
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return 0, err
	}
	return s.CountArchived(ctx, folder)
}

// isNew reports whether no conversation was ever saved.
func (m *Manager) isNew() bool {
	return m.library.store.Load() == nil && !store.Exists(m.options.DataFolder)
}

// Recover brings runs to their end that another process left behind when it crashed.
func (m *Manager) Recover(ctx context.Context) error {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return err
	}
	_, err = recoverRuns(ctx, s, m.options.NewID)
	return err
}

// Find finds a saved conversation by its id, or the one that was last worked on in a
// workspace. Where there is none, the error is a *message.Refusal.
func (m *Manager) Find(ctx context.Context, id, folder string) (Saved, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return Saved{}, err
	}
	if id != Last {
		saved, err := s.Session(ctx, id)
		if errors.Is(err, store.ErrNotFound) || saved.Hidden {
			return Saved{}, missingError(id)
		}
		return saved, err
	}
	all, err := s.Sessions(ctx, folder, store.Current, 1)
	if err != nil {
		return Saved{}, err
	}
	if len(all) == 0 {
		where := ""
		if folder != "" {
			where = " in " + folder
		}
		return Saved{}, &message.Refusal{Code: message.NotFound, Message: "there is no conversation yet" + where}
	}
	return all[0], nil
}

// missingError is the refusal of a conversation that is not there.
func missingError(id string) error {
	return &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no conversation %q; fairlead sessions list shows all", id)}
}

// EachMessage are the messages of a saved conversation, of which few are in memory at a
// time.
func (m *Manager) EachMessage(ctx context.Context, id string) iter.Seq2[message.Message, error] {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return func(yield func(message.Message, error) bool) { yield(message.Message{}, err) }
	}
	return s.EachMessage(ctx, id)
}

// Runs lists the runs of a saved conversation in order.
func (m *Manager) Runs(ctx context.Context, id string) ([]SavedRun, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	return s.Runs(ctx, id)
}

// FindRun finds a run of a saved conversation. Where there is none, the error is a
// *message.Refusal.
func (m *Manager) FindRun(ctx context.Context, id string) (SavedRun, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return SavedRun{}, err
	}
	run, err := s.Run(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return SavedRun{}, &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no run %q", id)}
	}
	return run, err
}

// LastRuns lists, in order, at most limit runs of a saved conversation: the last ones
// with a number below before.
func (m *Manager) LastRuns(ctx context.Context, id string, before int64, limit int) ([]SavedRun, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	return s.LastRuns(ctx, id, before, limit)
}

// Events reads what happened in a run of a saved conversation after a seq.
func (m *Manager) Events(ctx context.Context, run SavedRun, after int64) ([]event.Event, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	events, err := s.Events(ctx, run, after)
	for i, e := range events {
		events[i] = m.withDisplay(e)
	}
	return events, err
}

// Rescued is what was found in a file of conversations: the store's own, named here for
// the entry points.
type Rescued = store.Rescued

// Rescue adds the conversations of a file, sound or damaged, that are not there.
func (m *Manager) Rescue(ctx context.Context, file string) (Rescued, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return Rescued{}, err
	}
	return s.Rescue(ctx, file)
}

// EachEvent are the events of a run of a saved conversation after a seq, of which few are
// in memory at a time.
func (m *Manager) EachEvent(ctx context.Context, run SavedRun, after int64) iter.Seq2[event.Event, error] {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return func(yield func(event.Event, error) bool) { yield(event.Event{}, err) }
	}
	return m.withDisplays(s.EachEvent(ctx, run, after))
}

// BlockData reads the bytes of a block by their sum. Where they are lost, the error is a
// *message.Refusal.
func (m *Manager) BlockData(ctx context.Context, sum string) ([]byte, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	data, err := s.BlockData(ctx, sum)
	if errors.Is(err, store.ErrNoBytes) {
		return nil, &message.Refusal{Code: message.NotFound, Message: err.Error()}
	}
	return data, err
}

// WithData returns a message of a saved conversation with the bytes of its blocks.
func (m *Manager) WithData(ctx context.Context, said message.Message) (message.Message, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return said, err
	}
	return s.WithData(ctx, said)
}

// EventWithData returns an event of a saved conversation with the bytes of its blocks.
func (m *Manager) EventWithData(ctx context.Context, e event.Event) (event.Event, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return e, err
	}
	return s.EventWithData(ctx, e)
}

// SetGroupsOff keeps which sets of tools are switched off in a conversation that is not
// open.
func (m *Manager) SetGroupsOff(ctx context.Context, id string, groups []string) error {
	return m.changeSaved(ctx, id, func(s *store.Store) error { return s.SetGroupsOff(ctx, id, groups) })
}

// Rename gives a saved conversation another title.
func (m *Manager) Rename(ctx context.Context, id, title string) error {
	return m.changeSaved(ctx, id, func(s *store.Store) error { return s.Rename(ctx, id, title) })
}

// Pin pins or unpins a saved conversation. One that is archived comes back by that.
func (m *Manager) Pin(ctx context.Context, id string, on bool) error {
	return m.changeSaved(ctx, id, func(s *store.Store) error { return s.Pin(ctx, id, on) })
}

// Archive archives a saved conversation, or takes it out of the archive, as a run of it does too.
// One with a run gives a *message.Refusal.
func (m *Manager) Archive(ctx context.Context, id string, on bool) error {
	return m.changeSaved(ctx, id, func(s *store.Store) error {
		saved, err := s.Session(ctx, id)
		if err != nil {
			return err
		}
		if on && saved.Reason == "" {
			return inUseError(id)
		}
		return s.Archive(ctx, id, on)
	})
}

// MoveWorkspace has the conversations of a folder, and of folders in it, work on where it lies
// by now, and returns how many these are (SPEC CHG-13). One that is open somewhere gives a
// *message.Refusal, and none is moved then.
func (m *Manager) MoveWorkspace(ctx context.Context, from, to string) (moved int, err error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return 0, err
	}
	all, err := s.Sessions(ctx, "", store.All, -1)
	if err != nil {
		return 0, err
	}
	all = slices.DeleteFunc(all, func(saved Saved) bool {
		rest, ok := strings.CutPrefix(saved.Workspace, from)
		return !ok || rest != "" && !os.IsPathSeparator(rest[0])
	})
	for _, saved := range all {
		unlock, lockErr := s.Lock(saved.ID)
		if errors.Is(lockErr, store.ErrLocked) {
			return 0, inUseError(saved.ID)
		}
		if lockErr != nil {
			return 0, lockErr
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	for _, saved := range all {
		if err := s.SetWorkspace(ctx, saved.ID, to+strings.TrimPrefix(saved.Workspace, from)); err != nil {
			return moved, err
		}
		moved++
	}
	return moved, nil
}

// changeSaved changes a saved conversation.
func (m *Manager) changeSaved(ctx context.Context, id string, do func(*store.Store) error) error {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return err
	}
	err = do(s)
	if errors.Is(err, store.ErrNotFound) {
		return missingError(id)
	}
	return err
}

// Hide takes a saved conversation out of the lists, until Restore brings it back or
// Purge deletes it. One with a run gives a *message.Refusal.
func (m *Manager) Hide(ctx context.Context, id string) error {
	if err := m.refuseDraft(id); err != nil {
		return err
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return err
	}
	if _, err := m.Find(ctx, id, ""); err != nil {
		return err
	}
	unlock, err := s.Lock(id)
	if errors.Is(err, store.ErrLocked) {
		return inUseError(id)
	}
	if err != nil {
		return err
	}
	return errors.Join(s.Hide(ctx, id, time.Now()), unlock())
}

// Restore brings a hidden conversation back. Where there is none, the error is a
// *message.Refusal.
func (m *Manager) Restore(ctx context.Context, id string) error {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return err
	}
	err = s.Restore(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return &message.Refusal{Code: message.NotFound, Message: "this conversation is deleted and cannot be brought back"}
	}
	return err
}

// Purge deletes the conversations that were hidden until then. It does nothing where
// no conversation was asked for yet.
func (m *Manager) Purge(ctx context.Context, until time.Time) error {
	s := m.library.store.Load()
	if s == nil {
		return nil
	}
	return m.purgeHidden(ctx, s, until)
}

func (m *Manager) purgeHidden(ctx context.Context, s *store.Store, until time.Time) error {
	ids, err := s.Hidden(ctx, until)
	for _, id := range ids {
		err = errors.Join(err, m.deleteSaved(ctx, s, id))
	}
	return err
}

// Delete deletes a saved conversation with the outputs of its calls. One that is running
// gives a *message.Refusal.
func (m *Manager) Delete(ctx context.Context, id string) error {
	if err := m.refuseDraft(id); err != nil {
		return err
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return err
	}
	return m.deleteSaved(ctx, s, id)
}

func (m *Manager) deleteSaved(ctx context.Context, s *store.Store, id string) error {
	err := s.Delete(ctx, id)
	switch {
	case errors.Is(err, store.ErrLocked):
		return inUseError(id)
	case errors.Is(err, store.ErrNotFound):
		return missingError(id)
	case errors.Is(err, store.ErrInLog):
		m.options.Tell(err.Error())
	case err != nil:
		return err
	}
	outputs, err := workspace.OpenOutputs(filepath.Join(m.options.OutputsFolder, id))
	if err != nil {
		return err
	}
	return errors.Join(outputs.Remove(), m.Objects(id).Remove(), change.RemoveDrafts(m.DraftsOf(id)))
}
