package desktop

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// Changes is bound to the page: it takes back what conversations changed in their folders, and
// makes it again.
type Changes struct{ window *Window }

// UndoTask is what is to be taken back, or made again.
type UndoTask struct {
	// RunID is the run whose changes are meant. With CallID only those of a call are, with Row
	// only those of a row of its review, and with Since those of all later runs too.
	RunID  string `json:"runId"`
	CallID string `json:"callId,omitempty"`
	Row    string `json:"row,omitempty"`
	Since  bool   `json:"since,omitempty"`
	// Redo makes again what was taken back.
	Redo bool `json:"redo,omitempty"`
	// Choices are what the user wants of conflicts, one of change.Choice by the id of a step.
	Choices map[string]string `json:"choices,omitempty"`
}

// UndoPlan is what taking back would do, path by path.
type UndoPlan struct {
	Steps []UndoStep `json:"steps"`
}

// UndoStep is what would become of a path.
type UndoStep struct {
	// ID names the step; a choice of the user has it.
	ID   string `json:"id"`
	Path string `json:"path"`
	// Verdict is one of change.Verdict, and Lost one of change.Loss, or empty.
	Verdict string `json:"verdict"`
	Lost    string `json:"lost,omitempty"`
	// Becomes is what happens to the path: returns, goes or changes.
	Becomes string `json:"becomes"`
	// During reports whether somebody else may have changed it while a command ran.
	During bool `json:"during,omitempty"`
	// Unit is the repository or database that it is part of.
	Unit string `json:"unit,omitempty"`
	// Choices are what the user can choose of a conflict, each one of change.Choice.
	Choices []string `json:"choices"`
}

// Undone is what was done.
type Undone struct {
	// Paths counts those that were changed, and Kept those that stayed as they are.
	Paths int `json:"paths"`
	Kept  int `json:"kept"`
}

// Undo takes back, or makes again, as far as nothing else was made of it meanwhile.
func (c *Changes) Undo(task UndoTask) (Undone, error) {
	return Guard(c.window, func() (Undone, error) {
		w := c.window
		var undone Undone
		err := w.changeFolder(w.ctx, task.RunID, func(changes *session.Changes) error {
			scope, err := w.undoScope(w.ctx, changes.Recorder, task)
			if err != nil {
				return err
			}
			plan, err := changes.MakePlan(w.ctx, scope, task.Redo)
			if err != nil {
				return err
			}
			done, events, err := changes.CarryOut(w.ctx, plan)
			undone = Undone{Paths: len(done.Paths()), Kept: countPaths(done.Kept)}
			w.announceChanges(events...)
			return err
		})
		return undone, err
	})
}

// ChooseHunks has parts of what a run changed at a path taken back, those that the headers
// name, and the others be there.
func (c *Changes) ChooseHunks(runID, row string, headers []string) (None, error) {
	return Guard(c.window, func() (None, error) {
		w := c.window
		return None{}, w.changeFolder(w.ctx, runID, func(changes *session.Changes) error {
			set, index, ok := splitRow(row)
			if !ok {
				return errNoRow
			}
			done, err := changes.ChooseHunks(w.ctx, runID, change.HunkChoice{Set: set, Index: index, Headers: headers})
			if done != nil {
				w.announceChanges(done)
			}
			switch {
			case errors.Is(err, change.ErrConflict):
				return &Fault{Code: CodeConflict, Message: err.Error(), Hint: "take the whole file back, or edit it"}
			case errors.Is(err, change.ErrNoRow), errors.Is(err, change.ErrNoHunks):
				return &message.Refusal{Code: message.InvalidState, Message: err.Error()}
			}
			return err
		})
	})
}

// readUndo reads what taking back would do.
func (w *Window) readUndo(request *http.Request) (any, error) {
	query := request.URL.Query()
	task := UndoTask{
		RunID: request.PathValue("run"), CallID: query.Get("call"), Row: query.Get("row"),
		Since: query.Has("since"), Redo: query.Has("redo"),
	}
	plan := UndoPlan{Steps: []UndoStep{}}
	err := w.readChanges(request, func(r *change.Recorder) error {
		ctx := request.Context()
		scope, err := w.undoScope(ctx, r, task)
		if err != nil {
			return err
		}
		found, err := r.MakePlan(ctx, scope, task.Redo)
		if err != nil {
			return err
		}
		scope.Choices = found.ChooseAll(change.Merged)
		merged, err := r.MakePlan(ctx, scope, task.Redo)
		plan.Steps = append(plan.Steps, undoSteps(found, merged)...)
		return err
	})
	return plan, err
}

