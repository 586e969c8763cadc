package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"
)

// unknown is what a result says of a command of which nobody knows what became.
const unknown = "it is not known what became of the command"

func TestREL05_WhatBecameOfACommandIsToldAsUnknown(t *testing.T) {
	for name, without := range map[string]sandbox.Without{"full": {}, "limited": {Namespaces: true}} {
		t.Run(name, func(t *testing.T) {
			b := open(t, func(o *shell.Options) { confineWithout(t, o, without) })
			begun := make(chan struct{})
			in := input(command(t, "echo written; sleep 1000"))
			progress := func(string) { close(begun) }
			result := make(chan message.Result, 1)
			go func() { result <- tooltest.RunLive(t.Context(), b.tools["shell"], in, progress) }()
			<-begun
			sandboxtest.KillGuards(t)
			got := <-result
			if text := got.Text(); !strings.Contains(text, unknown) || !strings.Contains(text, "written") || strings.Contains(text, "was not run") {
				t.Errorf("got %q", text)
			}
			wantData(t, got, message.Level(name), `{}`)
		})
		t.Run(name+" in the background", func(t *testing.T) {
			b := open(t, func(o *shell.Options) { confineWithout(t, o, without) })
			b.run(t, "shell_start", command(t, "echo written; sleep 1000"))
			sandboxtest.KillGuards(t)
			select {
			case <-done(t, b.Jobs, "p1"):
			case <-time.After(5 * time.Second):
				t.Fatal("it goes on")
			}
			got := b.run(t, "shell_status", `{"processId":"p1"}`)
			if text := got.Text(); !strings.Contains(text, unknown) || !strings.Contains(text, "p1 ended, with no exit code") || strings.Contains(text, "was not run") {
				t.Errorf("got %q", text)
			}
			if job := b.Jobs.List()[0]; job.Failed != "" || job.ExitCode != -1 {
				t.Errorf("the window is told %+v", job)
			}
		})
	}
}

// done is closed when a command in the background has ended.
func done(t *testing.T, jobs *process.Jobs, id string) <-chan struct{} {
	t.Helper()
	ended, err := jobs.Done(id)
	must(t, err)
	return ended
}

// confineWithout has the tools' commands confined as on a system that lacks something.
func confineWithout(t *testing.T, o *shell.Options, without sandbox.Without) {
	t.Helper()
	sandboxtest.NeedsFull(t)
	system := inspect(t, without)
	space, err := system.Open(sandbox.Place{
		Workspace: o.Folder.Path(), Private: filepath.Join(t.TempDir(), "private"), Home: os.Getenv("HOME"),
	})
	must(t, err)
	t.Cleanup(func() { must(t, space.Close()) })
	o.Level, o.Jobs = always(system.Level), process.NewJobs(process.JobsOptions{Space: opened(space)})
}
