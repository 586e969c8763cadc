package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"fairlead/backend/approve"
	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// Drafts are where the runs of a conversation work in the mode draft: in a copy of the workspace
// that lasts until it is decided about (SPEC PRE-06).
type Drafts interface {
	// Enter has the tools of the run that begins work in the draft of the conversation, which
	// begins now where there is none. A *message.Refusal says why there can be none.
	Enter(ctx context.Context, runID string) (event.DraftState, error)
	// Leave ends that, and returns what is in the draft. What runs there in the background goes on.
	Leave(ctx context.Context) (event.DraftState, error)
	// Stop ends all that runs in the draft, so that it can be decided about.
	Stop() error
	// Changes returns what records the changes in the draft while it is mounted; nil while it is not.
	Changes() *change.Recorder
}

// draftsFolder is where drafts are kept in the data folder, in a folder for each conversation.
const draftsFolder = "drafts"

// DraftsOf is the folder of a conversation's drafts.
func (m *Manager) DraftsOf(id string) string {
	return filepath.Join(m.options.DataFolder, draftsFolder, id)
}

// ListDrafts lists the drafts of all conversations, dropped ones that can be taken back too.
func (m *Manager) ListDrafts(ctx context.Context) ([]change.DraftNote, error) {
	all, err := change.ListDrafts(filepath.Join(m.options.DataFolder, draftsFolder))
	if err != nil || len(all) == 0 {
		return nil, err
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, err
	}
	// A process that was killed before it saved the conversation has left one with nothing in it.
	return slices.DeleteFunc(all, func(note change.DraftNote) bool {
		_, err := s.Session(ctx, note.SessionID)
		return errors.Is(err, store.ErrNotFound)
	}), nil
}

// HaveDrafts returns the conversations that have an open draft, by their ids.
func (m *Manager) HaveDrafts() (map[string]bool, error) {
	all, err := change.ListDrafts(filepath.Join(m.options.DataFolder, draftsFolder))
	have := map[string]bool{}
	for _, note := range all {
		if note.Dropped.IsZero() {
			have[note.SessionID] = true
		}
	}
	return have, err
}

// refuseDraft refuses to delete a conversation that has a draft, with a *message.Refusal.
func (m *Manager) refuseDraft(id string) error {
	open, err := change.OpenDraftOf(m.DraftsOf(id))
	if err == nil && open != "" {
		err = &message.Refusal{
			Code: message.InvalidState, Message: fmt.Sprintf("conversation %s has a draft; apply it or drop it first", id),
		}
	}
	return err
}

// errUnsavedDraft refuses a draft that nothing could find again.
var errUnsavedDraft = &message.Refusal{
	Code: message.InvalidState, Message: "a conversation that is not saved can have no draft; save it, or choose another mode than draft",
}

// enterDraft has a run that begins work in a draft, if that is the mode, and returns what
// publishes its events then: what is in the draft comes right after the first and right before
// the last one. leave is called when the run has ended, or did not begin.
func (s *Session) enterDraft(ctx context.Context, run *Run) (publish func(event.Data), leave func(), err error) {
	publish, leave = run.Events.Publish, func() {}
	s.mu.Lock()
	mode, drafts, saved := s.config.Approve, s.config.Drafts, s.config.Store != nil
	s.mu.Unlock()
	if mode != approve.Draft {
		return publish, leave, nil
	}
	if drafts == nil || !saved {
		return nil, nil, errUnsavedDraft
	}
	opened, err := drafts.Enter(ctx, run.ID)
	if err != nil {
		return nil, nil, err
	}
	left := false
	leaveOnce := func() (event.DraftState, bool) {
		if left {
			return event.DraftState{}, false
		}
		left = true
		now, err := drafts.Leave(context.WithoutCancel(ctx))
		if err != nil {
			s.config.Log.Warn("leave the draft", "run", run.ID, "error", err)
		}
		return now, err == nil
	}
	publish = func(data event.Data) {
		switch data.(type) {
		case event.LifecycleEnd, event.LifecycleError:
			if now, ok := leaveOnce(); ok {
				run.Events.Publish(event.DraftChanged(now))
			}
		}
		run.Events.Publish(data)
		if _, begins := data.(event.LifecycleStart); begins {
			run.Events.Publish(event.DraftOpened(opened))
		}
	}
	return publish, func() { leaveOnce() }, nil
}

// Draft is a draft with what is changed in it, compared with the folder as it is now.
type Draft struct {
	*change.Draft
	*change.Pending
	// Held says of changes, by their index, why they are risky, or what is in their way.
	Held map[int]message.Held
}

// IsHeld reports whether a change is applied only where the user has chosen it: it is risky, or
// something is in its way.
func (d *Draft) IsHeld(index int) bool {
	_, held := d.Held[index]
	return held
}

