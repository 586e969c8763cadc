//go:build !race

package overlay_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change/changetest"
)

// TestPRE09_SoakAForkHasWhatWasInTheDraft has a conversation do random things in the folder, then in a draft,
// and in the folder again: a draft that begins before each run has the folder, and the draft, as they
// were.
func TestPRE09_SoakAForkHasWhatWasInTheDraft(t *testing.T) {
	randomTasks(t, func(t *testing.T, r *rig, random *rand.Rand) {
		r.Drafts = filepath.Join(r.data, "drafts", "session")
		openAll(t, r.data)
		direct := tooled{Recorder: r.Recorder, root: r.root, careful: true}
		var was []map[string]changetest.Entry
		var began []time.Time
		for n := range 6 {
			began = append(began, r.later())
			r.SetRun(fmt.Sprint(n))
			if n%3 == 0 { // in the folder
				was = append(was, changetest.Snapshot(t, r.folder))
				if n > 0 {
					was[n] = nil // what the draft has is another folder
				}
				for range 8 {
					drawTool(t.Context(), random)(direct)
				}
				continue
			}
			draft, err := r.OpenDraft()
			must(t, err)
			must(t, draft.KeepRun(fmt.Sprint(n)))
			must(t, draft.Close())
			d := r.enter()
			was = append(was, changetest.Snapshot(t, fmt.Sprintf("/proc/self/fd/%d/.", d.mount.Fd())))
			d.do(randomScript(drawCalls(random, false)))
			for range 4 {
				drawTool(t.Context(), random)(tooled{Recorder: d.tools, root: d.root, careful: true})
			}
			d.leave()
		}
		bare := func(all map[string]changetest.Entry) map[string]changetest.Entry {
			all = changetest.WithoutTimes(withoutLinks(all))
			withoutRights(all)
			return all
		}
		now := changetest.Snapshot(t, r.folder)
		for n := range slices.Backward(began) {
			if was[n] == nil {
				continue
			}
			fork, _ := r.fork(fmt.Sprint(n), began[n])
			if diff := cmp.Diff(bare(was[n]), bare(fork.seen())); diff != "" {
				t.Fatalf("before run %d:\n%s", n, diff)
			}
			r.same(now)
		}
	})
}

// TestPRE09_WhatIsKeptOfADraftIsBounded keeps what is in a draft for more runs than it is kept of, and then has it hold
// more than is kept of one.
func TestPRE09_WhatIsKeptOfADraftIsBounded(t *testing.T) {
	r := newRig(t)
	r.Drafts = filepath.Join(r.data, "drafts", "session")
	openAll(t, r.data)
	d := r.enter()
	d.do("echo draft >a.txt; chmod 400 a.txt; rm run.sh")
	d.leave()
	keep := func(run string) {
		t.Helper()
		draft, err := r.OpenDraft()
		must(t, err)
		must(t, errors.Join(draft.KeepRun(run), draft.Close()))
	}
	for n := range 25 {
		keep(fmt.Sprintf("%02d", n))
	}
	for run, want := range map[string]bool{"04": false, "05": true, "24": true} {
		fork, past := r.fork(run, r.later())
		seen := fork.seen()
		if _, there := seen["run.sh"]; past.HasDraft != want || there == want || want && seen["a.txt"].Content != "draft\n" {
			t.Errorf("a fork at run %s has the draft: %v, %+v", run, past.HasDraft, seen)
		}
	}
	d = r.enter()
	d.do("for i in $(seq 5001); do :>$i; done")
	d.leave()
	keep("25")
	if _, past := r.fork("25", r.later()); past.HasDraft {
		t.Error("more was kept than is kept")
	}
	if left, err := filepath.Glob(filepath.Join(r.Drafts, "*", "runs", "*.new")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
