//go:build !race

package overlay_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
)

// fork begins a draft of another conversation in which the folder is as it was when a run began.
func (r *rig) fork(run string, at time.Time) (*rig, *change.Past) {
	r.t.Helper()
	r.calls++
	options := r.Options
	options.SessionID = fmt.Sprintf("fork%d", r.calls)
	options.Drafts = filepath.Join(r.data, "drafts", options.SessionID)
	options.Journal, options.Objects = &change.Memory{}, change.OpenObjects(filepath.Join(r.data, options.SessionID))
	fork := &rig{t: r.t, folder: r.folder, data: r.data, root: r.root, Recorder: change.NewRecorder(options)}
	openAll(r.t, r.data)
	r.t.Cleanup(func() {
		must(r.t, fork.Close())
		must(r.t, fork.Objects.Close())
	})
	draft, past, err := r.BeginDraftAt(r.t.Context(), fork.Recorder, run, at, func(string) bool { return false })
	must(r.t, err)
	must(r.t, draft.Close())
	return fork, past
}

// later returns a time that is after all that was done so far, and before all that follows, by the clock
// of the file system too.
func (r *rig) later() time.Time {
	const tick = 20 * time.Millisecond
	<-time.After(tick)
	defer func() { <-time.After(tick) }()
	return time.Now()
}

// seen returns what lies in the rig's draft.
func (r *rig) seen() map[string]changetest.Entry {
	r.t.Helper()
	d := r.enter()
	defer d.leave()
	return changetest.Snapshot(r.t, fmt.Sprintf("/proc/self/fd/%d/.", d.mount.Fd()))
}

// withoutLinks leaves out how many names files have: those in a draft are files of their own.
func withoutLinks(all map[string]changetest.Entry) map[string]changetest.Entry {
	for name, e := range all {
		e.Links = 0
		all[name] = e
	}
	return all
}

// applyAll applies all of the rig's draft.
func (r *rig) applyAll() {
	r.t.Helper()
	draft, pending := r.readDraft()
	for i, collision := range pending.Collisions {
		r.t.Errorf("%s: %s", pending.Changes[i].Path, collision)
	}
	_, left, err := r.ApplyDraft(r.t.Context(), draft, pending, func(int) bool { return true })
	must(r.t, err)
	if len(left.Changes) > 0 {
		r.t.Errorf("left: %+v", left.Changes)
	}
}

// TestPRE09_SoakADraftBeginsAsTheFolderWas has commands and file tools do random things in several runs,
// some of which are taken back and made again: a draft begins as the folder was before each of them.
func TestPRE09_SoakADraftBeginsAsTheFolderWas(t *testing.T) {
	randomTasks(t, func(t *testing.T, r *rig, random *rand.Rand) {
		failed := 0
		direct := tooled{r.Recorder, r.root, true, &failed}
		// bare leaves out what Fairlead does not know either.
		bare := func(all map[string]changetest.Entry) map[string]changetest.Entry {
			if all = withoutLinks(all); failed > 0 {
				return changetest.WithoutTimes(all)
			}
			return all
		}
		var was []map[string]changetest.Entry
		var began []time.Time
		for n := range 5 {
			was = append(was, changetest.Snapshot(t, r.folder))
			began = append(began, r.later())
			r.SetRun(fmt.Sprint(n))
			switch random.IntN(4) {
			case 0:
				r.takeBack(fmt.Sprint(random.IntN(n+1)), random.IntN(2) == 0)
			default:
				r.calls++
				layer, _ := r.try(randomScript(drawCalls(random, false)))
				_, err := r.ApplyLayer(t.Context(), fmt.Sprint("call", r.calls), r.read(layer), func(int) bool { return true })
				must(t, err)
				must(t, layer.Remove())
			}
			for range 6 {
				drawTool(t.Context(), random)(direct)
			}
		}
		now := changetest.Snapshot(t, r.folder)
		for n := range slices.Backward(began) {
			fork, past := r.fork(fmt.Sprint(n), began[n])
			if len(past.Missing) > 0 {
				t.Errorf("before run %d, missing: %+v", n, past.Missing)
			}
			if diff := cmp.Diff(bare(was[n]), bare(fork.seen())); diff != "" {
				t.Fatalf("before run %d:\n%s", n, diff)
			}
			r.same(now)
			if n == 0 {
				fork.applyAll()
				if diff := cmp.Diff(bare(was[n]), bare(changetest.Snapshot(t, r.folder))); diff != "" {
					t.Fatalf("applied, before run %d:\n%s", n, diff)
				}
				fork.carryOut(change.Scope{}, false)
				r.same(now)
			}
		}
	})
}

