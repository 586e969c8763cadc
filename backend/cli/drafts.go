package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fairlead/backend"
	"fairlead/backend/change"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/workspace"
)

// draftsCommand lists drafts, shows one, and decides about it.
type draftsCommand struct {
	List    listDrafts   `cmd:"" default:"withargs" help:"List the drafts, the oldest first."`
	Show    showDraft    `cmd:"" help:"Show what is changed in a draft, and what is in the way of it."`
	Apply   applyDraft   `cmd:"" help:"Make the changes of a draft in its folder, but for what is held: name that with --path."`
	Drop    dropDraft    `cmd:"" help:"Drop a draft; for 30 days it can be taken back."`
	Restore restoreDraft `cmd:"" help:"Take a draft back that was dropped."`

	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// chosenDraft names a draft.
type chosenDraft struct {
	ID string `arg:"" optional:"" help:"The draft's id; without it, the one that was begun last."`
}

// find finds a draft.
func (c chosenDraft) find(ctx context.Context, b *backend.Backend, dropped bool) (change.DraftNote, error) {
	all, err := b.Sessions.ListDrafts(ctx)
	if err != nil {
		return change.DraftNote{}, err
	}
	for _, note := range slices.Backward(all) {
		if note.Dropped.IsZero() != dropped && (c.ID == "" || c.ID == note.ID) {
			return note, nil
		}
	}
	text := "there is no draft"
	if c.ID != "" {
		text += fmt.Sprintf(" %q", c.ID)
	}
	return change.DraftNote{}, &message.Refusal{Code: message.NotFound, Message: text + "; fairlead drafts lists them"}
}

// open opens what the conversation of a draft has changed, which nobody may work on meanwhile.
func (c chosenDraft) open(with *surroundings, dropped bool, do func(context.Context, *session.Changes, change.DraftNote) error) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) (err error) {
		note, err := c.find(ctx, b, dropped)
		if err != nil {
			return err
		}
		saved, err := b.Sessions.Find(ctx, note.SessionID, "")
		if err != nil {
			return err
		}
		changes, err := b.OpenChanges(ctx, saved)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, changes.Close()) }()
		return do(ctx, changes, note)
	})
}

// review opens what is in a draft.
func (c chosenDraft) review(with *surroundings, do func(context.Context, *session.Changes, *session.Draft) error) error {
	return c.open(with, false, func(ctx context.Context, changes *session.Changes, _ change.DraftNote) error {
		draft, err := changes.ReviewDraft(ctx)
		if err != nil {
			return err
		}
		return do(ctx, changes, draft)
	})
}

type listDrafts struct {
	Output string `default:"text" enum:"text,json" placeholder:"FORM" help:"text, or json: one list."`
}

// draftLine is a draft as JSON.
type draftLine struct {
	ID        string    `json:"id"`
	SessionID string    `json:"sessionId"`
	Workspace string    `json:"workspace"`
	Title     string    `json:"title"`
	Began     time.Time `json:"began"`
	// Dropped is when it was dropped; absent for one that waits.
	Dropped *time.Time `json:"dropped,omitempty"`
}

// Run lists them.
func (c *listDrafts) Run(with *surroundings) error {
	return toRead(with, func(ctx context.Context, b *backend.Backend) error {
		all, err := b.Sessions.ListDrafts(ctx)
		if err != nil {
			return err
		}
		lines := []draftLine{}
		for _, note := range all {
			line := draftLine{ID: note.ID, SessionID: note.SessionID, Began: note.Began}
			saved, err := b.Sessions.Find(ctx, note.SessionID, "")
			if err != nil {
				return err
			}
			line.Workspace, line.Title = saved.Workspace, saved.Title
			if !note.Dropped.IsZero() {
				line.Dropped = &note.Dropped
			}
			lines = append(lines, line)
		}
		if c.Output == "json" {
			return writeJSON(with.streams.Out, lines)
		}
		return writeDrafts(with.streams, lines)
	})
}

func writeDrafts(streams Streams, lines []draftLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(streams.Err, "There is no draft.")
		return err
	}
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "%s  %s  %s  %s", line.ID, line.Began.Local().Format("2006-01-02 15:04"), line.Workspace, line.Title)
		if line.Dropped != nil {
			text.WriteString("  (dropped " + line.Dropped.Local().Format("2006-01-02 15:04") + ")")
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(streams.Out, message.Visible(text.String()))
	return err
}

