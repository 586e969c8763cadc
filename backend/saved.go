package backend

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// Saved is a conversation that was put away: the store's own, named here for the
// doors, which do not know it.
type Saved = store.Session

// SavedRun is a run of a saved conversation, named here for the same reason.
type SavedRun = store.Run

// Last names the conversation that was last worked on.
const Last = "last"

// undoTime is how long another process may take to bring a conversation back that it
// took out of the lists.
const undoTime = time.Minute

// outputAge is how long full outputs are kept that a crash left behind.
const outputAge = 7 * 24 * time.Hour

// StoreError says that the saved conversations cannot be opened.
type StoreError struct{ Err error }

func (e *StoreError) Error() string { return e.Err.Error() }

// FailCode is the code of a run that ends so.
func (e *StoreError) FailCode() message.FailCode { return message.CodeStorage }

// Unwrap gives what went wrong.
func (e *StoreError) Unwrap() error { return e.Err }

// library is the store, which is opened when it is first needed.
type library struct {
	once  sync.Once
	store atomic.Pointer[store.Store]
	err   error
	// tidying is while what earlier processes left in it is brought in order.
	tidying sync.WaitGroup
}

func (l *library) close() error {
	l.once.Do(func() {}) // nobody opens it any more
	l.tidying.Wait()
	if s := l.store.Load(); s != nil {
		return s.Close()
	}
	return nil
}

// errClosed says that the store is needed after the end.
var errClosed = errors.New("the conversations are closed")

// store opens the store, and brings the runs that a crash cut off to their end.
func (b *Backend) store(ctx context.Context) (*store.Store, error) {
	s, err := b.opened(ctx)
	b.library.tidying.Wait()
	return s, err
}

// opened is store for a new conversation, which does not depend on those that there are.
func (b *Backend) opened(ctx context.Context) (*store.Store, error) {
	l := &b.library
	l.once.Do(func() {
		ctx := context.WithoutCancel(ctx)
		var opened *store.Store
		if opened, l.err = b.openStore(ctx); l.err == nil {
			l.store.Store(opened)
			l.tidying.Go(func() { b.tidy(ctx, opened) })
		}
	})
	s := l.store.Load()
	if l.err == nil && s == nil {
		return nil, errClosed
	}
	return s, l.err
}

func (b *Backend) openStore(ctx context.Context) (*store.Store, error) {
	options := store.Options{Folder: b.Folders.Data, Redact: b.Redactor.Bytes, Tell: b.tell}
	s, damage, err := store.Open(ctx, options)
	if b.reading && store.Unwritable(err) {
		s, damage, err = store.OpenToRead(ctx, options)
	}
	if err != nil {
		return nil, &StoreError{err}
	}
	if damage != nil {
		b.Log.Error("open the conversations", "damage", damage.String())
		b.tell(damage.String())
	}
	return s, nil
}

// tidy brings what earlier processes left in order: runs that were cut off, conversations
// that were deleted, and outputs of conversations that are gone.
func (b *Backend) tidy(ctx context.Context, s *store.Store) {
	if s.ReadOnly() {
		return
	}
	recovered, err := session.Recover(ctx, s, newID)
	if err != nil {
		b.Log.Error("recover runs", "error", err)
		b.tell(fmt.Sprintf("a run that was cut off could not be brought to its end: %v", err))
	}
	if recovered > 0 {
		b.Log.Info("recovered conversations", "count", recovered)
	}
	if err := b.purge(ctx, s, time.Now().Add(-undoTime)); err != nil {
		b.Log.Warn("delete conversations", "error", err)
	}
	used := func(id string) bool {
		_, err := s.Session(ctx, id)
		return !errors.Is(err, store.ErrNotFound)
	}
	if err := workspace.SweepOutputs(b.outputsFolder(), time.Now().Add(-outputAge), used); err != nil {
		b.Log.Warn("sweep outputs", "error", err)
	}
}

// tell says something to the person.
func (b *Backend) tell(text string) {
	if b.Tell != nil {
		b.Tell(text)
	}
}

// List lists at most limit saved conversations of a workspace, those last worked on
// first; of all workspaces where it is "".
//
// Where none was ever saved, no database is made for it.
func (b *Backend) List(ctx context.Context, folder string, limit int) ([]Saved, error) {
	if b.library.store.Load() == nil && !store.Exists(b.Folders.Data) {
		return nil, nil
	}
	s, err := b.store(ctx)
	if err != nil {
		return nil, err
	}
	return s.Sessions(ctx, folder, limit)
}

// Recover brings runs to their end that another process left behind when it crashed.
func (b *Backend) Recover(ctx context.Context) error {
	s, err := b.store(ctx)
	if err != nil {
		return err
	}
	_, err = session.Recover(ctx, s, newID)
	return err
}