// State sums up what is in the draft.
func (d *Draft) State() event.DraftState {
	state := event.DraftState{DraftID: d.Draft.ID}
	for i, c := range d.Changes {
		state.Counts.Paths++
		if c.After.Kind == change.None {
			state.Counts.Deleted++
		}
		if _, ok := d.Collisions[i]; ok {
			state.Conflicts++
		}
	}
	return state
}

// ReviewDraft reads the draft of the conversation; a *message.Refusal with NOT_FOUND says that
// there is none. What runs in the draft is ended: nothing changes in it until it is decided about.
// The caller closes it.
func (c *Changes) ReviewDraft(ctx context.Context) (*Draft, error) {
	if c.draft != nil {
		if err := c.draft.Stop(); err != nil {
			return nil, fmt.Errorf("end what runs in the draft: %w", err)
		}
	}
	d, err := ReadDraft(ctx, c.Recorder, c.held)
	if d == nil && err == nil {
		err = ErrNoDraft
	}
	return d, err
}

// ErrNoDraft is the refusal of what is to be done with the draft of a conversation that has none.
var ErrNoDraft = &message.Refusal{Code: message.NotFound, Message: "the conversation has no draft: it was applied or dropped already"}

// ReadDraft reads the draft of a conversation, which can change meanwhile; nil where it has none.
// held says of its changes why they are risky. The caller closes it.
func ReadDraft(
	ctx context.Context, r *change.Recorder, held func(context.Context, *change.Pending) (map[int]message.Held, error),
) (*Draft, error) {
	draft, err := r.FindDraft()
	if draft == nil || err != nil {
		return nil, err
	}
	d := &Draft{Draft: draft}
	if d.Pending, err = r.ReadDraft(ctx, draft); err == nil {
		d.Held, err = held(ctx, d.Pending)
	}
	if err != nil {
		return nil, errors.Join(err, draft.Close())
	}
	return d, nil
}

// ApplyDraft makes chosen changes of a draft in the folder, by their index, and has the next run
// of the conversation tell the model. The draft is closed. The events say what was done, and missed
// counts what was chosen and stays in the draft, because somebody has changed it since it was read.
func (c *Changes) ApplyDraft(
	ctx context.Context, d *Draft, chosen func(index int) bool,
) (events []event.Data, missed int, err error) {
	set, left, err := c.Recorder.ApplyDraft(ctx, d.Draft, d.Pending, chosen)
	if left == nil || len(left.Changes) > 0 {
		err = errors.Join(err, d.Close())
	}
	state := event.DraftState{DraftID: d.Draft.ID}
	if left != nil {
		state = (&Draft{Draft: d.Draft, Pending: left}).State()
		missed = d.countChosen(left, chosen)
	}
	if set == nil {
		return nil, missed, err
	}
	changed := workspace.ChangesOf(set)
	done := event.JournalRedone{SetID: set.ID, RunID: set.RunID, CallID: set.CallID, Paths: changed}
	return []event.Data{event.DraftApplied(state), done}, missed, errors.Join(err, c.tellOf(ctx, message.NoticeDraftApplied, changed))
}

// Choose returns which changes of a draft are chosen, by their index: without paths all that are not
// held.
func (c *Changes) Choose(d *Draft, chosen message.Chosen) (func(index int) bool, error) {
	wanted := map[int]bool{}
	for i, one := range d.Changes {
		path := workspace.Shown(string(one.Path))
		if chosen.Paths == nil && d.IsHeld(i) || chosen.Paths != nil && !slices.Contains(chosen.Paths, path) {
			continue
		}
		wanted[i] = true
		if without := chosen.WithoutHunks[path]; len(without) > 0 {
			left, err := c.LeaveOut(d.Pending, i, without)
			if err != nil {
				return nil, fmt.Errorf("leave parts of %s out: %w", path, err)
			}
			wanted[i] = left
		}
	}
	return func(i int) bool { return wanted[i] }, nil
}

// countChosen counts what is chosen of a draft and is still in it.
func (d *Draft) countChosen(left *change.Pending, chosen func(index int) bool) int {
	wanted, count := map[leftover.Path]bool{}, 0
	for i, one := range d.Changes {
		if chosen(i) {
			wanted[one.Path] = true
		}
	}
	for _, one := range left.Changes {
		if wanted[one.Path] {
			count++
		}
	}
	return count
}

// DropDraft drops a draft, which can be taken back for a while, and has the next run of the
// conversation tell the model. The event says so.
func (c *Changes) DropDraft(ctx context.Context, d *Draft) (event.Data, error) {
	var gone []message.Change
	for _, one := range d.Changes {
		gone = append(gone, workspace.ChangeOf(one))
	}
	state := d.State()
	if err := c.Recorder.DropDraft(d.Draft); err != nil {
		return nil, err
	}
	return event.DraftDropped(state), c.tellOf(ctx, message.NoticeDraftDropped, gone)
}
