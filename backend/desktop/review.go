package desktop

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"fairlead/backend/change"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// Review is what a run changed in its folder.
type Review struct {
	Rows []ReviewRow `json:"rows"`
	// Aside is what commands have changed in copies of the folder and nobody has decided about.
	Aside []AsideView `json:"aside"`
}

// ReviewRow is a path that a run changed.
type ReviewRow struct {
	// ID names the row among those of its run.
	ID string `json:"id"`
	// Path is relative to the workspace, with slashes; From is where it was moved from.
	Path string `json:"path"`
	From string `json:"from,omitempty"`
	// Op is one of change.Op, and Kind what lies there, or lay there: file, folder, link or
	// other.
	Op   string `json:"op"`
	Kind string `json:"kind"`
	// State is one of change.Fate, and Lost one of change.Loss, or empty.
	State string `json:"state"`
	Lost  string `json:"lost,omitempty"`
	// Added and Removed count lines.
	Added   int `json:"added"`
	Removed int `json:"removed"`
	// Calls are those that changed it, in order.
	Calls []string `json:"calls"`
	// Command reports whether a command changed it, and During whether somebody else may have
	// while one ran.
	Command bool `json:"command,omitempty"`
	During  bool `json:"during,omitempty"`
	// Unit is the repository or the database that it is part of.
	Unit string `json:"unit,omitempty"`
	// Before and After are what lay there, in short.
	Before ReviewSide `json:"before"`
	After  ReviewSide `json:"after"`
}

// ReviewSide is what lay at a path.
type ReviewSide struct {
	// Mode is the permissions, in octal digits; empty for nothing.
	Mode string `json:"mode,omitempty"`
	// Size is that of a file, in bytes.
	Size int64 `json:"size,omitempty"`
	// Target is where a link leads.
	Target string `json:"target,omitempty"`
}

// ReviewText is how the text at a path changed.
type ReviewText struct {
	// Text reports whether it is known and a text; Diff is how it changed then.
	Text bool   `json:"text"`
	Diff string `json:"diff"`
	// Hunks reports whether parts of it can be taken back by themselves, and Taken are the
	// headers of those that were.
	Hunks bool     `json:"hunks"`
	Taken []string `json:"taken"`
}

// readReview reads what a run changed.
func (w *Window) readReview(request *http.Request) (any, error) {
	review := Review{Rows: []ReviewRow{}, Aside: []AsideView{}}
	err := w.readChanges(request, func(r *change.Recorder) error {
		if err := review.addAside(request.Context(), r, request.PathValue("run")); err != nil {
			w.log.Warn("read what is set aside", "error", err) // the rest can be looked at
		}
		rows, err := r.Review(request.Context(), request.PathValue("run"))
		for i := range rows {
			review.Rows = append(review.Rows, reviewRow(&rows[i]))
		}
		return err
	})
	return review, err
}

func reviewRow(row *change.Row) ReviewRow {
	first := row.Parts[0]
	shown := ReviewRow{
		ID: rowID(first), Path: workspace.Shown(string(row.Path)), From: workspace.Shown(string(row.From)),
		Op: string(row.Op), Kind: string(row.After.Kind), State: string(row.Fate), Lost: string(row.Lost),
		Added: row.Added, Removed: row.Removed, Unit: workspace.Shown(string(row.Unit)),
		Before: reviewSide(row.Before), After: reviewSide(row.After),
	}
	if row.After.Kind == change.None {
		shown.Kind = string(row.Before.Kind)
	}
	for _, p := range row.Parts {
		if !slices.Contains(shown.Calls, p.Set.CallID) {
			shown.Calls = append(shown.Calls, p.Set.CallID)
		}
		if p.Set.Source == change.ByCommand {
			shown.Command, shown.During = true, p.Set.MayBeOthers()
		}
	}
	return shown
}

// rowID names a row by its first change.
func rowID(p change.Part) string { return fmt.Sprintf("%s/%d", p.Set.ID, p.Index) }

