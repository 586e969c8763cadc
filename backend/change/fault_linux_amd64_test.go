//go:build !race

// Thousands of faults take the race detector too long, and it sees nothing of them.

package change_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
)

// operation is something that changes a folder. prepare makes what it needs, and returns it.
type operation struct {
	name    string
	prepare func(r *rig) func() error
	// compared reports whether it is a command, which changes the folder whatever becomes of
	// the look after it.
	compared bool
	// conflict reports whether somebody else has changed something, which no undo takes back.
	conflict bool
	// fill adds to what is in the folder, and again does what is left to be done after the next start,
	// which may have swept something away; nil for nothing.
	fill  func(r *rig)
	again func(r *rig, swept bool) error
	// readOnly reports whether nothing in the folder sub can be changed before that is opened.
	readOnly bool
}

var operations = []operation{
	{name: "new file in new folders", prepare: func(r *rig) func() error { return r.writing("new/deep/file.txt", "new\n") }},
	{name: "file replaced", prepare: func(r *rig) func() error { return r.writing("a.txt", "other\n") }},
	{name: "file with two names replaced", prepare: func(r *rig) func() error { return r.writing("linked.txt", "other\n") }},
	{name: "file deleted", prepare: func(r *rig) func() error { return r.deleting("a.txt") }},
	{name: "folder deleted", prepare: func(r *rig) func() error { return r.deleting("sub") }},
	{name: "folder moved to new folders", prepare: func(r *rig) func() error {
		from, to := r.target("sub"), r.target("new/deep/sub")
		return func() error { _, err := r.Move(r.t.Context(), "call", from, to); return err }
	}},
	{name: "command", prepare: func(r *rig) func() error {
		return r.commanding("echo more >>run.sh; rm -r link sub; mkdir c; echo c >c/d")
	}, compared: true},
	{name: "layer applied", prepare: (*rig).applying},
	{name: "layer applied in a read-only folder", readOnly: true, prepare: (*rig).applying},
	{name: "layer applied where a file becomes a folder", fill: (*rig).fillFile, prepare: (*rig).applying},
	{name: "draft applied", fill: (*rig).fillGit, prepare: (*rig).applyingDraft, again: (*rig).applyDraft},
	{name: "undo in read-only folders", prepare: func(r *rig) func() error {
		r.run("echo more >>sub/b.txt; rm sub/deep/*; echo new >sub/deep/new; chmod 555 sub sub/deep")
		return r.carrying(r.PlanUndo)
	}},
	{name: "part taken back", prepare: func(r *rig) func() error {
		r.write("a.txt", "other\n")
		choice := r.choice(0)
		return func() error { _, err := r.ChooseHunks(r.t.Context(), "r1", choice); return err }
	}},
	{name: "put beside", prepare: func(r *rig) func() error {
		r.write("a.txt", "other\n")
		r.put("a.txt", "mine\n")
		scope := change.Scope{Choices: map[leftover.Path]change.Choice{"a.txt": change.Both}}
		return r.carrying(func(ctx context.Context, _ change.Scope) (change.Plan, error) { return r.PlanUndo(ctx, scope) })
	}, conflict: true},
	{name: "undo", prepare: func(r *rig) func() error { r.changeMuch(); return r.carrying(r.PlanUndo) }},
	{name: "redo", prepare: func(r *rig) func() error { r.changeMuch(); r.undo(change.Scope{}); return r.carrying(r.PlanRedo) }},
}

func (r *rig) writing(path, content string) func() error {
	target := r.target(path)
	return func() error {
		_, err := r.Write(r.t.Context(), "call", target, []byte(content), change.Lines{})
		return err
	}
}

func (r *rig) deleting(path string) func() error {
	target := r.target(path)
	listed, err := r.List(r.t.Context(), target)
	must(r.t, err)
	return func() error { _, err := r.Delete(r.t.Context(), "call", target, listed); return err }
}

func (r *rig) commanding(line string) func() error {
	return func() error {
		command, err := r.BeginCommand(r.t.Context(), "call")
		if err != nil {
			return err
		}
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = r.folder
		err = cmd.Run()
		_, ended := command.End(r.t.Context())
		return errors.Join(err, ended)
	}
}

func (r *rig) carrying(makePlan func(context.Context, change.Scope) (change.Plan, error)) func() error {
	return func() error {
		plan, err := makePlan(r.t.Context(), change.Scope{})
		if err != nil {
			return err
		}
		done, err := r.CarryOut(r.t.Context(), plan)
		if err == nil && len(done.Kept) > 0 {
			err = fmt.Errorf("kept %d paths", len(done.Kept))
		}
		return err
	}
}

// changeMuch changes one thing of each kind.
func (r *rig) changeMuch() {
	r.write("a.txt", "other\n")
	r.write("new/deep/file.txt", "new\n")
	r.move("sub/b.txt", "moved/b.txt")
	r.delete("sub")
	r.run("echo more >>run.sh; rm link; mkdir c; echo c >c/d")
}

// attempt is one run of an operation with a fault.
type attempt struct {
	*rig
	// first is what was there before anything was changed, before what was there before the
	// operation.
	first, before map[string]entry
	do            func() error
}

