package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
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

// undoCommand takes back what the calls of a conversation changed.
type undoCommand struct{ takeBack }

// Run takes back.
func (c *undoCommand) Run(with *surroundings) error { return c.run(with, false) }

// redoCommand makes again what was taken back.
type redoCommand struct{ takeBack }

// Run makes again.
func (c *redoCommand) Run(with *surroundings) error { return c.run(with, true) }

// takeBack are the flags that choose what is taken back, or made again.
type takeBack struct {
	chosenSession
	Runs  []string `name:"run" placeholder:"RUN" help:"What these runs changed: their numbers, their ids, or last. Without any of these flags, the last run that changed something, after one question."`
	Calls []string `name:"call" placeholder:"ID" help:"What these calls changed."`
	Paths []string `name:"path" placeholder:"PATH" help:"What was changed at these paths, and in these folders."`
	To    string   `placeholder:"RUN" help:"Everything since before the prompt of this run."`
	Draft bool     `help:"What was changed in the conversation's draft, not in the folder."`
	Merge bool     `help:"Merge texts that were edited since, where other lines were."`
	Yes   bool     `help:"Do not ask."`
	JSON  bool     `name:"json" help:"Write events of what was done, one a line."`
}

// run takes back or makes again.
func (c *takeBack) run(with *surroundings, redo bool) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) (err error) {
		saved, err := c.find(ctx, b)
		if err != nil {
			return err
		}
		changes, err := b.OpenChanges(ctx, saved)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, changes.Close()) }()
		if !c.Draft {
			return c.takeBack(ctx, b, changes, with.streams, redo)
		}
		draft, err := b.OpenDraftChanges(changes)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, draft.Close()) }()
		return c.takeBack(ctx, b, draft, with.streams, redo)
	})
}

func (c *takeBack) takeBack(ctx context.Context, b *backend.Backend, changes *session.Changes, streams Streams, redo bool) error {
	sets, err := changes.Sets(ctx)
	if err != nil {
		return err
	}
	scope, err := c.scope(ctx, b, changes.Saved, sets, redo)
	if err != nil {
		return err
	}
	plan, err := changes.MakePlan(ctx, scope, redo)
	if err != nil {
		return err
	}
	if c.Merge {
		scope.Choices = plan.ChooseAll(change.Merged)
		if plan, err = changes.MakePlan(ctx, scope, redo); err != nil {
			return err
		}
	}
	if plan.Count(change.Restore)+plan.Count(change.Conflict)+plan.Count(change.Impossible) == 0 {
		_, err := fmt.Fprintf(streams.Err, "There is nothing to %s.\n", verbOf(redo))
		return err
	}
	asked, err := c.ask(streams, plan, redo)
	if err != nil || asked == answeredNo {
		return err
	}
	var unseen int
	if asked == notAsked {
		unseen = c.leaveOutUnseen(&plan)
	}
	done, events, err := changes.CarryOut(ctx, plan)
	if writeErr := c.report(streams, changes, redo, done, events, unseen); err == nil {
		err = writeErr
	}
	if err == nil && (len(done.Kept) > 0 || unseen > 0) {
		err = &endedError{exitError}
	}
	return err
}

func verbOf(redo bool) string {
	if redo {
		return "make again"
	}
	return "take back"
}

// isOpen reports whether no flag chooses what is taken back.
func (c *takeBack) isOpen() bool { return len(c.Runs)+len(c.Calls)+len(c.Paths) == 0 && c.To == "" }

// scope is what the flags say: without any, the last run that changed something.
func (c *takeBack) scope(ctx context.Context, b *backend.Backend, saved session.Saved, sets []change.Set, redo bool) (change.Scope, error) {
	scope := change.Scope{Calls: c.Calls}
	for _, path := range c.Paths {
		scope.Paths = append(scope.Paths, localPath(saved.Workspace, path))
	}
	runs, err := b.Sessions.Runs(ctx, saved.ID)
	if err != nil {
		return scope, err
	}
	for _, name := range c.Runs {
		run, err := findRun(runs, name)
		if err != nil {
			return scope, err
		}
		scope.Runs = append(scope.Runs, run.ID)
	}
	if c.To != "" {
		first, err := findRun(runs, c.To)
		if err != nil {
			return scope, err
		}
		for _, run := range runs {
			if run.Number >= first.Number {
				scope.Runs = append(scope.Runs, run.ID)
			}
		}
	}
	if c.isOpen() {
		for i := range slices.Backward(sets) {
			set := &sets[i]
			if set.Source != change.ByUndo && set.Source != change.ByRedo &&
				slices.ContainsFunc(set.Changes, func(c change.Change) bool { return c.Undone == redo }) {
				scope.Runs = []string{set.RunID}
				break
			}
		}
	}
	return scope, nil
}

// localPath is a path relative to the workspace: it can be given relative to that, or to the
// folder that the command is given in.
func localPath(folder, given string) string {
	if absolute, err := filepath.Abs(given); err == nil {
		if real, err := filepath.EvalSymlinks(filepath.Dir(absolute)); err == nil {
			absolute = filepath.Join(real, filepath.Base(absolute))
		}
		if local, err := filepath.Rel(folder, absolute); err == nil && filepath.IsLocal(local) {
			return filepath.ToSlash(local)
		}
	}
	return filepath.ToSlash(filepath.Clean(given))
}