type showDraft struct {
	chosenDraft
	Patch bool `xor:"form" help:"Show the lines that changed."`
	JSON  bool `name:"json" xor:"form" help:"Write the changes as JSON."`
}

// Run shows it.
func (c *showDraft) Run(with *surroundings) error {
	return c.review(with, func(_ context.Context, changes *session.Changes, draft *session.Draft) (err error) {
		defer func() { err = errors.Join(err, draft.Close()) }()
		rows := rowsOf(changes, draft)
		if c.JSON {
			return writeJSON(with.streams.Out, rows)
		}
		var text strings.Builder
		for _, row := range pendingLines(rows) {
			text.WriteString(row + "\n")
		}
		if c.Patch {
			for _, row := range rows {
				text.WriteString(row.Diff)
			}
		}
		_, err = io.WriteString(with.streams.Out, message.Visible(text.String()))
		return err
	})
}

// rowsOf are the changes of a draft as they are shown.
func rowsOf(changes *session.Changes, draft *session.Draft) []message.PendingChange {
	rows, _, _ := workspace.ShowPending(changes.Recorder, draft.Pending, draft.Held, func(int) bool { return true })
	if rows == nil {
		rows = []message.PendingChange{}
	}
	return rows
}

type applyDraft struct {
	chosenDraft
	Paths []string `name:"path" placeholder:"PATH" help:"Only these paths, and what is in these folders, held or not."`
}

// Run applies it.
func (c *applyDraft) Run(with *surroundings) error {
	return c.review(with, func(ctx context.Context, changes *session.Changes, draft *session.Draft) error {
		var paths []string
		for _, path := range c.Paths {
			paths = append(paths, localPath(changes.Saved.Workspace, path))
		}
		chosen := func(i int) bool { return !draft.IsHeld(i) }
		if paths != nil {
			chosen = func(i int) bool { return isAmong(string(draft.Changes[i].Path), paths) }
		}
		left, err := applyChosen(ctx, with.streams.Err, changes, draft, chosen)
		if err == nil && left {
			err = &endedError{exitError}
		}
		return err
	})
}

// isAmong reports whether a path is one of some, or lies in a folder that is.
func isAmong(path string, all []string) bool {
	return slices.ContainsFunc(all, func(one string) bool { return path == one || one == "." || strings.HasPrefix(path, one+"/") })
}

