package shell_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"
)

// Whatever a command, a command in the background or a file tool changes of what git
// runs is impossible, or it is named.
func TestSEC08_WhatGitRunsIsKeptOrNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes 8 s")
	}
	if reason := needs("git")(); reason != "" {
		t.Skip(reason)
	}
	system := fully(t)
	all := layouts()
	if len(all) < 24 {
		t.Errorf("%d layouts", len(all))
	}
	for _, row := range all {
		t.Run(row.name, func(t *testing.T) {
			for way, tried := range map[string]func(*layoutLab, *testing.T) []string{
				"command": (*layoutLab).command, "background": (*layoutLab).background, "file tool": (*layoutLab).fileTool,
			} {
				t.Run(way, func(t *testing.T) {
					l := newLayoutLab(t, system, row)
					named := tried(l, t)
					if l.ran(t) && len(named) == 0 {
						t.Errorf("git ran what was planted, and nothing was said")
					}
					t.Logf("said: %q", named)
				})
			}
		})
	}
}

// Where nothing keeps it from that, git runs what is planted: a row of which that is
// not so would show nothing.
func TestSEC08_EveryLayoutIsOneThatGitActsOn(t *testing.T) {
	if reason := needs("git")(); reason != "" {
		t.Skip(reason)
	}
	for _, row := range layouts() {
		t.Run(row.name, func(t *testing.T) {
			l := newLayoutLab(t, nil, row)
			if runs(t, l.lab) {
				t.Error("git runs it before it is planted")
			}
			if l.command(t); !l.ran(t) {
				t.Error("git does not run what was planted")
			}
		})
	}
}

// layoutLab is a lab with a layout and the tools.
type layoutLab struct {
	*lab
	layout
	folder *workspace.Folder
	jobs   *process.Jobs
	tools  map[string]tool.Tool
}

// newLayoutLab makes one with a home of its own. Without a system nothing confines its
// commands.
func newLayoutLab(t *testing.T, system *sandbox.System, row layout) *layoutLab {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	l := &layoutLab{lab: newLab(t), layout: row, tools: map[string]tool.Tool{}}
	l.write(t, filepath.Join(l.home, ".gitconfig"), "")
	row.prepare(t, l.lab)
	must(t, os.RemoveAll(filepath.Join(l.outside, "ran")))
	l.folder = l.lab.folder(t)
	useGit(l.folder)
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	must(t, err)
	t.Cleanup(func() { _ = outputs.Remove() })
	options := shell.Options{Folder: l.folder, Outputs: outputs, Level: always(message.LevelNone)}
	l.jobs = process.NewJobs(process.JobsOptions{})
	if system != nil {
		space, err := system.Open(sandbox.Place{
			Workspace: l.folder.Path(), Private: filepath.Join(t.TempDir(), "private"), Home: l.home, Read: sandbox.ToolChains(l.home),
		})
		must(t, err)
		t.Cleanup(func() { _ = space.Close() }) // what an attack has left may not let itself be removed
		options.Level, options.Before = always(system.Level), l.folder.BeforeCommand
		l.jobs = process.NewJobs(process.JobsOptions{Space: opened(space)})
	}
	t.Cleanup(l.jobs.Close)
	options.Jobs = l.jobs
	for _, one := range shell.New(options) {
		l.tools[one.Definition().Name] = one
	}
	return l
}

// shell runs a line unconfined in the workspace, as the user may have.
func (l *lab) shell(t *testing.T, line string) {
	t.Helper()
	const seed = "seed() { git init -q $above/seed && git -C $above/seed commit -q --allow-empty -m seed; }\n"
	cmd := exec.Command("/bin/sh", "-ec", "above='"+l.above+"'\n"+seed+plant+l.full(line))
	cmd.Dir = l.workspace
	cmd.Env = append(os.Environ(), "HOME="+l.home,
		"GIT_CONFIG_COUNT=5", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=a", "GIT_CONFIG_KEY_1=user.email", "GIT_CONFIG_VALUE_1=a@localhost",
		"GIT_CONFIG_KEY_2=protocol.file.allow", "GIT_CONFIG_VALUE_2=always", "GIT_CONFIG_KEY_3=init.defaultBranch", "GIT_CONFIG_VALUE_3=main",
		"GIT_CONFIG_KEY_4=core.fsync", "GIT_CONFIG_VALUE_4=none")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

// call calls a tool and returns its result.
func (l *layoutLab) call(t *testing.T, name string, arguments map[string]any) message.Result {
	t.Helper()
	text, err := json.Marshal(arguments)
	must(t, err)
	return tooltest.Run(t.Context(), l.tools[name], tool.Input{CallID: "call-" + name, Arguments: text})
}

func (l *layoutLab) attack() string {
	return l.full(plant + l.line)
}

// command tries it in a command.
func (l *layoutLab) command(t *testing.T) []string {
	t.Helper()
	l.result = l.call(t, "shell", map[string]any{"command": l.attack()})
	l.wantCarriedOut(t)
	t.Log(l.result.Text())
	return said(l.result.Notices)
}

// background tries it in a command that is left in the background.
func (l *layoutLab) background(t *testing.T) []string {
	t.Helper()
	l.result = l.call(t, "shell_start", map[string]any{"command": l.attack()})
	done, err := l.jobs.Done("p1")
	must(t, err)
	<-done
	noticed := said(l.result.Notices)
	l.result = l.call(t, "shell_status", map[string]any{"processId": "p1"})
	t.Log(l.result.Text())
	return append(noticed, said(l.result.Notices)...)
}

// fileTool tries it by writing a file: the question about it is to say what runs it.
func (l *layoutLab) fileTool(t *testing.T) []string {
	t.Helper()
	l.shell(t, `plant run`)
	text := l.text
	if text == "" {
		text = "#!/bin/sh\necho >" + l.outside + "/ran\n"
	}
	kind, marked := runsBy(t, l.folder, l.file)
	if err := l.folder.Write(l.file, []byte(text)); err != nil {
		t.Log(err)
		return nil
	}
	if !marked {
		t.Errorf("%s was written, and what runs it is not known", l.file)
		return nil
	}
	return []string{kind}
}

// ran reports whether the user's git runs what was planted.
func (l *layoutLab) ran(t *testing.T) bool {
	t.Helper()
	if runs(t, l.lab) {
		return true
	}
	for _, later := range l.later {
		if output, err := own(l.lab, later[0], later[1:]...); err != nil {
			t.Logf("git %q: %v: %s", later, err, output)
		}
	}
	return exists(filepath.Join(l.outside, "ran"))
}