// undoSteps are the steps of a plan, each path once; merged is the plan with all merged that
// can be.
func undoSteps(plan, merged change.Plan) []UndoStep {
	var steps []UndoStep
	at, unmerged := map[string]int{}, map[string]bool{}
	for _, s := range merged.Steps {
		unmerged[string(s.Path())] = unmerged[string(s.Path())] || s.Verdict == change.Conflict
	}
	for _, s := range plan.Steps {
		known, ok := at[string(s.Path())]
		if !ok {
			known = len(steps)
			at[string(s.Path())] = known
			steps = append(steps, UndoStep{
				ID: rowID(change.Part{Set: s.Set, Index: s.Index}), Path: workspace.Shown(string(s.Path())),
				Verdict: string(change.Nothing), Unit: workspace.Shown(string(s.Unit)), Choices: []string{},
			})
		}
		step := &steps[known]
		step.During = step.During || s.Meanwhile && s.Verdict != change.Nothing
		if isWorse(s.Verdict, change.Verdict(step.Verdict)) {
			step.Verdict, step.Lost = string(s.Verdict), string(s.Lost)
			step.Choices = choicesOf(s, !unmerged[string(s.Path())])
		}
		if s.Verdict != change.Nothing || step.Becomes == "" {
			step.Becomes = becomes(s)
		}
	}
	return slices.DeleteFunc(steps, func(s UndoStep) bool { return s.Verdict == string(change.Nothing) })
}

// isWorse reports whether a verdict counts more than another one of the same path.
func isWorse(a, b change.Verdict) bool {
	order := []change.Verdict{change.Nothing, change.Restore, change.Beside, change.Impossible, change.Conflict}
	return slices.Index(order, a) > slices.Index(order, b)
}

// choicesOf are what the user can choose of a conflict.
func choicesOf(s change.Step, merges bool) []string {
	choices := []string{}
	for _, choice := range []change.Choice{change.Merged, change.Mine, change.Overwrite, change.Both} {
		if s.Verdict == change.Conflict && s.CanChoose(choice) && (choice != change.Merged || merges) {
			choices = append(choices, string(choice))
		}
	}
	return choices
}

// becomes is what a step does to its path.
func becomes(s change.Step) string {
	switch {
	case s.After.Kind == change.None:
		return "goes"
	case s.Before.Kind == change.None:
		return "returns"
	}
	return "changes"
}

func countPaths(steps []change.Step) int {
	paths := map[string]bool{}
	for _, s := range steps {
		paths[string(s.Path())] = true
	}
	return len(paths)
}

// undoScope is what a task is about.
func (w *Window) undoScope(ctx context.Context, r *change.Recorder, task UndoTask) (change.Scope, error) {
	scope := change.Scope{Runs: []string{task.RunID}}
	if task.CallID != "" {
		scope.Calls = []string{task.CallID}
	}
	sets, err := r.Sets(ctx)
	if err != nil {
		return scope, err
	}
	if task.Row != "" {
		c, ok := changeOfRow(sets, task.Row)
		if !ok {
			return scope, errNoRow
		}
		scope.Paths = []string{string(c.Path)}
	}
	if task.Since {
		later, err := w.laterRuns(ctx, r.SessionID, task.RunID, sets)
		if err != nil {
			return scope, err
		}
		scope.Runs = append(scope.Runs, later...)
	}
	for id, choice := range task.Choices {
		c, ok := changeOfRow(sets, id)
		if !ok {
			return scope, errNoRow
		}
		scope.Choose(c, change.Choice(choice))
	}
	return scope, nil
}