// takeBack takes a run back, or makes it again, as far as that goes.
func (r *rig) takeBack(run string, redo bool) {
	r.t.Helper()
	plan, err := r.MakePlan(r.t.Context(), change.Scope{Runs: []string{run}}, redo)
	must(r.t, err)
	_, err = r.CarryOut(r.t.Context(), plan)
	must(r.t, err)
}

// TestPRE09_WhatOthersChangedIsNamed has the user change a folder between runs: what the conversation
// has not recorded stays as it is and is named, and what both have changed is theirs until they choose.
func TestPRE09_WhatOthersChangedIsNamed(t *testing.T) {
	r := newRig(t)
	write(t, r.folder, "lines.txt", "one\ntwo\nthree\nfour\nfive\n")
	write(t, r.folder, "gone/first", "x")
	write(t, r.folder, "gone/second", "x")
	write(t, r.folder, "both.txt", "begin\n")
	write(t, r.folder, "early.txt", "begin\n")
	at := r.later()
	r.SetRun("1")
	write(t, r.folder, "early.txt", "theirs\n") // before the conversation changes it
	r.run("sed -i s/two/TWO/ lines.txt; echo command >both.txt; echo command >early.txt; mkdir made; echo x >made/by.command; rm run.sh")
	write(t, r.folder, "lines.txt", "one\nTWO\nthree\nfour\nFIVE\n")
	write(t, r.folder, "both.txt", "theirs\n")
	write(t, r.folder, "mine.txt", "theirs\n")
	write(t, r.folder, "made/mine.txt", "theirs\n")
	write(t, r.folder, "sub/b.txt", "theirs\n")
	must(t, os.Remove(filepath.Join(r.folder, "gone/first")))
	now := changetest.Snapshot(t, r.folder)

	fork, past := r.fork("1", at)
	want := []change.Missing{
		{Path: "early.txt", Why: change.AbsentOthers},
		{Path: "gone", Why: change.AbsentDeleted},
		{Path: "made/mine.txt", Why: change.AbsentOthers},
		{Path: "mine.txt", Why: change.AbsentOthers},
		{Path: "sub/b.txt", Why: change.AbsentOthers},
	}
	if diff := cmp.Diff(want, past.Missing); diff != "" {
		t.Errorf("missing: %s", diff)
	}
	seen := fork.seen()
	for name, text := range map[string]string{
		"lines.txt": "one\ntwo\nthree\nfour\nfive\n", "both.txt": "begin\n", "early.txt": "theirs\n", "run.sh": "#!/bin/sh\nexit 0\n",
		"mine.txt": "theirs\n", "made/mine.txt": "theirs\n", "sub/b.txt": "theirs\n", "gone/second": "x", "made/by.command": "",
	} {
		if seen[name].Content != text {
			t.Errorf("%s holds %q in the draft", name, seen[name].Content)
		}
	}
	r.same(now)

	draft, pending := fork.readDraft()
	collisions := map[string]change.Collision{}
	for i, collision := range pending.Collisions {
		collisions[string(pending.Changes[i].Path)] = collision
	}
	wantCollisions := map[string]change.Collision{"lines.txt": change.CollisionMerged, "both.txt": change.CollisionMeanwhile}
	if diff := cmp.Diff(wantCollisions, collisions); diff != "" {
		t.Errorf("in the way: %s", diff)
	}
	kept, err := change.ReadPast(draft.Dir)
	if diff := cmp.Diff(past.Missing, kept.Missing); err != nil || diff != "" {
		t.Errorf("kept: %v\n%s", err, diff)
	}
	_, _, err = fork.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Collisions[i] != change.CollisionMeanwhile })
	must(t, err)
	applied := changetest.Snapshot(t, r.folder)
	for name, text := range map[string]string{"lines.txt": "one\ntwo\nthree\nfour\nFIVE\n", "both.txt": "theirs\n", "made/mine.txt": "theirs\n"} {
		if applied[name].Content != text {
			t.Errorf("%s holds %q once it was applied", name, applied[name].Content)
		}
	}
}