func reviewSide(s change.State) ReviewSide {
	side := ReviewSide{Size: s.Size, Target: workspace.Shown(string(s.Target))}
	if s.Kind == change.File || s.Kind == change.Folder {
		side.Mode = fmt.Sprintf("%o", s.Mode.Perm())
	}
	return side
}

// readReviewText reads how the text at a path changed.
func (w *Window) readReviewText(request *http.Request) (any, error) {
	index, err := strconv.Atoi(request.PathValue("index"))
	if err != nil {
		return nil, errNoRow
	}
	shown := ReviewText{Taken: []string{}}
	err = w.readChanges(request, func(r *change.Recorder) error {
		row, sets, err := r.FindRow(request.Context(), request.PathValue("run"), request.PathValue("set"), index)
		if errors.Is(err, change.ErrNoRow) {
			return errNoRow
		}
		if err != nil {
			return err
		}
		before, after, ok, err := r.RowTexts(sets, row)
		if err != nil || !ok {
			return err
		}
		shown.Text, shown.Hunks = true, row.HasHunks()
		shown.Diff = diffOf(change.Change{Path: row.Path, Before: row.Before, After: row.After}, before, after)
		shown.Taken = append(shown.Taken, row.Taken...)
		return nil
	})
	return shown, err
}

// readChangeText reads how the text at a path changed in one change set.
func (w *Window) readChangeText(request *http.Request) (any, error) {
	shown := ReviewText{Taken: []string{}}
	err := w.readChanges(request, func(r *change.Recorder) error {
		sets, err := r.Journal.Sets(request.Context(), r.SessionID)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(sets, func(s change.Set) bool { return s.ID == request.PathValue("set") })
		if at < 0 {
			return errNoRow
		}
		local := request.URL.Query().Get("path")
		index := slices.IndexFunc(sets[at].Changes, func(c change.Change) bool { return workspace.Shown(string(c.Path)) == local })
		if index < 0 {
			return errNoRow
		}
		before, after, ok, err := r.Texts(sets, &sets[at], index)
		if err == nil && ok {
			shown.Text, shown.Diff = true, diffOf(sets[at].Changes[index], before, after)
		}
		return err
	})
	return shown, err
}

// diffOf is the diff between the two texts of a change.
func diffOf(c change.Change, before, after []byte) string {
	from, to := string(c.Path), string(c.Path)
	if c.Before.Kind == change.None {
		from = ""
	}
	if c.After.Kind == change.None {
		to = ""
	}
	diff, _, _ := change.UnifiedDiff(from, to, before, after)
	return diff
}

// errNoRow refuses what names no row of a review.
var errNoRow = &message.Refusal{Code: message.NotFound, Message: "the run has changed no such path"}

// readChanges reads what a conversation has changed, by one of its runs: nothing of a run that is
// gone, as when the guided tour was left the moment before.
func (w *Window) readChanges(request *http.Request, read func(*change.Recorder) error) (err error) {
	ctx := request.Context()
	id, err := w.sessionOf(ctx, request.PathValue("run"))
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if open := w.conversations.useOpen(id); open != nil {
		defer w.endUse(open, false)
		return w.readWhere(ctx, request.PathValue("run"), open.Changes(), open.DraftChanges(), read)
	}
	saved, err := w.backend.Sessions.Find(ctx, id, "")
	if isMissing(err) { // deleted, but not yet for good
		return nil
	}
	if err != nil {
		return err
	}
	r, closeAll, err := w.backend.ReadChanges(saved)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	return w.readWhere(ctx, request.PathValue("run"), r, nil, read)
}

// sessionOf is the conversation of a run.
func (w *Window) sessionOf(ctx context.Context, runID string) (string, error) {
	for _, one := range w.conversations.listOpen() {
		if slices.ContainsFunc(one.KeptRuns(), func(run *session.Run) bool { return run.ID == runID }) {
			return one.ID, nil
		}
	}
	saved, err := w.backend.Sessions.FindRun(ctx, runID)
	return saved.SessionID, err
}
