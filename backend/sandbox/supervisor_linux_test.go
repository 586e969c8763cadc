package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"fairlead/backend/sandbox/sandboxtest"

	"golang.org/x/sys/unix"
)

func TestSEC02_ASupervisorThatIsGoneIsReplaced(t *testing.T) {
	for name, without := range kinds {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, without)
			p, _ := beginTold(t, s, Command{Line: "echo begun; sleep 1000"})
			for _, pid := range children(t) {
				if err := unix.Kill(pid, unix.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
			if s.locks.Namespaces {
				within(t, p.Done())
				if _, _, err := p.Result(); err == nil {
					t.Error("nobody said that the command was lost")
				}
				waitForSpare(s)
			} else {
				// The guard has outlived it, and obeys.
				p.Kill()
				within(t, p.Done())
			}
			if output, code, _ := run(t, s, Command{Line: "echo again"}); output != "again\n" || code != 0 {
				t.Errorf("then %q, %d", output, code)
			}
		})
	}
}

func TestREL05_WhatBecameOfACommandIsUnknownOnceItsGuardIsGone(t *testing.T) {
	for name, without := range kinds {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, without)
			p, out := beginTold(t, s, Command{Line: "echo begun; sleep 1000"})
			sandboxtest.KillGuards(t)
			within(t, p.Done())
			if code, _, err := p.Result(); !errors.Is(err, ErrUnknown) || code != -1 {
				t.Errorf("code %d, %v", code, err)
			}
			if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
				t.Errorf("then came %q, %v", rest, err)
			}
		})
	}
}

// Nothing of a space is left in memory where nothing runs, and the next command starts
// it anew.
func TestIdleSpaceEndsItsSupervisor(t *testing.T) {
	for name, without := range kinds {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, without)
			s.stopIdle()
			if output, code, _ := run(t, s, Command{Line: "echo begun"}); code != 0 {
				t.Fatalf("the first command: %q, code %d", output, code)
			}
			if !s.timer.Stop() {
				t.Error("nothing would end the supervisor")
			}
			s.stopIdle()
			s.gone.Wait()
			if left := children(t); len(left) > 0 {
				t.Fatalf("processes %v are left of a space where nothing runs", left)
			}

			p, output := begin(t, s, Command{Line: "echo started; while [ ! -e end ]; do sleep 0.01; done; echo ended"})
			if !readFull(output, make([]byte, len("started\n"))) {
				t.Fatal("the second command did not start")
			}
			if s.timer.Stop() {
				t.Error("the supervisor would be ended under a command")
			}
			s.stopIdle()
			if _, code, _ := run(t, s, Command{Line: "touch end"}); code != 0 {
				t.Fatalf("the third command ended with code %d", code)
			}
			s.stopIdle()
			within(t, p.Done())
			if code, signal, err := p.Result(); code != 0 || signal != 0 || err != nil {
				t.Errorf("a rest has ended a running command: code %d, signal %v, %v", code, signal, err)
			}
		})
	}
}

// A command that puts another program in the place of the one that confines, which may
// lie in the workspace, does not have it run.
func TestSEC02_TheProgramThatConfinesStaysTheSame(t *testing.T) {
	sandboxtest.NeedsLimited(t)
	dir := t.TempDir()
	workspace, outside := filepath.Join(dir, "workspace"), filepath.Join(dir, "outside")
	if err := os.Mkdir(workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(workspace, "fairlead")
	if output, err := exec.Command("cp", helper(), path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	found := Inspect(t.Context(), path, nil)
	s, err := found.Open(Place{Workspace: workspace, Private: filepath.Join(dir, "private"), Home: os.Getenv("HOME")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	replace := fmt.Sprintf(`rm fairlead; printf '#!/bin/sh\necho escaped > %s\n' > fairlead; chmod +x fairlead`, outside)
	if output, code, _ := run(t, s, Command{Line: replace}); code != 0 {
		t.Fatalf("%q, code %d", output, code)
	}
	if err := exec.Command(path).Run(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(outside); err != nil {
		t.Fatalf("the other program does nothing: %v", err)
	}
	s.stopIdle() // so that the next command needs a new supervisor
	if output, code, _ := run(t, s, Command{Line: "echo again"}); output != "again\n" || code != 0 {
		t.Errorf("then %q, code %d", output, code)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("the other program was run")
	}
}

// waitForSpare waits until the guard that waited for a command has ended with its supervisor.
func waitForSpare(s *Space) {
	alive := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return isAlive(s.spare)
	}
	for until := time.Now().Add(5 * time.Second); alive() && time.Now().Before(until); {
		runtime.Gosched()
	}
}

// children are the processes that this one has started and not seen end.
func children(t *testing.T) []int {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, path := range tasks {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, field := range bytes.Fields(text) {
			pid, err := strconv.Atoi(string(field))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}