// TestPRE09_WhatWasMovedOrClosedAndThenEditedIsNamed has the user edit files that the conversation has only moved, or
// given another mode: what they held is not kept.
func TestPRE09_WhatWasMovedOrClosedAndThenEditedIsNamed(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"moved.txt", "mode.txt", "still.txt"} {
		write(t, r.folder, name, "begin\n")
	}
	at := r.later()
	r.SetRun("1")
	direct := tooled{Recorder: r.Recorder, root: r.root, careful: true}
	from, to := direct.target("moved.txt"), direct.target("elsewhere.txt")
	_, err := r.Move(t.Context(), "move", from, to)
	must(t, err)
	r.run("chmod 600 mode.txt still.txt")
	write(t, r.folder, "elsewhere.txt", "theirs, longer\n")
	write(t, r.folder, "mode.txt", "theirs, longer\n")
	fork, past := r.fork("1", at)
	want := []change.Missing{{Path: "mode.txt", Why: change.AbsentOthers}, {Path: "moved.txt", Why: change.AbsentOthers}}
	if diff := cmp.Diff(want, past.Missing); diff != "" {
		t.Errorf("missing: %s", diff)
	}
	seen := fork.seen()
	if seen["mode.txt"].Content != "theirs, longer\n" || seen["still.txt"].Mode != 0o644 || seen["still.txt"].Content != "begin\n" {
		t.Errorf("the draft has %+v", seen)
	}
	if _, there := seen["moved.txt"]; there {
		t.Error("moved.txt has come back with what nobody knows")
	}
}

// TestPRE09_AFileInThePlaceOfAFolderIsInTheWay has the user put a file where a folder was in which the conversation has
// changed something.
func TestPRE09_AFileInThePlaceOfAFolderIsInTheWay(t *testing.T) {
	r := newRig(t)
	at := r.later()
	r.SetRun("1")
	r.run("echo command >>sub/deep/c.txt")
	must(t, os.RemoveAll(filepath.Join(r.folder, "sub/deep")))
	write(t, r.folder, "sub/deep", "theirs\n")
	fork, _ := r.fork("1", at)
	if seen := fork.seen(); seen["sub/deep/c.txt"].Content != "three\n" {
		t.Errorf("the draft has %+v", seen)
	}
	draft, pending := fork.readDraft()
	_, _, err := fork.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Collisions[i] == "" })
	must(t, err)
	if text, err := os.ReadFile(filepath.Join(r.folder, "sub/deep")); err != nil || string(text) != "theirs\n" {
		t.Errorf("what the user has put there is %q, %v", text, err)
	}
}

// TestPRE09_ARepositoryIsAsItWasOrLeftAlone forks a conversation that has committed: the repository is as it
// was before, unless the user has committed since.
func TestPRE09_ARepositoryIsAsItWasOrLeftAlone(t *testing.T) {
	r := newRig(t)
	r.plainly("git init -q -b main && git add . && git commit -qm first")
	before := plainlyIn(t, r.folder, "git rev-parse HEAD")
	at := r.later()
	r.SetRun("1")
	r.run("echo more >>a.txt && git commit -qam second")
	fork, past := r.fork("1", at)
	d := fork.enter()
	said := d.do("git rev-parse HEAD; git status --porcelain; git fsck --strict")
	d.leave()
	if said != before || len(past.Missing) > 0 {
		t.Errorf("the draft has %q, before it was %q; missing %+v", said, before, past.Missing)
	}
	r.plainly("git commit -q --allow-empty -m third")
	now := plainlyIn(t, r.folder, "git rev-parse HEAD")
	fork, past = r.fork("1", at)
	d = fork.enter()
	said = d.do("git rev-parse HEAD; git status --porcelain; git fsck --strict")
	d.leave()
	if want := now + " M a.txt\n"; said != want {
		t.Errorf("the draft has %q, want %q", said, want)
	}
	if diff := cmp.Diff([]change.Missing{{Path: ".git", Why: change.AbsentUnit}}, past.Missing); diff != "" {
		t.Errorf("missing: %s", diff)
	}
}