// asked is what came of the question.
type asked int

const (
	notAsked asked = iota
	answeredYes
	answeredNo
)

// ask shows the plan and asks, where no flag chooses what is meant.
func (c *takeBack) ask(streams Streams, plan change.Plan, redo bool) (asked, error) {
	switch {
	case c.Yes || !c.isOpen() && !streams.Terminal:
		return notAsked, nil
	case !streams.Terminal:
		return notAsked, &usageError{
			problem: "nobody can be asked whether the last run is meant",
			hint:    "name it: --run last, or any other of --run, --call, --path and --to; or say --yes",
		}
	case !c.isOpen() && !hasUnseen(plan):
		return notAsked, nil
	}
	if err := writePlan(streams.Err, plan); err != nil {
		return notAsked, err
	}
	yes, err := newAsker(streams, false).ask(strings.ToUpper(verbOf(redo)[:1]) + verbOf(redo)[1:] + " this?")
	if err != nil {
		return notAsked, err
	}
	if yes {
		return answeredYes, nil
	}
	_, err = fmt.Fprintln(streams.Err, "Nothing was changed.")
	return answeredNo, err
}

// isUnseen reports whether a step is about a change that was only seen while a command ran,
// and that somebody else may have made.
func isUnseen(s change.Step) bool { return s.Meanwhile && s.Verdict == change.Restore }

func hasUnseen(plan change.Plan) bool { return slices.ContainsFunc(plan.Steps, isUnseen) }

// leaveOutUnseen leaves out what was only seen while a command ran, unless it was named: the
// user has not seen it in a list (SPEC CHG-09). It returns how many paths that are.
func (c *takeBack) leaveOutUnseen(plan *change.Plan) int {
	if len(c.Calls)+len(c.Paths) > 0 || c.Yes {
		return 0
	}
	all := len(plan.Steps)
	plan.Steps = slices.DeleteFunc(plan.Steps, isUnseen)
	return all - len(plan.Steps)
}

// writePlan writes what would be done.
func writePlan(out io.Writer, plan change.Plan) error {
	var text strings.Builder
	for _, s := range plan.Steps {
		path := workspace.Shown(string(s.Path()))
		switch s.Verdict {
		case change.Restore:
			fmt.Fprintf(&text, "  %-7s  %s", resultWord(s), path)
			if s.Meanwhile {
				text.WriteString("  (changed during a command)")
			}
			text.WriteString("\n")
		case change.Conflict:
			fmt.Fprintf(&text, "  stays    %s  (it was changed since)\n", path)
		case change.Impossible:
			fmt.Fprintf(&text, "  stays    %s  (%s)\n", path, lossWords[s.Lost])
		case change.Nothing, change.Beside:
		}
	}
	_, err := io.WriteString(out, message.Visible(text.String()))
	return err
}

// resultWord is what becomes of a path, in a word.
func resultWord(s change.Step) string {
	switch {
	case s.After.Kind == change.None:
		return "goes"
	case s.Before.Kind == change.None:
		return "returns"
	}
	return "changes"
}

// report writes what was done and what was left.
func (c *takeBack) report(streams Streams, changes *session.Changes, redo bool, done change.Done, events []event.Data, unseen int) error {
	if c.JSON {
		for i, data := range events {
			line, err := json.Marshal(event.Event{
				Seq: int64(i) + 1, SessionID: changes.Saved.ID, TS: time.Now().UnixMilli(), Type: data.EventType(), Data: data,
			})
			if err != nil {
				return fmt.Errorf("encode what was done: %w", err)
			}
			if _, err := streams.Out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	var text strings.Builder
	paths := done.Paths()
	word := "Taken back"
	if redo {
		word = "Made again"
	}
	fmt.Fprintf(&text, "%s: %d %s.\n", word, len(paths), plural(len(paths), "path", "paths"))
	if !c.JSON {
		for _, path := range paths {
			fmt.Fprintf(&text, "  %s\n", workspace.Shown(string(path)))
		}
	}
	for _, s := range done.Kept {
		path := workspace.Shown(string(s.Path()))
		if s.Verdict == change.Impossible {
			fmt.Fprintf(&text, "stays: %s: %s\n", path, lossWords[s.Lost])
			continue
		}
		fmt.Fprintf(&text, "stays: %s was changed since", path)
		if !c.Merge && s.Before.Kind == change.File && s.After.Kind == change.File {
			fmt.Fprintf(&text, "; to merge the two: fairlead %s --merge --path %q", nameOf(redo), path)
		}
		text.WriteString("\n")
	}
	if unseen > 0 {
		fmt.Fprintf(&text, "stays: %d %s changed while commands ran, perhaps by others; fairlead changes lists them, and --path or --call names them\n",
			unseen, plural(unseen, "path that", "paths that"))
	}
	_, err := io.WriteString(streams.Err, message.Visible(text.String()))
	return err
}

// nameOf is the command itself.
func nameOf(redo bool) string {
	if redo {
		return "redo"
	}
	return "undo"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
