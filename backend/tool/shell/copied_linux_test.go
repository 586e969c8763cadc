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

// openCopied returns tools whose commands work on a copy of a folder that is filled, and the
// folder that they see as /tmp.
func openCopied(t *testing.T) (b *bench, changes *change.Recorder, temporary string) {
	t.Helper()
	private := filepath.Join(t.TempDir(), "private")
	b = open(t, func(o *shell.Options) {
		changetest.Fill(t, o.Folder.Path())
		data := t.TempDir()
		space, err := fully(t).Open(sandbox.Place{
			Workspace: o.Folder.Path(), Private: private, Home: os.Getenv("HOME"), Hide: []string{data},
		})
		must(t, err)
		t.Cleanup(func() { must(t, space.Close()) })
		o.Jobs = process.NewJobs(process.JobsOptions{Space: opened(space)})
		changes = changetest.Use(t, o.Folder)
		o.Changes, o.NoCopy = changes, func(context.Context) *message.NoCopy { return nil }
	})
	return b, changes, filepath.Join(private, "tmp")
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
	b, changes, _ := openCopied(t)
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
	b, changes, _ := openCopied(t)
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
			b, changes, _ := openCopied(t)
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

func TestPRE03_WhatNobodyDecidesAboutIsSetAside(t *testing.T) {
	b, changes, _ := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	outcome := b.try(t, "echo more >>a.txt; rm -r sub; mv run.sh new.sh")
	result := outcome.Changes.SetAside(t.Context())
	if !strings.Contains(result.Content.Text(), "set aside") || !strings.Contains(result.Content.Text(), "moved run.sh to new.sh") {
		t.Errorf("the model is told %q", result.Content.Text())
	}
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Fatalf("the folder changed: %s", diff)
	}
	all, err := changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || all[0].CallID != "call-1" {
		t.Fatalf("set aside: %+v", all)
	}
	// A part of it is applied, and the rest stays.
	set, err := changes.ApplyAside(t.Context(), all[0], func(i int) bool { return all[0].Changes[i].Path == "a.txt" })
	must(t, err)
	if set == nil || len(set.Changes) != 1 || set.CallID != "call-1" {
		t.Fatalf("applied %+v", set)
	}
	all, err = changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || len(all[0].Collisions) > 0 {
		t.Fatalf("set aside after a part: %+v", all)
	}
	for _, c := range all[0].Changes {
		if c.Path == "a.txt" {
			t.Error("a.txt is still set aside")
		}
	}
	_, err = changes.ApplyAside(t.Context(), all[0], func(int) bool { return true })
	must(t, err)
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(folder, "sub")); !os.IsNotExist(err) {
		t.Errorf("sub is there: %v", err)
	}
}

// TestPRE07_ACommandThatWasMovedGoesOnInItsCopy moves a command to the background before it
// writes: what it does later is set aside, and the model is told.
func TestPRE07_ACommandThatWasMovedGoesOnInItsCopy(t *testing.T) {
	b, changes, temporary := openCopied(t)
	plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, "echo begun; while ! [ -e /tmp/go ]; do sleep 0.01; done; echo more >>a.txt")))
	must(t, err)
	begun := make(chan struct{})
	done := make(chan tool.Outcome)
	go func() {
		told := false
		done <- plan.Run(t.Context(), func(string) {
			if !told {
				told = true
				close(begun)
			}
		})
	}()
	<-begun
	id, err := b.Jobs.Move("call-1")
	must(t, err)
	outcome := <-done
	if outcome.Changes != nil || outcome.Result.ProcessID == "" {
		t.Errorf("moved: %+v", outcome)
	}
	ended, err := b.Jobs.Done(id)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(temporary, "go"), nil, 0o600))
	<-ended
	told := b.run(t, "shell_status", `{"processId":"`+id+`"}`)
	if !strings.Contains(told.Content.Text(), "set aside") {
		t.Errorf("the model is told %q", told.Content.Text())
	}
	all, err := changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || len(all[0].Changes) != 1 || all[0].Changes[0].Path != "a.txt" {
		t.Errorf("set aside: %+v", all)
	}
}
