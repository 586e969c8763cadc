package change_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fairlead/backend/change"
)

// get is what a file holds, or why it holds nothing.
func (r *rig) get(path string) string {
	content, err := os.ReadFile(filepath.Join(r.folder, path))
	if err != nil {
		return "nothing"
	}
	return string(content)
}

func TestCHG04_WhatSomebodyElseChangedStays(t *testing.T) {
	tests := map[string]struct {
		do, meanwhile func(r *rig)
		// kept is what stays, and verdict what the plan says of it.
		path, kept string
		verdict    change.Verdict
	}{
		"edited after it was written": {
			func(r *rig) { r.write("a.txt", "other\n") },
			func(r *rig) { r.put("a.txt", "mine\n") }, "a.txt", "mine\n", change.Conflict,
		},
		"deleted after it was written": {
			func(r *rig) { r.write("a.txt", "other\n") },
			func(r *rig) { must(r.t, os.Remove(filepath.Join(r.folder, "a.txt"))) }, "a.txt", "nothing", change.Conflict,
		},
		"restored by hand": {
			func(r *rig) { r.write("a.txt", "other\n") },
			func(r *rig) { r.put("a.txt", "one\n") }, "a.txt", "one\n", change.Nothing,
		},
		"new file that was edited": {
			func(r *rig) { r.write("new.txt", "new\n") },
			func(r *rig) { r.put("new.txt", "mine\n") }, "new.txt", "mine\n", change.Conflict,
		},
		"new file that is gone": {
			func(r *rig) { r.write("new.txt", "new\n") },
			func(r *rig) { must(r.t, os.Remove(filepath.Join(r.folder, "new.txt"))) }, "new.txt", "nothing", change.Nothing,
		},
		"deleted, and another made": {
			func(r *rig) { r.delete("a.txt") },
			func(r *rig) { r.put("a.txt", "mine\n") }, "a.txt", "mine\n", change.Conflict,
		},
		"moved, and another made": {
			func(r *rig) { r.move("a.txt", "b.txt") },
			func(r *rig) { r.put("a.txt", "mine\n") }, "a.txt", "mine\n", change.Conflict,
		},
		"made a program": {
			func(r *rig) { r.write("a.txt", "other\n") },
			func(r *rig) { must(r.t, os.Chmod(filepath.Join(r.folder, "a.txt"), 0o755)) }, "a.txt", "other\n", change.Conflict,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if name == "made a program" && runtime.GOOS == "windows" {
				t.Skip("Windows has no modes: every file may be run")
			}
			r := newRig(t)
			r.fill()
			test.do(r)
			test.meanwhile(r)
			plan, err := r.PlanUndo(t.Context(), change.Scope{})
			must(t, err)
			if plan.Count(test.verdict) == 0 {
				t.Errorf("the plan is %+v", plan)
			}
			done, err := r.CarryOut(t.Context(), plan)
			must(t, err)
			if got := r.get(test.path); got != test.kept {
				t.Errorf("%s holds %q", test.path, got)
			}
			if test.verdict == change.Conflict && len(done.Kept) == 0 {
				t.Error("nothing is said of it")
			}
			r.agrees()
		})
	}
}

func TestCHG04_WhatChangesAfterThePlanStays(t *testing.T) {
	r := newRig(t)
	r.fill()
	r.write("a.txt", "other\n")
	plan, err := r.PlanUndo(t.Context(), change.Scope{})
	must(t, err)
	r.put("a.txt", "mine\n")
	done, err := r.CarryOut(t.Context(), plan)
	must(t, err)
	if got := r.get("a.txt"); got != "mine\n" || len(done.Kept) != 1 || len(done.Sets) > 0 {
		t.Errorf("it holds %q; %+v", got, done)
	}
	r.agrees()
}