func newAttempt(t *testing.T, data, work string, o operation) *attempt {
	t.Helper()
	a := &attempt{rig: newRigAt(t, data, work)}
	a.fill()
	if o.fill != nil {
		o.fill(a.rig)
	}
	if o.readOnly {
		must(t, os.Chmod(filepath.Join(a.folder, "sub"), 0o555))
	}
	a.first = snapshot(t, a.folder)
	a.do = o.prepare(a.rig)
	a.before = snapshot(t, a.folder)
	return a
}

// isEither fails if a path is neither as it was before nor as after.
func (a *attempt) isEither(after map[string]entry) {
	a.t.Helper()
	now := snapshot(a.t, a.folder)
	names := map[string]bool{}
	for _, all := range []map[string]entry{a.before, after, now} {
		for name := range all {
			names[name] = true
		}
	}
	for name := range names {
		is, was, becomes := now[name], a.before[name], after[name]
		if is.Mode.IsDir() {
			is.Modified, was.Modified = time.Time{}, time.Time{}
		}
		becomes.Modified = is.Modified // it was made in another run
		was.Links, becomes.Links = is.Links, is.Links
		if is != was && is != becomes {
			a.t.Fatalf("%s is %+v; it was %+v, and is to be %+v", name, is, was, becomes)
		}
	}
}

// startAgain opens everything as the next start does, and checks that nothing is lost.
func (a *attempt) startAgain(o operation, after map[string]entry, failed error) {
	a.t.Helper()
	again := openRig(a.t, a.data)
	again.far = a.far
	defer again.close()
	swept := again.sweep()
	must(a.t, again.Recover(a.t.Context()))
	again.agrees()
	a.isEither(after)
	if o.again != nil {
		must(a.t, o.again(again, swept))
	}
	if failed == nil || o.again != nil {
		a.before = after
		a.isEither(after)
	} else if o.compared {
		return // what a command did, and nobody could look at, is not known
	}
	if o.conflict {
		return // what the user has changed stays
	}
	if done := again.undo(change.Scope{}); len(done.Kept) > 0 {
		a.t.Fatalf("kept %+v", done.Kept)
	}
	again.sameFiles(a.first)
	again.agrees()
}

// sweep deletes what is on record, as the next start does when this process has ended. It reports
// whether anything was.
func (r *rig) sweep() (swept bool) {
	r.t.Helper()
	must(r.t, fs.WalkDir(r.root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := r.root.Lstat(path)
		if err == nil && r.Leftover.Names(r.root, r.folder, path, info) {
			swept, err = true, r.root.Remove(path)
		}
		return err
	}))
	return swept
}

// TestCHG02_SoakAFaultOfTheSystemLosesNothing has each call to the system fail in turn that
// changing a folder makes.
func TestCHG02_SoakAFaultOfTheSystemLosesNothing(t *testing.T) {
	each := 30 // of so many faults, one is tried in each run of the tests
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		each = 1
	}
	for i := range 2 * len(operations) {
		o, far := operations[i/2], i%2 == 1
		t.Run(fmt.Sprintf("%s, far %v", o.name, far), func(t *testing.T) {
			all := faults{kind: noFault}
			after := tryFault(t, o, far, &all, nil)
			for _, kind := range []faultKind{inputError, noSpace, shortWrite} {
				tried := 0
				for at := 1 + rand.IntN(each); at <= len(all.made); at += each {
					call := all.made[at-1]
					if kind == noSpace && !call.grows || kind == shortWrite && !slices.Contains([]string{"write", "pwrite64"}, call.name) {
						continue
					}
					f := faults{kind: kind, at: at}
					t.Run(fmt.Sprintf("%s at call %d %s", kind, at, call.name), func(t *testing.T) { tryFault(t, o, far, &f, after) })
					tried++
				}
				t.Logf("%s at %d of %d calls", kind, tried, len(all.made))
			}
		})
	}
}

// tryFault runs an operation with a fault, and returns what the folder is after it.
func tryFault(t *testing.T, o operation, far bool, f *faults, after map[string]entry) map[string]entry {
	t.Helper()
	data := t.TempDir()
	if far {
		data = otherFileSystem(t)
	}
	a := newAttempt(t, data, t.TempDir(), o)
	a.far = far
	f.below = []string{a.folder, a.data}
	var failed error
	f.runWithFaults(t, func() { failed = a.do() })
	a.close()
	now := snapshot(t, a.folder)
	if f.kind == noFault {
		must(t, failed)
		after = now
	}
	t.Logf("%s: %v", f.failed, failed)
	a.startAgain(o, after, failed)
	return now
}

// TestCHG02_AFileThatAFolderReplacesIsBackAfterAFault has the folder not be made that takes the place of a file.
func TestCHG02_AFileThatAFolderReplacesIsBackAfterAFault(t *testing.T) {
	o := operations[slices.IndexFunc(operations, func(o operation) bool { return o.fill != nil })]
	for _, far := range []bool{false, true} {
		all := faults{kind: noFault}
		after := tryFault(t, o, far, &all, nil)
		for i, call := range all.made {
			if call.name != "mkdirat" {
				continue
			}
			t.Run(fmt.Sprintf("call %d, far %v", i+1, far), func(t *testing.T) {
				tryFault(t, o, far, &faults{kind: inputError, at: i + 1}, after)
			})
		}
	}
}
