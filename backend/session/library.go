package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// outputAge is how long full outputs are kept that a crash left behind.
const outputAge = 7 * 24 * time.Hour

// StoreError says that the saved conversations cannot be opened.
type StoreError struct{ Err error }

func (e *StoreError) Error() string { return e.Err.Error() }

// FailCode is the code of a run that ends so.
func (e *StoreError) FailCode() message.FailCode { return message.CodeStorage }

// Unwrap gives what went wrong.
func (e *StoreError) Unwrap() error { return e.Err }

// library is the store of the saved conversations, which is opened when it is first needed.
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

// tidiedStore opens the store, and brings the runs that a crash cut off to their end.
func (m *Manager) tidiedStore(ctx context.Context) (*store.Store, error) {
	s, err := m.openStore(ctx)
	m.library.tidying.Wait()
	return s, err
}

// openStore opens the store for a new conversation, which does not depend on those that
// there are.
func (m *Manager) openStore(ctx context.Context) (*store.Store, error) {
	l := &m.library
	l.once.Do(func() {
		ctx := context.WithoutCancel(ctx)
		var opened *store.Store
		if opened, l.err = m.openFile(ctx); l.err == nil {
			l.store.Store(opened)
			l.tidying.Go(func() { m.tidyStore(ctx, opened) })
		}
	})
	s := l.store.Load()
	if l.err == nil && s == nil {
		return nil, errClosed
	}
	return s, l.err
}

func (m *Manager) openFile(ctx context.Context) (*store.Store, error) {
	options := store.Options{Folder: m.options.DataFolder, Redact: m.options.Redact, Tell: m.options.Tell, Display: m.options.Display}
	s, damage, err := store.Open(ctx, options)
	if m.options.ReadOnly && store.Unwritable(err) {
		s, damage, err = store.OpenToRead(ctx, options)
	}
	if err != nil {
		return nil, &StoreError{err}
	}
	if damage != nil {
		m.options.Log.Error("open the conversations", "damage", damage.String())
		m.options.Tell(damage.String())
	}
	return s, nil
}

// tidyStore brings what earlier processes left in order: runs that were cut off, conversations
// that were deleted, and outputs of conversations that are gone.
func (m *Manager) tidyStore(ctx context.Context, s *store.Store) {
	if s.ReadOnly() {
		return
	}
	recovered, err := recoverRuns(ctx, s, m.options.NewID)
	if err != nil {
		m.options.Log.Error("recover runs", "error", err)
		m.options.Tell(fmt.Sprintf("a run that was cut off could not be brought to its end: %v", err))
	}
	if recovered > 0 {
		m.options.Log.Info("recovered conversations", "count", recovered)
	}
	if err := m.recoverChanges(ctx, s); err != nil {
		m.options.Log.Error("recover changes", "error", err)
	}
	if err := m.freeChanges(ctx, s, nil); err != nil {
		m.options.Log.Warn("free what was kept of changes", "error", err)
	}
	if err := m.purgeHidden(ctx, s, time.Now().Add(-undoTime)); err != nil {
		m.options.Log.Warn("delete conversations", "error", err)
	}
	used := func(id string) bool {
		_, err := s.Session(ctx, id)
		return !errors.Is(err, store.ErrNotFound)
	}
	if err := change.SweepDrafts(filepath.Join(m.options.DataFolder, draftsFolder), time.Now().Add(-outputAge), used); err != nil {
		m.options.Log.Warn("delete drafts that were dropped long ago", "error", err)
	}
	if err := workspace.SweepOutputs(m.options.OutputsFolder, time.Now().Add(-outputAge), used); err != nil {
		m.options.Log.Warn("sweep outputs", "error", err)
	}
	if err := workspace.SweepOutputs(filepath.Join(m.options.DataFolder, changesFolder), time.Now().Add(-outputAge), used); err != nil {
		m.options.Log.Warn("sweep what was changed", "error", err)
	}
}
