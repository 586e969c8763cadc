package change_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
)

// run runs a command in the folder, as a call.
func (r *rig) run(line string) string {
	r.t.Helper()
	call := r.call()
	command, err := r.BeginCommand(r.t.Context(), call)
	must(r.t, err)
	cmd := exec.Command("sh", "-ec", line)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if output, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%s: %v\n%s", line, err, output)
	}
	_, err = command.End(r.t.Context())
	must(r.t, err)
	return call
}

func TestCHG03_WhatCommandsDidIsTakenBackAndMadeAgain(t *testing.T) {
	for _, kind := range changetest.Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			if kind.Needs != "" {
				if _, err := exec.LookPath(kind.Needs); err != nil {
					t.Skipf("there is no %s", kind.Needs)
				}
			}
			r := newRig(t)
			r.fill()
			if kind.Prepare != "" {
				r.run(kind.Prepare)
				// It is what somebody else did.
				r.open()
			}
			before := snapshot(t, r.folder)
			call := r.run(kind.Line)
			after := snapshot(t, r.folder)
			r.agrees()
			for range 2 {
				scope := change.Scope{Calls: []string{call}}
				if done := r.undo(scope); len(done.Kept) > 0 {
					t.Fatalf("kept %+v", done.Kept)
				}
				r.same(before)
				r.agrees()
				if kind.Lost != "" {
					return
				}
				if done := r.redo(scope); len(done.Kept) > 0 {
					t.Fatalf("kept %+v", done.Kept)
				}
				r.same(after)
				r.agrees()
			}
		})
	}
}

func TestCHG03_LargeFilesAreNamedBefore(t *testing.T) {
	r := newRig(t)
	r.put("small.txt", "one\n")
	must(t, os.Truncate(create(t, r.folder, "large"), 30<<20))
	found, err := r.Coverage(t.Context())
	must(t, err)
	if len(found.Lost) != 1 || found.Lost[0].Path != "large" || found.None != "" {
		t.Errorf("found %+v", found)
	}
	call := r.run("rm large small.txt")
	done := r.undo(change.Scope{Calls: []string{call}})
	if len(done.Kept) != 1 || done.Kept[0].Verdict != change.Impossible || r.get("small.txt") != "one\n" {
		t.Errorf("%+v", done)
	}
}

// create makes an empty file.
func create(t *testing.T, folder, name string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, nil, 0o644))
	return path
}

// begin begins a command whose work the test does.
func (r *rig) begin() (*change.Command, string) {
	r.t.Helper()
	call := r.call()
	command, err := r.BeginCommand(r.t.Context(), call)
	must(r.t, err)
	return command, call
}

func (r *rig) end(command *change.Command) *change.Set {
	r.t.Helper()
	set, err := command.End(r.t.Context())
	must(r.t, err)
	return set
}

func TestCHG09_CommandsThatOverlapShareASet(t *testing.T) {
	r := newRig(t)
	r.fill()
	before := snapshot(t, r.folder)
	first, firstCall := r.begin()
	second, _ := r.begin()
	r.put("one.txt", "1\n")
	one := r.end(first)
	r.put("two.txt", "2\n")
	r.put("one.txt", "1 again\n") // once more the same path
	two := r.end(second)
	if one == nil || two == nil || len(one.Others) != 1 || len(two.Changes) != 2 {
		t.Fatalf("found %+v and %+v", one, two)
	}
	r.agrees()
	if done := r.undo(change.Scope{Calls: []string{firstCall}}); len(done.Kept) > 0 {
		t.Errorf("kept %+v", done.Kept)
	}
	r.same(before)
	r.agrees()
}

func TestCHG09_WhatAFileToolWritesMeanwhileIsNotTheCommands(t *testing.T) {
	r := newRig(t)
	r.fill()
	server, serverCall := r.begin()
	server.Background()
	written := r.write("a.txt", "by a tool\n")
	r.put("log.txt", "by the server\n")
	ran, ranCall := r.begin() // what changed before it is the server's
	r.put("made.txt", "made\n")
	if set := r.end(ran); set == nil || len(set.Changes) != 1 || set.CallID != ranCall || len(set.Others) != 1 {
		t.Errorf("the command changed %+v", set)
	}
	if set := r.end(server); set != nil {
		t.Errorf("at its end the server changed %+v", set)
	}
	sets, err := r.Journal.Sets(t.Context(), "s1")
	must(t, err)
	owners := map[string]string{}
	for _, set := range sets {
		for _, c := range set.Changes {
			owners[string(c.Path)] += set.CallID
		}
	}
	for path, want := range map[string]string{"a.txt": written, "log.txt": serverCall, "made.txt": ranCall} {
		if owners[path] != want {
			t.Errorf("%s was changed by %q, want %s", path, owners[path], want)
		}
	}
	r.agrees()
}

// TestSEC09_WhatTakesAPlaceInTheMomentOfAWriteIsPutBack has somebody else exchange two names
// all the time, while only the file of one of them is written: the other is never replaced.
func TestSEC09_WhatTakesAPlaceInTheMomentOfAWriteIsPutBack(t *testing.T) {
	r := newRig(t)
	r.put("mine", "0123456789\n")
	r.put("theirs", "theirs")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(r.folder, "mine"), unix.AT_FDCWD, filepath.Join(r.folder, "theirs"), unix.RENAME_EXCHANGE)
			if err != nil {
				t.Error(err)
				return
			}
		}
	}()
	refused, written := 0, 0
	for i := 0; (refused < 20 || written < 20) && i < 50_000; i++ {
		target := r.target("mine")
		if target.Seen.Size() < 10 {
			continue
		}
		_, err := r.Write(t.Context(), r.call(), target, fmt.Appendf(nil, "0123456789 %d\n", i), change.Lines{})
		switch {
		case err == nil:
			written++
		case errors.Is(err, change.ErrChanged):
			refused++
		default:
			t.Error(err)
		}
	}
	close(stop)
	<-stopped
	if r.get("mine") != "theirs" && r.get("theirs") != "theirs" {
		t.Errorf("they hold %q and %q", r.get("mine"), r.get("theirs"))
	}
	if refused == 0 || written == 0 {
		t.Errorf("%d refused, %d written: nothing was shown", refused, written)
	}
	r.agrees()
}

// TestCHG04_ANameComesBackToTheFileThatStays moves one of two names of a file over another file: taken back, both
// are names of one file again.
func TestCHG04_ANameComesBackToTheFileThatStays(t *testing.T) {
	r := newRig(t)
	r.put("a", "first\n")
	r.put("b", "second\n")
	must(t, os.Link(filepath.Join(r.folder, "a"), filepath.Join(r.folder, "g")))
	command, err := r.BeginCommand(t.Context(), "move")
	must(t, err)
	must(t, os.Rename(filepath.Join(r.folder, "a"), filepath.Join(r.folder, "b")))
	_, err = command.End(t.Context())
	must(t, err)
	r.undo(change.Scope{})
	one, err := os.Lstat(filepath.Join(r.folder, "a"))
	must(t, err)
	other, err := os.Lstat(filepath.Join(r.folder, "g"))
	must(t, err)
	if !os.SameFile(one, other) || r.get("b") != "second\n" {
		t.Errorf("a and g are one file: %v, and b holds %q", os.SameFile(one, other), r.get("b"))
	}
	r.agrees()
}
