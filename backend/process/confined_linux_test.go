package process

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairlead/backend/sandbox"

	"github.com/google/go-cmp/cmp"
)

func TestTOOL03_CommandsRunConfined(t *testing.T) {
	tests := []struct {
		name string
		line string
		want Exit
	}{
		{"nothing", "true", Exit{}},
		{"exit code", "echo no; exit 3", Exit{Code: 3, Text: Text{Head: "no\n", Bytes: 3}}},
		{"signal", "kill -9 $$", Exit{Code: -1, Signal: "SIGKILL"}},
		{"order", "echo a; echo b >&2; echo c", Exit{Text: Text{Head: "a\nb\nc\n", Bytes: 6}}},
		{"no input", "cat; read line || echo none", Exit{Text: Text{Head: "none\n", Bytes: 5}}},
		{"outside", "echo x 2>/dev/null >/etc/file || echo refused", Exit{Text: Text{Head: "refused\n", Bytes: 8}}},
		{"private folders", `echo x >$TMPDIR/f && mkdir -p "$XDG_CACHE_HOME" && echo y >$XDG_CACHE_HOME/f && echo $TERM`, Exit{Text: Text{Head: "dumb\n", Bytes: 5}}},
	}
	for _, r := range confinedEnvironments() {
		space, workspace := r.open(t)
		for _, test := range tests {
			t.Run(r.name+"/"+test.name, func(t *testing.T) {
				exit, err := Run(t.Context(), Command{Line: test.line, Dir: workspace, Space: space})
				if diff := cmp.Diff(test.want, exit); diff != "" || err != nil {
					t.Error(err, diff)
				}
			})
		}
	}
}

func TestSEC02_WhatCannotBeConfinedDoesNotRun(t *testing.T) {
	for _, r := range confinedEnvironments() {
		space, workspace := r.open(t)
		j := newJobs(t, JobsOptions{Space: opened(space)})
		tests := []struct {
			name    string
			command Command
			want    error
		}{
			{"too long", Command{Line: "true " + strings.Repeat("x", 200<<10), Dir: workspace}, syscall.E2BIG},
			{"no folder", Command{Line: "true", Dir: filepath.Join(workspace, "gone")}, fs.ErrNotExist},
		}
		for _, test := range tests {
			t.Run(r.name+"/"+test.name, func(t *testing.T) {
				exit, err := j.Run(t.Context(), "call", test.command)
				if !errors.Is(err, ErrNotConfined) || !errors.Is(err, test.want) || !strings.Contains(err.Error(), "was not run") {
					t.Errorf("%+v, %v", exit, err)
				}
				id, err := j.Start("call", test.command)
				if err != nil {
					t.Fatal(err)
				}
				done, err := j.Done(id)
				if err != nil {
					t.Fatal(err)
				}
				<-done
				got, err := j.Read(id, "model")
				if err != nil || !errors.Is(got.Err, ErrNotConfined) || !errors.Is(got.Err, test.want) || got.Job.Failed != got.Err.Error() {
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
	}
}

func TestSEC02_WithoutWhatConfinesNothingRuns(t *testing.T) {
	system := sandbox.Inspect(t.Context(), "/bin/true", nil)
	workspace := t.TempDir()
	space, err := system.Open(sandbox.Place{Workspace: workspace, Private: filepath.Join(t.TempDir(), "private")})
	if err != nil {
		t.Fatal(err)
	}
	defer space.Close()
	mark := filepath.Join(workspace, "mark")
	_, err = Run(t.Context(), Command{Line: "touch " + mark, Dir: workspace, Space: space})
	if !errors.Is(err, ErrNotConfined) {
		t.Errorf("error %v", err)
	}
	if found, _ := filepath.Glob(mark); len(found) > 0 {
		t.Error("the command ran")
	}
}