func TestCHG05_ACallAPathOrARunIsTakenBack(t *testing.T) {
	r := newRig(t)
	r.fill()
	first := r.write("a.txt", "other\n")
	second := r.write("sub/b.txt", "other\n")
	r.SetRun("r2")
	r.write("a.txt", "third\n")
	r.delete("sub/deep")
	r.undo(change.Scope{Calls: []string{second}})
	if got := r.get("sub/b.txt"); got != "two\n" {
		t.Errorf("after its call was taken back it holds %q", got)
	}
	// What was changed again since is not taken back alone.
	if done := r.undo(change.Scope{Calls: []string{first}}); len(done.Kept) != 1 || r.get("a.txt") != "third\n" {
		t.Errorf("a.txt holds %q; %+v", r.get("a.txt"), done)
	}
	r.undo(change.Scope{Paths: []string{"sub"}, Runs: []string{"r2"}})
	if got := r.get("sub/deep/c.txt"); got != "three\n" {
		t.Errorf("after its folder was taken back it holds %q", got)
	}
	r.undo(change.Scope{Runs: []string{"r2"}})
	if got := r.get("a.txt"); got != "other\n" {
		t.Errorf("after the run was taken back it holds %q", got)
	}
	r.redo(change.Scope{Runs: []string{"r2"}})
	if got := r.get("a.txt"); got != "third\n" || r.get("sub/deep/c.txt") != "nothing" {
		t.Errorf("after the run was made again it holds %q", got)
	}
	r.agrees()
}

func TestCHG04_LaterThereIsNoFalseConflict(t *testing.T) {
	r := newRig(t)
	r.fill()
	r.write("a.txt", "other\n")
	r.write("new/x.txt", "new\n")
	r.delete("sub/deep")
	r.move("sub/b.txt", "moved.txt")
	r.write("run.sh", "#!/bin/sh\nexit 1\n")
	// The folder is copied, as to another disk, and the copy takes its place; all is touched,
	// and what git would set anew of modes is.
	later := time.Now().Add(time.Hour)
	copied := r.folder + "-copy"
	must(t, os.CopyFS(copied, os.DirFS(r.folder)))
	r.closeFolder()
	must(t, os.RemoveAll(r.folder))
	must(t, os.Rename(copied, r.folder))
	for _, name := range []string{"a.txt", "new/x.txt", "moved.txt", "run.sh"} {
		must(t, os.Chtimes(filepath.Join(r.folder, name), later, later))
	}
	must(t, os.Chmod(filepath.Join(r.folder, "run.sh"), 0o755))
	r.open()
	if done := r.undo(change.Scope{}); len(done.Kept) > 0 {
		t.Fatalf("kept %+v", done.Kept)
	}
	for path, want := range map[string]string{
		"a.txt": "one\n", "new/x.txt": "nothing", "sub/deep/c.txt": "three\n", "sub/b.txt": "two\n", "moved.txt": "nothing", "run.sh": "#!/bin/sh\nexit 0\n",
	} {
		if got := r.get(path); got != want {
			t.Errorf("%s holds %q", path, got)
		}
	}
	r.agrees()
}

func TestCHG04_AHundredSetsOnOneFileAreTakenBackOneByOne(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "0\n")
	before := snapshot(t, r.folder)
	var calls []string
	for i := 1; i <= 100; i++ {
		calls = append(calls, r.write("a.txt", fmt.Sprintf("%d\n", i)))
	}
	for i := 100; i >= 1; i-- {
		if done := r.undo(change.Scope{Calls: calls[i-1 : i]}); len(done.Kept) > 0 {
			t.Fatalf("set %d: %+v", i, done)
		}
		if got := strings.TrimSpace(r.get("a.txt")); got != fmt.Sprint(i-1) {
			t.Fatalf("after set %d it holds %s", i, got)
		}
	}
	r.same(before)
	r.agrees()
}