// applyChosen makes chosen changes of a draft in the folder, and says what was done. It reports
// whether something of it is left that is held.
func applyChosen(
	ctx context.Context, out io.Writer, changes *session.Changes, draft *session.Draft, chosen func(int) bool,
) (left bool, err error) {
	id := draft.Draft.ID
	var kept []string
	for i, one := range draft.Changes {
		if !chosen(i) && draft.IsHeld(i) {
			kept = append(kept, "stays in the draft: "+workspace.Shown(string(one.Path))+": "+draft.Held[i].String())
		}
	}
	events, missed, err := changes.ApplyDraft(ctx, draft, chosen)
	made := 0
	for _, data := range events {
		if done, ok := data.(event.JournalRedone); ok {
			made = len(done.Paths)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Applied: %d %s.\n", made, plural(made, "path", "paths"))
	for _, line := range kept {
		text.WriteString(line + "\n")
	}
	if missed > 0 && err == nil {
		fmt.Fprintf(&text, "stays in the draft: %d %s changed meanwhile; look again: fairlead drafts show %s\n", missed, plural(missed, "path that", "paths that"), id)
	}
	if made > 0 {
		fmt.Fprintf(&text, "To take it back: fairlead undo %s\n", changes.Saved.ID)
	}
	_, writeErr := io.WriteString(out, message.Visible(text.String()))
	return len(kept) > 0 || missed > 0, errors.Join(err, writeErr)
}

type dropDraft struct{ chosenDraft }

// Run drops it.
func (c *dropDraft) Run(with *surroundings) error {
	return c.review(with, func(ctx context.Context, changes *session.Changes, draft *session.Draft) error {
		return dropAll(ctx, with.streams.Err, changes, draft)
	})
}

// dropAll drops a draft, and says how it is taken back.
func dropAll(ctx context.Context, out io.Writer, changes *session.Changes, draft *session.Draft) error {
	id := draft.Draft.ID
	if _, err := changes.DropDraft(ctx, draft); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "Dropped. To take it back: fairlead drafts restore %s\n", id)
	return err
}

type restoreDraft struct{ chosenDraft }

// Run takes it back.
func (c *restoreDraft) Run(with *surroundings) error {
	return c.open(with, true, func(_ context.Context, changes *session.Changes, note change.DraftNote) error {
		return changes.RestoreDraft(note.ID)
	})
}

// noteDraft takes from events what a run has left in a draft.
func (w *work) noteDraft(events []event.Event) {
	for _, e := range events {
		if changed, ok := e.Data.(event.DraftChanged); ok {
			w.draft = event.DraftState(changed)
		}
	}
}

// leaveDraft has the user decide about what is in the draft now that the runs have ended, or says
// how that is done.
func (w *work) leaveDraft(conversation *backend.Conversation) error {
	switch {
	case w.draft.Counts.Paths == 0:
		return nil
	case w.user != nil && w.command.Output == "text":
		return w.askAboutDraft(context.Background(), conversation, w.user)
	}
	w.writeLine(draftNote(w.draft))
	return nil
}

// askAboutDraft shows what is in the draft of the conversation, whose run has ended, and has the
// user decide about it, or leave it for later.
func (w *work) askAboutDraft(ctx context.Context, conversation *backend.Conversation, user *terminal) (err error) {
	changes, err := conversation.OpenChanges()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, changes.Close()) }()
	if conversation.DraftRuns() {
		w.writeLine("note: what still runs in the draft is ended, so that nothing changes in it any more")
	}
	draft, err := changes.ReviewDraft(ctx)
	if err != nil {
		return err
	}
	request := event.ConfirmRequest{
		Kind: message.QuestionChanges, CallID: draft.Draft.ID, ToolName: "this task",
		Preview: message.Preview{Effect: message.EffectFiles, Folder: changes.Saved.Workspace, Changes: rowsOf(changes, draft)},
	}
	milestone := milestoneOf(request.CallID, 0)
	user.shown.markReached(milestone)
	later := fmt.Sprintf("The draft stays: fairlead drafts show %s", draft.Draft.ID)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-w.runs.Cancelled(): // by a signal
		case <-user.ended:
		case <-ctx.Done():
		}
		stop()
	}()
	err = user.askQuestion(ctx, posed{
		milestone: milestone, title: titleOf(request),
		text:    func(columns int) string { return questionText(request, columns) },
		choices: draftChoices(draft),
		decide: func(ctx context.Context, answers *answering, answer string) (bool, error) {
			switch answer {
			case "":
				w.writeLine(later)
				return true, draft.Close()
			case "y", "yes", "n", "no", "c", "choose", "d", "diff":
			default:
				return false, nil
			}
			decision, decided, err := user.readDecision(ctx, answers, answer, request)
			switch {
			case err != nil || !decided:
				return false, err
			case decision.Verdict != message.Approve:
				return true, dropAll(ctx, user.out, changes, draft)
			}
			chosen, err := changes.Choose(draft, decision.Chosen)
			if err != nil {
				return true, errors.Join(err, draft.Close())
			}
			_, err = applyChosen(ctx, user.out, changes, draft, chosen)
			return true, err
		},
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		w.writeLine(later)
		return draft.Close()
	}
	return err
}

// draftChoices are what can be typed about a draft.
func draftChoices(draft *session.Draft) string {
	yes := "[y]es, apply all"
	if len(draft.Held) > 0 {
		yes += " but what is held"
	}
	return yes + ", [n]o, drop all, [c]hoose, [d]iff, Enter keeps it for later: "
}

// draftNote names the commands that decide about a draft that a run has left.
func draftNote(left event.DraftState) string {
	n := left.Counts.Paths
	text := fmt.Sprintf("note: a draft with %d changed %s is left", n, plural(n, "path", "paths"))
	if left.Conflicts > 0 {
		text += fmt.Sprintf(", of which %d changed in the folder too", left.Conflicts)
	}
	return text + fmt.Sprintf("; to see it: fairlead drafts show %s; to make it count: fairlead drafts apply %s", left.DraftID, left.DraftID)
}
