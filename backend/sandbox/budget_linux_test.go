package sandbox

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/overlay"
)

// TestPRE10_WhatCommandsUseIsBounded runs commands that use too much of something, each for
// itself or together with others of their run.
func TestPRE10_WhatCommandsUseIsBounded(t *testing.T) {
	const (
		busy   = `i=0; while :; do i=$((i+1)); done`
		writes = `yes | head -c 200000000 >large; sleep 60`
		small  = `yes | head -c 100000000 >part; sleep 1.1` // long enough to be counted
	)
	for name, test := range map[string]struct {
		command, all limits
		lines        []string
		want         message.Resource
	}{
		"the time of a command": {limits{time.Second, 1 << 40}, limits{time.Hour, 1 << 40}, []string{busy}, message.Processor},
		"the time of all that it starts": {
			limits{time.Second, 1 << 40}, limits{time.Hour, 1 << 40}, []string{`while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; done`}, message.Processor,
		},
		"the time of a run":             {limits{time.Hour, 1 << 40}, limits{time.Second, 1 << 40}, []string{"true", busy}, message.Processor},
		"what a command writes":         {limits{time.Hour, 100 << 20}, limits{time.Hour, 1 << 40}, []string{writes}, message.Written},
		"what the commands of a run do": {limits{time.Hour, 1 << 40}, limits{time.Hour, 150 << 20}, []string{small, small + "; sleep 60"}, message.Written},
	} {
		t.Run(name, func(t *testing.T) {
			space, workspace := open(t, Without{})
			space.budget = budget{command: test.command, all: test.all}
			for i, line := range test.lines {
				err := runInCopy(t, space, workspace, line)
				exceeded, ok := errors.AsType[*LimitError](err)
				switch last := i == len(test.lines)-1; {
				case !last && err != nil:
					t.Fatalf("%s: %v", line, err)
				case last && (!ok || exceeded.Exceeded().Resource != test.want):
					t.Errorf("%s: %v, want the limit %s", line, err, test.want)
				case last:
					t.Log(err)
				}
			}
		})
	}
}

// TestPRE10_ARunHasItsOwnBounds runs commands of several runs, each of which uses nearly what a run
// may.
func TestPRE10_ARunHasItsOwnBounds(t *testing.T) {
	space, workspace := open(t, Without{})
	space.budget = budget{command: limits{time.Hour, 1 << 40}, all: limits{time.Hour, 150 << 20}}
	for _, run := range []string{"one", "two", "three"} {
		if err := runOf(t, space, workspace, run, `yes | head -c 100000000 >part; sleep 1.1`); err != nil {
			t.Errorf("%s: %v", run, err)
		}
	}
}

func runInCopy(t *testing.T, space *Space, workspace, line string) error {
	t.Helper()
	return runOf(t, space, workspace, "run", line)
}

// runOf runs a command of a run in a copy, which is dropped, and returns why it was ended.
func runOf(t *testing.T, space *Space, workspace, run, line string) error {
	t.Helper()
	lower, err := os.OpenRoot(workspace)
	if err != nil {
		t.Fatal(err)
	}
	defer lower.Close()
	layer, err := overlay.New(filepath.Join(t.TempDir(), "layer"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := layer.Remove(); err != nil {
			t.Error(err)
		}
	}()
	if err := layer.Begin(lower, []byte("a test")); err != nil {
		t.Fatal(err)
	}
	p, out := begin(t, space, Command{Line: line, Overlay: layer.Dir, Run: run})
	said, _ := io.ReadAll(out)
	<-p.Done()
	if text := strings.TrimSpace(string(said)); text != "" {
		t.Log(text)
	}
	_, _, err = p.Result()
	return err
}
