//go:build !race

package overlay_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
)

// enterRecorded is enter for a run whose commands are recorded.
func (r *rig) enterRecorded(run string) *drafting {
	r.t.Helper()
	d := r.enter()
	must(r.t, errors.Join(d.draft.KeepRun(run), d.draft.StartRecording(run)))
	d.tools.Below = r.Root
	d.tools.SetRun(run)
	_, err := d.tools.RecordDraft(r.t.Context(), d.draft, "")
	must(r.t, err)
	return d
}

// record runs a command of a call in the draft.
func (d *drafting) record(call, line string) string {
	d.t.Helper()
	_, err := d.tools.RecordDraft(d.t.Context(), d.draft, "")
	must(d.t, err)
	said := d.do(line)
	_, err = d.tools.RecordDraft(d.t.Context(), d.draft, call)
	must(d.t, err)
	return said
}

// snapshot is all that is seen in the draft, but for the times of folders and what an undo does not bring
// back: that several names are of one file, and rights of other users.
func (d *drafting) snapshot() map[string]changetest.Entry {
	d.t.Helper()
	all := changetest.Snapshot(d.t, fmt.Sprintf("/proc/self/fd/%d/.", d.mount.Fd()))
	withoutRights(all)
	for name, e := range all {
		e.Links = 0
		if e.Mode.IsDir() {
			e.Modified = time.Time{}
		}
		all[name] = e
	}
	return all
}

// takeBack takes back what was done in a draft, or makes it again.
func (d *drafting) takeBack(scope change.Scope, redo bool) change.Done {
	d.t.Helper()
	plan, err := d.tools.MakePlan(d.t.Context(), scope, redo)
	must(d.t, err)
	done, err := d.tools.CarryOut(d.t.Context(), plan)
	must(d.t, err)
	return done
}

// stayed lists what was not taken back.
func stayed(done change.Done) string {
	var text strings.Builder
	for _, s := range done.Kept {
		fmt.Fprintf(&text, "%s stayed: %s %s; %+v\n", s.Path(), s.Verdict, s.Lost, s.Set.Changes[s.Index])
	}
	return text.String()
}

// TestPRE06_SoakEachCallIsTakenBackInADraft does random calls of commands and file tools in a draft, in three
// runs, and takes each back there, the last first: the draft is as it was before the call. Then all is
// made again. The folder stays as it is.
func TestPRE06_SoakEachCallIsTakenBackInADraft(t *testing.T) {
	randomTasks(t, func(t *testing.T, r *rig, random *rand.Rand) {
		must(t, os.Remove(filepath.Join(r.folder, "a.txt"))) // which has rights of other users
		must(t, os.WriteFile(filepath.Join(r.folder, "a.txt"), []byte("one\n"), 0o644))
		folder := changetest.Snapshot(t, r.folder)
		var was []map[string]changetest.Entry
		var did []string
		var d *drafting
		for run := range 3 {
			if d != nil {
				d.leave()
			}
			d = r.enterRecorded(fmt.Sprint("run", run))
			for range 4 {
				step := fmt.Sprint("step", len(was))
				d.tools.SetRun(step)
				was = append(was, d.snapshot())
				if random.IntN(2) == 0 {
					did = append(did, randomScript(drawCalls(random, false)))
					d.record(step, did[len(did)-1])
					continue
				}
				did = append(did, "a file tool")
				drawTool(t.Context(), random)(tooled{Recorder: d.tools, root: d.root})
			}
		}
		last := d.snapshot()
		for i := len(was) - 1; i >= 0; i-- {
			done := d.takeBack(change.Scope{Runs: []string{fmt.Sprint("step", i)}}, false)
			if diff := cmp.Diff(was[i], d.snapshot()); diff != "" || len(done.Kept) > 0 {
				t.Fatalf("%d taken back: %s\n%s%s", i, diff, stayed(done), strings.Join(did[:i+1], "\n---\n"))
			}
		}
		if done := d.takeBack(change.Scope{}, true); len(done.Kept) > 0 {
			t.Errorf("not made again: %+v", done.Kept)
		}
		if diff := cmp.Diff(last, d.snapshot()); diff != "" {
			t.Errorf("made again: %s", diff)
		}
		d.leave()
		r.same(folder)
	})
}

// TestPRE06_WhatACommandChangedInADraftIsTold looks at a draft after each command.
func TestPRE06_WhatACommandChangedInADraftIsTold(t *testing.T) {
	r := newRig(t)
	d := r.enterRecorded("run")
	defer d.leave()
	for i, test := range []struct{ line, want string }{
		{"true", ""},
		{"true", ""},
		{"echo x >new; echo x >>a.txt; mkdir d; echo x >d/in", "create new, modify a.txt, mkdir d, create d/in"},
		{"cat a.txt >/dev/null", ""},
		{"echo x >>a.txt; rm new run.sh", "modify a.txt, delete new, delete run.sh"},
		{"echo x >$(printf 'odd\\377 name')", "create odd\xff name"},
		{"rm -r d; echo back >run.sh", "rmdir d, delete d/in, create run.sh"},
	} {
		d.do(test.line)
		set, err := d.tools.RecordDraft(t.Context(), d.draft, fmt.Sprint("call", i))
		must(t, err)
		var got []string
		if set != nil {
			for _, c := range set.Changes {
				got = append(got, fmt.Sprint(c.Op, " ", c.Path))
			}
		}
		slices.Sort(got)
		want := strings.Split(test.want, ", ")
		slices.Sort(want)
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%d, %s: %q, want %q", i, test.line, got, want)
		}
	}
}

