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

// Changes is what a conversation has changed in its folder, for taking that back and making it
// again. Nobody else works on the conversation until Close.
type Changes struct {
	*change.Recorder
	// Saved is the conversation.
	Saved Saved

	manager *Manager
	// held says of changes that are not applied yet why they are risky, and ignored returns what
	// reports whether git ignores a path.
	held    func(context.Context, *change.Pending) (map[int]message.Held, error)
	ignored func() func(local string) bool
	// draft is where runs work in the mode draft; nil where the conversation is not open.
	draft Drafts
	// tell has the next run tell the model.
	tell    func(context.Context, message.Notice) error
	release func() error
}

// Sets lists what a saved conversation has changed in its folder, in order.
func (m *Manager) Sets(ctx context.Context, id string) ([]change.Set, error) {
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	sets, err := s.Sets(ctx, id)
	return slices.DeleteFunc(sets, func(set change.Set) bool { return set.Draft != "" }), err
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
	objects := m.Objects(saved.ID)
	c := &Changes{
		Saved: saved, manager: m, release: func() error { return errors.Join(folder.Close(), objects.Close(), unlock()) },
		tell: func(ctx context.Context, notice message.Notice) error {
			now, err := s.Session(ctx, saved.ID)
			if err != nil {
				return err
			}
			return s.SetNotices(ctx, saved.ID, append(slices.Clip(now.Notices), notice))
		},
	}
	c.Recorder = change.NewRecorder(change.Options{
		Root: folder.Root(), Path: folder.Path(), SessionID: saved.ID, Journal: s, Objects: objects, Leftover: left,
		NewID: m.options.NewID, Log: m.options.Log, Drafts: m.DraftsOf(saved.ID),
	})
	folder.UseChanges(c.Recorder)
	c.held, c.ignored = folder.Held, folder.Ignored
	if err := c.Recover(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// OpenChanges returns what the session has changed. No run begins until it is closed; one that
// is running gives a *message.Refusal.
func (s *Session) OpenChanges() (*Changes, error) {
	s.turn.Lock()
	if err := s.waitForRun(); err != nil {
		s.turn.Unlock()
		return nil, err
	}
	s.mu.Lock()
	saved := s.saved
	s.mu.Unlock()
	return &Changes{
		Recorder: s.config.Changes, Saved: saved, manager: s.manager, held: s.config.Held, ignored: s.config.Ignored, draft: s.config.Drafts, tell: s.tellNext,
		release: func() error { s.turn.Unlock(); return nil },
	}, nil
}

// tellNext has the next run tell the model something, also where that is of another process.
func (s *Session) tellNext(ctx context.Context, notice message.Notice) error {
	s.mu.Lock()
	s.saved.Notices = append(slices.Clip(s.saved.Notices), redactNotices([]message.Notice{notice}, s.config.Redact)...)
	all := s.saved.Notices
	s.mu.Unlock()
	if !s.isKept() {
		return nil
	}
	return s.config.Store.SetNotices(ctx, s.ID, all)
}

// InDraft returns what was changed in the draft of the conversation, by what records that there. Until
// that is closed, by a function, nothing else is done with the conversation.
func (c *Changes) InDraft(recorder *change.Recorder, closeDraft func() error) *Changes {
	in := *c
	in.Recorder, in.release = recorder, closeDraft
	return &in
}

// MountedDraft is InDraft for a draft that is mounted, because something runs in it; nil where it is not.
func (c *Changes) MountedDraft() *Changes {
	if c.draft == nil {
		return nil
	}
	recorder := c.draft.Changes()
	if recorder == nil {
		return nil
	}
	return c.InDraft(recorder, func() error { return nil })
}

// Close gives the conversation back.
func (c *Changes) Close() error { return c.release() }

// namedPaths is how many paths the model is told by name.
const namedPaths = 20

// CarryOut does what a plan says, and has the next run of the conversation tell the model
// (SPEC CHG-05). The events say what was done.
func (c *Changes) CarryOut(ctx context.Context, plan change.Plan) (change.Done, []event.Data, error) {
	done, err := c.Recorder.CarryOut(ctx, plan)
	if len(done.Sets) == 0 {
		return done, nil, err
	}
	code := message.NoticeUndone
	if plan.Redo {
		code = message.NoticeRedone
	}
	var paths []string
	for _, path := range done.Paths() {
		paths = append(paths, workspace.Shown(string(path)))
	}
	return done, eventsOf(plan.Redo, done.Sets), errors.Join(err, c.tell(ctx, noticeOf(code, paths, 0)))
}

// noticeOf tells the model of paths, the first ones by name, and of some more that are not listed.
func noticeOf(code message.NoticeCode, paths []string, more int) message.Notice {
	named := paths[:min(len(paths), namedPaths)]
	return message.Notice{Code: code, Data: message.NoticeData{Paths: named, Count: len(paths) - len(named) + more}}
}

// ChooseHunks has hunks of what a run changed at a path taken back, and the others be there,
// and has the next run tell the model. The event says what was done; it is nil where all was
// as chosen.
func (c *Changes) ChooseHunks(ctx context.Context, runID string, choice change.HunkChoice) (event.Data, error) {
	set, err := c.Recorder.ChooseHunks(ctx, runID, choice)
	if set == nil || len(set.Changes) == 0 {
		return nil, err
	}
	notice := message.Notice{Code: message.NoticePartly}
	notice.Data.Paths = []string{workspace.Shown(string(set.Changes[0].Path))}
	return eventsOf(false, []change.Set{*set})[0], errors.Join(err, c.tell(ctx, notice))
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
