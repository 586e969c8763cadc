package session

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store"
	"fairlead/backend/workspace"
)

// Fork begins a conversation with what a saved one held before a run of it (SPEC FIND-02). It works
// on the folder as that is now. A *message.Refusal says that there is no such run.
func (m *Manager) Fork(ctx context.Context, id, runID string) (Saved, error) {
	s, saved, run, err := m.findFork(ctx, id, runID)
	if err != nil {
		return Saved{}, err
	}
	return m.addFork(ctx, s, saved, run.ID)
}

// ForkAfter begins a conversation with what a saved one held after a run of it. It works on the folder as that is
// now. A *message.Refusal says that there is no such run, or that it has not ended.
func (m *Manager) ForkAfter(ctx context.Context, id, runID string) (Saved, error) {
	s, saved, run, err := m.findFork(ctx, id, runID)
	if err != nil {
		return Saved{}, err
	}
	if run.EndedAt.IsZero() {
		return Saved{}, &message.Refusal{Code: message.Busy, Message: "the task has not ended; stop it or wait for its end first"}
	}
	runs, err := s.Runs(ctx, id)
	if err != nil {
		return Saved{}, err
	}
	before := ""
	if at := slices.IndexFunc(runs, func(r SavedRun) bool { return r.ID == runID }); at+1 < len(runs) {
		before = runs[at+1].ID
	}
	return m.addFork(ctx, s, saved, before)
}

// addFork saves a fork that begins before a run of a conversation, or with all of it where none is named.
func (m *Manager) addFork(ctx context.Context, s *store.Store, saved Saved, before string) (Saved, error) {
	id := m.options.NewID()
	if err := m.saveFork(ctx, s, saved, before, id, message.Notice{Code: message.NoticeForked}); err != nil {
		return Saved{}, err
	}
	return s.Session(ctx, id)
}

// Fork begins a conversation with what this one held before a run of it, in a draft in which the folder is
// as it was when that run began, as far as what was changed since is known (SPEC PRE-09).
func (c *Changes) Fork(ctx context.Context, runID string) (fork Saved, past *change.Past, err error) {
	m, id := c.manager, c.manager.options.NewID()
	s, saved, run, err := m.findFork(ctx, c.Saved.ID, runID)
	if err != nil {
		return Saved{}, nil, err
	}
	options := c.Options
	options.SessionID, options.Drafts = id, m.DraftsOf(id)
	draft, past, err := c.BeginDraftAt(ctx, change.NewRecorder(options), run.ID, run.StartedAt, c.ignored())
	if err != nil {
		return Saved{}, nil, err
	}
	made := false // the conversation is there, and with it the draft
	defer func() {
		if !made {
			err = errors.Join(err, change.RemoveDrafts(options.Drafts))
		}
	}()
	if !past.HasDraft {
		if past.InDraft, err = m.inDraft(ctx, run); past.InDraft > 0 {
			err = errors.Join(err, draft.SetPast(past), draft.Sync())
		}
	}
	if err = errors.Join(err, draft.Close()); err != nil {
		return Saved{}, nil, err
	}
	var paths []string // what git ignores is not the model's
	for _, missing := range past.Missing {
		paths = append(paths, workspace.Shown(string(missing.Path)))
	}
	if err = m.saveFork(ctx, s, saved, run.ID, id, noticeOf(message.NoticeForkedDraft, paths, past.More)); err != nil {
		return Saved{}, nil, err
	}
	made = true
	fork, err = s.Session(ctx, id)
	return fork, past, err
}

// findFork finds a saved conversation and a run of it.
func (m *Manager) findFork(ctx context.Context, id, runID string) (*store.Store, Saved, SavedRun, error) {
	saved, err := m.Find(ctx, id, "")
	if err != nil {
		return nil, Saved{}, SavedRun{}, err
	}
	s, err := m.tidiedStore(ctx)
	if err != nil {
		return nil, Saved{}, SavedRun{}, err
	}
	runs, err := s.Runs(ctx, id)
	if err != nil {
		return nil, Saved{}, SavedRun{}, err
	}
	at := slices.IndexFunc(runs, func(r SavedRun) bool { return r.ID == runID })
	if at < 0 {
		return nil, Saved{}, SavedRun{}, &message.Refusal{
			Code: message.NotFound, Message: fmt.Sprintf("conversation %s has no run %q", id, runID),
		}
	}
	return s, saved, runs[at], nil
}

// saveFork saves a fork, whose first run tells of the notice.
func (m *Manager) saveFork(ctx context.Context, s *store.Store, saved Saved, before, id string, notice message.Notice) error {
	titles, err := s.Titles(ctx, saved.Workspace)
	if err != nil {
		return err
	}
	title := forkTitle(saved.Title, func(title string) bool { return slices.Contains(titles, title) })
	fork := Saved{ID: id, Parent: saved.ID, Title: title, Notices: []message.Notice{notice}}
	return s.Fork(ctx, fork, before, time.Now())
}

// inDraft counts what was changed in the draft of a conversation when a run of it began there.
func (m *Manager) inDraft(ctx context.Context, run SavedRun) (int, error) {
	for e, err := range m.EachEvent(ctx, run, 0) {
		opened, ok := e.Data.(event.DraftOpened)
		if err != nil || ok || e.Type != event.TypeLifecycleStart { // it comes right after that
			return opened.Counts.Paths, err
		}
	}
	return 0, nil
}

// numbered is a title that a fork was given.
var numbered = regexp.MustCompile(`^(.*) \((\d+)\)$`)

// forkTitle is the title of a fork: that of its parent with the first number that no other
// conversation has.
func forkTitle(title string, taken func(string) bool) string {
	n := 2
	if parts := numbered.FindStringSubmatch(title); parts != nil {
		if last, err := strconv.Atoi(parts[2]); err == nil && last > 1 {
			title, n = parts[1], last+1
		}
	}
	for ; ; n++ {
		if next := fmt.Sprintf("%s (%d)", title, n); !taken(next) {
			return next
		}
	}
}