func TestCHG02_AFileThatIsOpenElsewhereLosesNothing(t *testing.T) {
	r := newRig(t)
	r.put("log.txt", "one\n")
	open, err := os.OpenFile(filepath.Join(r.folder, "log.txt"), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	defer open.Close()
	if runtime.GOOS == "windows" { // nobody can replace it meanwhile
		_, err := r.Write(t.Context(), "c1", r.target("log.txt"), []byte("replaced\n"), change.Lines{})
		if _, ok := errors.AsType[*change.InUseError](err); !ok || r.get("log.txt") != "one\n" {
			t.Errorf("it holds %q, %v", r.get("log.txt"), err)
		}
		return
	}
	r.write("log.txt", "replaced\n")
	_, err = open.WriteString("two\n") // into what was replaced
	must(t, err)
	r.undo(change.Scope{})
	if got := r.get("log.txt"); got != "one\ntwo\n" {
		t.Errorf("it holds %q", got)
	}
	r.agrees()
}

func TestCHG02_AnotherNameThatIsWrittenToKeepsWhatIsItsOwn(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "one\n")
	must(t, os.Link(filepath.Join(r.folder, "a.txt"), filepath.Join(r.folder, "b.txt")))
	r.write("a.txt", "replaced\n")
	r.put("b.txt", "mine\n") // the same file as what was replaced
	r.undo(change.Scope{})
	if a, b := r.get("a.txt"), r.get("b.txt"); a != "one\n" || b != "mine\n" {
		t.Errorf("they hold %q and %q", a, b)
	}
	r.agrees()
}

func TestCHG04_TextsThatOthersEditedAreMerged(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "1\n2\n3\n4\n5\n")
	r.put("b.txt", "1\n2\n3\n")
	before := r.get("a.txt")
	r.write("a.txt", "1\n2\n3\n4\nfive\n")
	r.write("b.txt", "1\ntwo\n3\n")
	r.put("a.txt", "mine\n"+r.get("a.txt"))
	r.put("b.txt", "1\nmine\n3\n") // the line that was written
	plan, err := r.PlanUndo(t.Context(), change.Scope{})
	must(t, err)
	if plan.Count(change.Conflict) != 2 {
		t.Fatalf("the plan is %+v", plan)
	}
	plan, err = r.PlanUndo(t.Context(), change.Scope{Choices: plan.ChooseAll(change.Merged)})
	must(t, err)
	if plan.Count(change.Conflict) != 1 {
		t.Fatalf("merged, the plan is %+v", plan)
	}
	done, err := r.CarryOut(t.Context(), plan)
	must(t, err)
	if a, b := r.get("a.txt"), r.get("b.txt"); a != "mine\n"+before || b != "1\nmine\n3\n" || len(done.Kept) != 1 {
		t.Errorf("they hold %q and %q; %+v", a, b, done)
	}
	r.agrees()
	r.redo(change.Scope{})
	if a := r.get("a.txt"); a != "mine\n1\n2\n3\n4\nfive\n" {
		t.Errorf("made again, it holds %q", a)
	}
	r.agrees()
}

func TestCHG05_WhatWasTakenBackBitByBitIsMadeAgain(t *testing.T) {
	r := newRig(t)
	r.fill()
	call := r.delete("sub")
	after := snapshot(t, r.folder)
	r.undo(change.Scope{Paths: []string{"sub/b.txt"}}) // its folder is not there: it stays
	r.undo(change.Scope{Paths: []string{"sub"}})
	r.write("a.txt", "other\n")
	for _, path := range []string{"sub/b.txt", "sub/deep"} {
		r.redo(change.Scope{Paths: []string{path}, Calls: []string{call}})
		r.agrees()
		r.undo(change.Scope{Paths: []string{path}, Calls: []string{call}})
		r.agrees()
	}
	r.undo(change.Scope{Paths: []string{"a.txt"}})
	if done := r.redo(change.Scope{Calls: []string{call}}); len(done.Kept) > 0 {
		t.Errorf("kept %+v", done.Kept)
	}
	r.agrees()
	r.sameFiles(after)
}