// TestPRE06_AFolderThatWasReplacedIsTakenBack has commands replace a folder, by one that has a folder of the
// same name as the first had: what was in the first is taken back.
func TestPRE06_AFolderThatWasReplacedIsTakenBack(t *testing.T) {
	for _, line := range []string{
		"rm -r sub; mkdir -p sub/deep",
		"touch sub/deep/new; rm -r sub; mkdir -p sub/deep",
		"mv sub other; mkdir -p sub/deep/deeper",
		"mkdir -p other/deep; rm -r sub; mv other sub",
	} {
		r := newRig(t)
		d := r.enterRecorded("run")
		d.record("c1", "chmod 700 sub/deep")
		before := d.snapshot()
		d.record("c2", line)
		after := d.snapshot()
		d.tools.SetRun("run2")
		d.record("c3", "chmod 755 sub/deep; echo new >sub/deep/c.txt")
		if done := d.takeBack(change.Scope{Runs: []string{"run2"}}, false); len(done.Kept) > 0 {
			t.Errorf("%s, what came after: %s", line, stayed(done))
		}
		if diff := cmp.Diff(after, d.snapshot()); diff != "" {
			t.Errorf("%s, what came after: %s", line, diff)
		}
		if done := d.takeBack(change.Scope{Calls: []string{"c2"}}, false); len(done.Kept) > 0 {
			t.Errorf("%s: %s", line, stayed(done))
		}
		if diff := cmp.Diff(before, d.snapshot()); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
		d.leave()
	}
}

// TestPRE06_WhatTheFolderNoLongerHasIsNotTakenBack has the user change files in the folder that a command has
// changed and deleted in the draft: what they were before is not there any more.
func TestPRE06_WhatTheFolderNoLongerHasIsNotTakenBack(t *testing.T) {
	r := newRig(t)
	d := r.enterRecorded("run")
	defer d.leave()
	d.record("c1", "echo draft >>a.txt; rm run.sh sub/b.txt")
	must(t, os.WriteFile(filepath.Join(r.folder, "a.txt"), []byte("theirs\n"), 0o644))
	must(t, os.Chmod(filepath.Join(r.folder, "run.sh"), 0o700))
	done := d.takeBack(change.Scope{}, false)
	kept := map[string]change.Verdict{}
	for _, s := range done.Kept {
		if s.Lost != change.LossBelow {
			t.Errorf("%s is lost for %q", s.Path(), s.Lost)
		}
		kept[string(s.Path())] = s.Verdict
	}
	if diff := cmp.Diff(map[string]change.Verdict{"a.txt": change.Impossible, "run.sh": change.Impossible}, kept); diff != "" {
		t.Error(diff)
	}
	if said := d.do("cat a.txt sub/b.txt; test -e run.sh || echo gone"); said != "one\ndraft\ntwo\ngone\n" {
		t.Errorf("the draft has %q", said)
	}
}

// TestCHG07_CommitsInADraftAreTakenBackThere commits in two runs in a draft, and takes both back at once: the
// repository is one thing there too.
func TestCHG07_CommitsInADraftAreTakenBackThere(t *testing.T) {
	r := newRepository(t)
	as := "set -e; export " + strings.Join(gitAs("d"), " ") + "; "
	d := r.enterRecorded("run1")
	d.record("c1", as+"echo x >made; git add -A; git commit -qm third")
	d.leave()
	d = r.enterRecorded("run2")
	defer d.leave()
	d.record("c2", as+"echo y >>made; git commit -qam fourth; git branch -q another")
	look := as + "git log --format=%s | tr '\\n' ' '; git status --porcelain; git fsck 2>&1"
	if said := d.do(look); said != "fourth third second first " {
		t.Fatalf("committed: %q", said)
	}
	if done := d.takeBack(change.Scope{}, false); len(done.Kept) > 0 {
		t.Errorf("taken back:\n%s", stayed(done))
	}
	if said := d.do(look + "; git branch --list another; ls made 2>/dev/null || true"); said != "second first " {
		t.Errorf("taken back: %q", said)
	}
	if done := d.takeBack(change.Scope{}, true); len(done.Kept) > 0 {
		t.Errorf("made again:\n%s", stayed(done))
	}
	if said := d.do(look + "; cat made"); said != "fourth third second first x\ny\n" {
		t.Errorf("made again: %q", said)
	}
}