// laterRuns are the runs of a conversation that follow one of them. Of a conversation that is
// not saved they are those whose calls first changed something after that one's did: what the
// user took back or chose since is of earlier runs too.
func (w *Window) laterRuns(ctx context.Context, sessionID, runID string, sets []change.Set) ([]string, error) {
	runs, err := w.backend.Sessions.Runs(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	var order []string
	for _, run := range runs {
		order = append(order, run.ID)
	}
	for _, set := range sets {
		if (set.Source == change.ByTool || set.Source == change.ByCommand) && !slices.Contains(order, set.RunID) {
			order = append(order, set.RunID)
		}
	}
	at := slices.Index(order, runID)
	if at < 0 {
		return nil, nil // it changed nothing
	}
	return order[at+1:], nil
}

// changeOfRow is the change that an id names.
func changeOfRow(sets []change.Set, id string) (change.Change, bool) {
	set, index, ok := splitRow(id)
	at := slices.IndexFunc(sets, func(s change.Set) bool { return s.ID == set })
	if !ok || at < 0 || index >= len(sets[at].Changes) {
		return change.Change{}, false
	}
	return sets[at].Changes[index], true
}

func splitRow(id string) (set string, index int, ok bool) {
	set, number, _ := strings.Cut(id, "/")
	index, err := strconv.Atoi(number)
	return set, index, err == nil && index >= 0
}

// changeFolder does something to what a conversation has changed, by one of its runs, in the folder or in the
// draft, while no run of it is running.
func (w *Window) changeFolder(ctx context.Context, runID string, do func(*session.Changes) error) (err error) {
	if err := w.conversations.beginCall(); err != nil {
		return err
	}
	defer w.conversations.endCall()
	id, err := w.sessionOf(ctx, runID)
	if err != nil {
		return err
	}
	return w.changeReserved(ctx, id, func(changes *session.Changes) error {
		in, err := workedInDraft(ctx, changes.Recorder, runID)
		if err != nil {
			return err
		}
		if !in {
			return do(changes)
		}
		draft, err := w.backend.OpenDraftChanges(changes)
		if err != nil {
			return err
		}
		return errors.Join(do(draft), draft.Close())
	})
}

// workedInDraft reports whether a run changed something in the draft that its conversation has now: then it
// is taken back there.
func workedInDraft(ctx context.Context, r *change.Recorder, runID string) (bool, error) {
	draft, err := change.OpenDraftOf(r.Drafts)
	if draft == "" || err != nil {
		return false, err
	}
	sets, err := r.Journal.Sets(ctx, r.SessionID)
	return slices.ContainsFunc(sets, func(s change.Set) bool { return s.RunID == runID && s.Draft == draft }), err
}

// readWhere reads what a run has changed, in the folder or in the draft, which is mounted for that unless it
// is already.
func (w *Window) readWhere(
	ctx context.Context, runID string, folder, draft *change.Recorder, read func(*change.Recorder) error,
) error {
	in, err := workedInDraft(ctx, folder, runID)
	switch {
	case err != nil:
		return err
	case !in:
		return read(folder)
	case draft != nil:
		return read(draft)
	}
	return w.changeFolder(ctx, runID, func(changes *session.Changes) error { return read(changes.Recorder) })
}

// changeSession does something to what a conversation has changed in its folder, while no run of it is
// running.
func (w *Window) changeSession(ctx context.Context, id string, do func(*session.Changes) error) error {
	if err := w.conversations.beginCall(); err != nil {
		return err
	}
	defer w.conversations.endCall()
	return w.changeReserved(ctx, id, do)
}

func (w *Window) changeReserved(ctx context.Context, id string, do func(*session.Changes) error) (err error) {
	var changes *session.Changes
	if open := w.conversations.useOrReserve(id); open != nil {
		defer w.endUse(open, false)
		changes, err = open.OpenChanges()
	} else {
		defer w.conversations.endReservation(id, nil)
		var saved session.Saved
		if saved, err = w.backend.Sessions.Find(ctx, id, ""); err == nil {
			changes, err = w.backend.OpenChanges(ctx, saved)
		}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, changes.Close()) }()
	return do(changes)
}

// announceChanges tells every page that something was taken back or made again. What was is
// read.
func (w *Window) announceChanges(events ...event.Data) {
	for _, data := range events {
		switch d := data.(type) {
		case event.JournalUndone:
			d.Paths = []message.Change{}
			data = d
		case event.JournalRedone:
			d.Paths = []message.Change{}
			data = d
		case event.ChangesResult:
			d.Paths = nil
			data = d
		}
		w.emitter.announce(data)
	}
}