func TestCHG08_WhatWasFreedSaysSo(t *testing.T) {
	r := newRig(t)
	r.fill()
	r.write("a.txt", "other\n")
	r.delete("sub/b.txt")
	sets, err := r.Journal.Sets(t.Context(), "s1")
	must(t, err)
	for _, set := range sets {
		if freed, err := change.Free(t.Context(), r.journal, r.objects, set); err != nil || freed == 0 {
			t.Errorf("%d bytes freed, %v", freed, err)
		}
	}
	r.agrees()
	done := r.undo(change.Scope{})
	if len(done.Kept) != 2 || done.Kept[0].Verdict != change.Impossible || done.Kept[0].Lost != change.LossFreed {
		t.Errorf("kept %+v", done.Kept)
	}
	sets, err = r.Journal.Sets(t.Context(), "s1")
	must(t, err)
	if lost, left, err := r.objects.Check(sets); lost+left > 0 || err != nil {
		t.Errorf("%d lost, %d left, %v", lost, left, err)
	}
	if kept, err := change.KeptBytes(filepath.Join(r.data, "changes")); kept > 0 || err != nil {
		t.Errorf("%d bytes are kept, %v", kept, err)
	}
}

// TestCHG02_WhatCouldNotBePutBackIsKept is a process that ended when something that nobody had
// seen had just been taken from a path, and before that was put back.
func TestCHG02_WhatCouldNotBePutBackIsKept(t *testing.T) {
	for name, there := range map[string]string{"nothing came after it": "", "something came after it": "newer\n"} {
		t.Run(name, func(t *testing.T) { whatCouldNotBePutBackIsKept(t, newRig(t), there) })
		t.Run(name+", far", func(t *testing.T) { whatCouldNotBePutBackIsKept(t, newRigIn(t, otherFileSystem(t)), there) })
	}
}

func whatCouldNotBePutBackIsKept(t *testing.T, r *rig, there string) {
	t.Helper()
	r.fill()
	r.write("run.sh", "so that there are objects\n")
	listed, err := r.List(t.Context(), r.target("a.txt"))
	must(t, err)
	id := newID()
	must(t, r.Journal.SaveSets(t.Context(), true, change.Set{
		ID: id, SessionID: "s1", RunID: "r1", CallID: "cut", Made: time.Now(), Open: true, Source: change.ByTool,
		Changes: []change.Change{{Path: "a.txt", Op: change.Delete, Before: listed[0].State, Kept: id + "-0"}},
	}))
	must(t, os.Remove(filepath.Join(r.folder, "a.txt")))
	must(t, os.WriteFile(filepath.Join(r.data, "changes", "s1", id+"-0"), []byte("theirs\n"), 0o644))
	if there != "" {
		r.put("a.txt", there)
	}
	must(t, r.Recover(t.Context()))
	r.agrees()
	if there != "" {
		must(t, os.Remove(filepath.Join(r.folder, "a.txt")))
	}
	r.undo(change.Scope{Calls: []string{"cut"}})
	if got := r.get("a.txt"); got != "theirs\n" {
		t.Errorf("it holds %q", got)
	}
	r.agrees()
}

func TestCHG02_ACopyIsKeptAsLongAsItIsNeeded(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "one\n")
	must(t, os.Link(filepath.Join(r.folder, "a.txt"), filepath.Join(r.folder, "b.txt")))
	r.delete("a.txt")
	r.agrees()
	r.put("b.txt", "mine\n") // the same file as what was deleted
	for range 3 {
		r.undo(change.Scope{})
		if a, b := r.get("a.txt"), r.get("b.txt"); a != "one\n" || b != "mine\n" {
			t.Fatalf("they hold %q and %q", a, b)
		}
		r.agrees()
		r.redo(change.Scope{})
		if a := r.get("a.txt"); a != "nothing" {
			t.Fatalf("it holds %q", a)
		}
		r.agrees()
	}
}