// Find finds a saved conversation by its id, or the one that was last worked on in a
// workspace. Where there is none, the error is a *message.Refusal.
func (b *Backend) Find(ctx context.Context, id, folder string) (Saved, error) {
	s, err := b.store(ctx)
	if err != nil {
		return Saved{}, err
	}
	if id != Last {
		saved, err := s.Session(ctx, id)
		if errors.Is(err, store.ErrNotFound) || saved.Hidden {
			return Saved{}, missing(id)
		}
		return saved, err
	}
	all, err := s.Sessions(ctx, folder, 1)
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

// missing is the refusal of a conversation that is not there.
func missing(id string) error {
	return &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no conversation %q; fairlead sessions list shows all", id)}
}

// EachMessage are the messages of a saved conversation, of which few are in memory at a
// time.
func (b *Backend) EachMessage(ctx context.Context, id string) iter.Seq2[message.Message, error] {
	s, err := b.store(ctx)
	if err != nil {
		return func(yield func(message.Message, error) bool) { yield(message.Message{}, err) }
	}
	return s.EachMessage(ctx, id)
}

// Runs lists the runs of a saved conversation in order.
func (b *Backend) Runs(ctx context.Context, id string) ([]SavedRun, error) {
	s, err := b.store(ctx)
	if err != nil {
		return nil, err
	}
	return s.Runs(ctx, id)
}

// Run finds a run of a saved conversation. Where there is none, the error is a
// *message.Refusal.
func (b *Backend) Run(ctx context.Context, id string) (SavedRun, error) {
	s, err := b.store(ctx)
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
func (b *Backend) LastRuns(ctx context.Context, id string, before int64, limit int) ([]SavedRun, error) {
	s, err := b.store(ctx)
	if err != nil {
		return nil, err
	}
	return s.LastRuns(ctx, id, before, limit)
}

// Events reads what happened in a run of a saved conversation after a seq.
func (b *Backend) Events(ctx context.Context, run SavedRun, after int64) ([]event.Event, error) {
	s, err := b.store(ctx)
	if err != nil {
		return nil, err
	}
	return s.Events(ctx, run, after)
}

// Rescued is what was found in a file of conversations: the store's own, named here for
// the entry points.
type Rescued = store.Rescued

// Rescue adds the conversations of a file, sound or damaged, that are not there.
func (b *Backend) Rescue(ctx context.Context, file string) (Rescued, error) {
	s, err := b.store(ctx)
	if err != nil {
		return Rescued{}, err
	}
	return s.Rescue(ctx, file)
}

// EachEvent are the events of a run of a saved conversation after a seq, of which few are
// in memory at a time.
func (b *Backend) EachEvent(ctx context.Context, run SavedRun, after int64) iter.Seq2[event.Event, error] {
	s, err := b.store(ctx)
	if err != nil {
		return func(yield func(event.Event, error) bool) { yield(event.Event{}, err) }
	}
	return s.EachEvent(ctx, run, after)
}

// SetGroupsOff keeps which sets of tools are switched off in a conversation that is not
// open.
func (b *Backend) SetGroupsOff(ctx context.Context, id string, groups []string) error {
	return b.change(ctx, id, func(s *store.Store) error { return s.SetGroupsOff(ctx, id, groups) })
}

// Rename gives a saved conversation another title.
func (b *Backend) Rename(ctx context.Context, id, title string) error {
	return b.change(ctx, id, func(s *store.Store) error { return s.Rename(ctx, id, title) })
}

// change changes a saved conversation.
func (b *Backend) change(ctx context.Context, id string, do func(*store.Store) error) error {
	s, err := b.store(ctx)
	if err != nil {
		return err
	}
	err = do(s)
	if errors.Is(err, store.ErrNotFound) {
		return missing(id)
	}
	return err
}

// Hide takes a saved conversation out of the lists, until Restore brings it back or
// Purge deletes it. One that is at work gives a *message.Refusal.
func (b *Backend) Hide(ctx context.Context, id string) error {
	s, err := b.store(ctx)
	if err != nil {
		return err
	}
	if _, err := b.Find(ctx, id, ""); err != nil {
		return err
	}
	unlock, err := s.Lock(id)
	if errors.Is(err, store.ErrLocked) {
		return inUse(id)
	}
	if err != nil {
		return err
	}
	return errors.Join(s.Hide(ctx, id, time.Now()), unlock())
}

// Restore brings a hidden conversation back. Where there is none, the error is a
// *message.Refusal.
func (b *Backend) Restore(ctx context.Context, id string) error {
	s, err := b.store(ctx)
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
func (b *Backend) Purge(ctx context.Context, until time.Time) error {
	s := b.library.store.Load()
	if s == nil {
		return nil
	}
	return b.purge(ctx, s, until)
}

func (b *Backend) purge(ctx context.Context, s *store.Store, until time.Time) error {
	ids, err := s.Hidden(ctx, until)
	for _, id := range ids {
		err = errors.Join(err, b.remove(ctx, s, id))
	}
	return err
}

// Delete deletes a saved conversation with the outputs of its calls. One that is at
// work gives a *message.Refusal.
func (b *Backend) Delete(ctx context.Context, id string) error {
	s, err := b.store(ctx)
	if err != nil {
		return err
	}
	return b.remove(ctx, s, id)
}

func (b *Backend) remove(ctx context.Context, s *store.Store, id string) error {
	err := s.Delete(ctx, id)
	switch {
	case errors.Is(err, store.ErrLocked):
		return inUse(id)
	case errors.Is(err, store.ErrNotFound):
		return missing(id)
	case errors.Is(err, store.ErrInLog):
		b.tell(err.Error())
	case err != nil:
		return err
	}
	outputs, err := workspace.OpenOutputs(filepath.Join(b.outputsFolder(), id))
	if err != nil {
		return err
	}
	return outputs.Remove()
}
