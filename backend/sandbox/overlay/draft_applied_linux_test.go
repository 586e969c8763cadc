//go:build !race

package overlay_test

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/change"
)

// TestPRE06_WhatWasAppliedIsTheFoldersAgain applies a part of a draft. What the user then changes of it is
// seen in the draft, and is no conflict.
func TestPRE06_WhatWasAppliedIsTheFoldersAgain(t *testing.T) {
	r := newRig(t)
	d := r.enter()
	d.do("echo new >new; chmod 700 run.sh; mv a.txt moved.txt; rm link; echo draft >made; rm -r sub")
	d.leave()
	r.applyOnly(func(c change.Change) bool { return c.Path != "new" && c.Before.Kind != change.Folder })
	for _, name := range []string{"run.sh", "moved.txt", "link", "made", "a.txt"} {
		must(t, os.WriteFile(filepath.Join(r.folder, name), []byte("the user's\n"), 0o600))
	}
	d = r.enter()
	if said := d.do("cat run.sh moved.txt link made a.txt | uniq; test -e sub || echo no sub"); said != "the user's\nno sub\n" {
		t.Errorf("the draft sees %q", said)
	}
	d.leave()
	draft, pending := r.readDraft()
	defer func() { must(t, draft.Close()) }()
	if len(pending.Collisions) > 0 {
		t.Errorf("collisions at %q", collided(pending))
	}
	for _, c := range pending.Changes {
		if c.Path != "new" && (c.Before.Kind != change.Folder || c.After.Kind != change.None) {
			t.Errorf("changed in the draft: %s %s", c.Op, c.Path)
		}
	}
}

// TestPRE06_AChangeOfThePartThatWasNotAppliedIsAConflict has the user change what is still in the draft.
func TestPRE06_AChangeOfThePartThatWasNotAppliedIsAConflict(t *testing.T) {
	r := newRig(t)
	d := r.enter()
	d.do("rm -r sub; rm run.sh")
	d.leave()
	r.applyOnly(func(c change.Change) bool { return c.Path == "sub/b.txt" })
	must(t, os.Chmod(filepath.Join(r.folder, "sub"), 0o700))
	must(t, os.Chmod(filepath.Join(r.folder, "run.sh"), 0o700))
	draft, pending := r.readDraft()
	defer func() { must(t, draft.Close()) }()
	if got := collided(pending); len(got) != 2 {
		t.Errorf("collisions at %q", got)
	}
}

// applyOnly applies a part of the draft.
func (r *rig) applyOnly(chosen func(change.Change) bool) {
	r.t.Helper()
	draft, pending := r.readDraft()
	_, _, err := r.ApplyDraft(r.t.Context(), draft, pending, func(i int) bool { return chosen(pending.Changes[i]) })
	must(r.t, err)
	must(r.t, draft.Close())
}
