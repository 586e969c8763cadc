package shell_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/workspace"
)

// copies has the commands of a lab work on copies of its workspace.
type copies struct {
	*lab
	folder  *workspace.Folder
	changes *change.Recorder
	shell   tool.Tool
}

// onCopies opens the tool for a lab. When the folder is nil, it opens that too.
func onCopies(t *testing.T, system *sandbox.System, l *lab, folder *workspace.Folder) *copies {
	t.Helper()
	c := &copies{lab: l, folder: folder}
	if folder == nil {
		c.folder = l.folder(t)
	}
	data := filepath.Join(t.TempDir(), "data")
	c.changes = changetest.Use(t, c.folder) // which is closed after the space
	space, err := system.Open(sandbox.Place{
		Workspace: c.folder.Path(), Private: filepath.Join(t.TempDir(), "private"), Home: l.home, Hide: []string{data},
		Read: append(sandbox.ToolChains(l.home), l.readable...),
	})
	must(t, err)
	t.Cleanup(func() { _ = space.Close() }) // what an attack has left may not let itself be removed
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	must(t, err)
	t.Cleanup(func() { _ = outputs.Remove() })
	jobs := process.NewJobs(process.JobsOptions{Space: opened(space)})
	t.Cleanup(jobs.Close)
	c.shell = shell.New(shell.Options{
		Folder: c.folder, Outputs: outputs, Jobs: jobs, Level: always(system.Level), Before: c.folder.BeforeCommand,
		Changes: c.changes, NoCopy: func(context.Context) *message.NoCopy { return nil },
	})[0]
	return c
}

// run runs a command line, and fails the test where the workspace is then another than it was.
func (c *copies) run(t *testing.T, line string) tool.Outcome {
	t.Helper()
	arguments, err := json.Marshal(map[string]any{"command": line, "network": c.network})
	must(t, err)
	plan, err := c.shell.Prepare(t.Context(), tool.Input{CallID: "call-1", Arguments: arguments})
	must(t, err)
	if !plan.Preview.Copied {
		t.Fatal("there is no copy")
	}
	before := describeState(t, c.workspace)
	outcome := plan.Run(t.Context(), func(string) {})
	if changed(t, c.workspace, before) {
		t.Error("the workspace changed before a yes")
	}
	return outcome
}

// TestPRE01_NothingEscapesFromACopy carries out the attacks in commands that work on a copy of
// the workspace. Those inside it, which nothing else keeps from, end there too.
func TestPRE01_NothingEscapesFromACopy(t *testing.T) {
	system := fully(t)
	found := escapes(t, func(t *testing.T, l *lab) runner {
		t.Helper()
		c := onCopies(t, system, l, nil)
		return func(t *testing.T, line string) message.Result {
			t.Helper()
			before := describeState(t, l.workspace)
			outcome := c.run(t, line)
			if outcome.Changes != nil {
				outcome.Changes.Drop(t.Context())
			}
			if changed(t, l.workspace, before) {
				t.Error("the workspace changed by what was dropped")
			}
			return outcome.Result
		}
	})
	for name, escaped := range found {
		if escaped {
			t.Errorf("%s escaped", name)
		}
	}
}

// TestPRE04_WhatGitRunsIsHeld changes in a copy what git runs, in each layout: before a yes the
// workspace is as it was, and of what is applied unasked git runs nothing.
func TestPRE04_WhatGitRunsIsHeld(t *testing.T) {
	if reason := needs("git")(); reason != "" {
		t.Skip(reason)
	}
	system := fully(t)
	for _, row := range layouts() {
		t.Run(row.name, func(t *testing.T) {
			l := newLayoutLab(t, nil, row)
			c := onCopies(t, system, l.lab, l.folder)
			outcome := c.run(t, l.attack())
			l.result = outcome.Result
			l.wantCarriedOut(t)
			if outcome.Changes == nil {
				t.Logf("nothing was changed: %s", outcome.Result.Text())
				return
			}
			var held []string
			for _, shown := range outcome.Changes.Held.Changes {
				held = append(held, shown.Path)
			}
			if outcome.Changes.ApplyRest != nil {
				if applied := outcome.Changes.ApplyRest(t.Context()); applied.Error != nil {
					t.Errorf("the rest: %v", applied.Error)
				}
			}
			if l.ran(t) {
				t.Errorf("git ran what was applied unasked; held: %q", held)
			}
			t.Logf("held: %q", held)
			outcome.Changes.Drop(t.Context())
		})
	}
}
