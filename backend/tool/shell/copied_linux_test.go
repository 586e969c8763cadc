package shell_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"

	"github.com/google/go-cmp/cmp"
)

// openCopied returns tools whose commands work on a copy of a folder that is filled.
func openCopied(t *testing.T) (*bench, *change.Recorder) {
	t.Helper()
	var changes *change.Recorder
	b := open(t, func(o *shell.Options) {
		changetest.Fill(t, o.Folder.Path())
		data := t.TempDir()
		space, err := fully(t).Open(sandbox.Place{
			Workspace: o.Folder.Path(), Private: filepath.Join(t.TempDir(), "private"), Home: os.Getenv("HOME"), Hide: []string{data},
		})
		must(t, err)
		t.Cleanup(func() { must(t, space.Close()) })
		o.Jobs = process.NewJobs(process.JobsOptions{Space: opened(space)})
		changes = changetest.Use(t, o.Folder)
		o.Changes, o.NoCopy = changes, func(context.Context) *message.NoCopy { return nil }
	})
	return b, changes
}

// try runs a command, and returns its outcome without deciding about what it has changed.
func (b *bench) try(t *testing.T, line string) tool.Outcome {
	t.Helper()
	plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, line)))
	must(t, err)
	if p := plan.Preview; !p.Copied || p.Undo == nil || p.Undo.Quality != message.UndoExact {
		t.Errorf("shown before: %+v", p)
	}
	return plan.Run(t.Context(), func(string) {})
}

// asideOf lists what is set aside.
func asideOf(t *testing.T, changes *change.Recorder) []string {
	t.Helper()
	all, err := changes.Aside(t.Context())
	must(t, err)
	var ids []string
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestPRE01_WhatACommandChangesIsAppliedAfterwards(t *testing.T) {
	b, changes := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	outcome := b.try(t, "echo more >>a.txt; rm -r sub; mv run.sh new.sh; exit 3")
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Fatalf("before it was applied: %s", diff)
	}
	if outcome.Changes == nil || outcome.Changes.ApplyRest == nil || len(outcome.Changes.Held.Changes) > 0 {
		t.Fatalf("outcome %+v", outcome)
	}
	if data := outcome.Result.Data; data.ExitCode == nil || *data.ExitCode != 3 {
		t.Errorf("result %+v", outcome.Result)
	}
	applied := outcome.Changes.ApplyRest(t.Context())
	if applied.Error != nil || !strings.Contains(applied.Content.Text(), "moved run.sh to new.sh") {
		t.Errorf("applied: %+v", applied)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "a.txt")); err != nil || string(text) != "one\nmore\n" {
		t.Errorf("a.txt holds %q, %v", text, err)
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	// It is taken back like everything else.
	plan, err := changes.PlanUndo(t.Context(), change.Scope{})
	must(t, err)
	_, err = changes.CarryOut(t.Context(), plan)
	must(t, err)
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Errorf("after the undo: %s", diff)
	}
}

func TestPRE01_ACommandThatChangesNothingLeavesNothing(t *testing.T) {
	b, changes := openCopied(t)
	outcome := b.try(t, "cat a.txt && touch -r a.txt a.txt && cp a.txt /tmp/x")
	if outcome.Changes != nil || outcome.Result.Data.Changes != message.ChangesNone {
		t.Errorf("outcome %+v, changes %+v", outcome, outcome.Changes)
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestPRE04_WhatIsRiskyIsHeld(t *testing.T) {
	for name, test := range map[string]struct {
		line string
		held map[string]message.HeldCode
		rest int
	}{
		"hooks":      {"mkdir -p .git/hooks && echo x >.git/hooks/pre-commit && echo y >y", map[string]message.HeldCode{".git": message.HeldRepository}, 1},
		"editor":     {"mkdir .VSCode && echo {} >.VSCode/tasks.json && echo y >y", map[string]message.HeldCode{".VSCode/tasks.json": message.HeldAutorun}, 1},
		"set-uid":    {"cp run.sh s && chmod u+s s", map[string]message.HeldCode{"s": message.HeldSetID}, 0},
		"link":       {"ln -s ../../etc/passwd out && ln -s sub/b.txt in && ln -s /etc abs", map[string]message.HeldCode{"out": message.HeldOutside, "abs": message.HeldOutside}, 1},
		"bare":       {"mkdir -p r/objects r/refs && echo ref: x >r/HEAD && echo y >y", map[string]message.HeldCode{"r": message.HeldRepository, "r/HEAD": message.HeldRepository}, 1},
		"moved away": {"mv run.sh .envrc", map[string]message.HeldCode{"run.sh": message.HeldAutorun, ".envrc": message.HeldAutorun}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b, changes := openCopied(t)
			before := changetest.Snapshot(t, b.Folder.Path())
			outcome := b.try(t, test.line)
			if outcome.Changes == nil {
				t.Fatalf("nothing changed: %+v", outcome.Result)
			}
			if rest := outcome.Changes.ApplyRest != nil; rest != (test.rest > 0) {
				t.Errorf("the rest passes: %v", rest)
			}
			found := map[string]message.HeldCode{}
			for _, c := range outcome.Changes.Held.Changes {
				if c.Held == nil {
					t.Errorf("%s is not held", c.Path)
					continue
				}
				found[c.Path] = c.Held.Code
			}
			for path, want := range test.held {
				if found[path] != want {
					t.Errorf("%s: held for %q, want %q (%v)", path, found[path], want, found)
				}
			}
			outcome.Changes.Drop(t.Context())
			if diff := cmp.Diff(before, changetest.Snapshot(t, b.Folder.Path())); diff != "" {
				t.Errorf("after it was dropped: %s", diff)
			}
			if left := asideOf(t, changes); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}
