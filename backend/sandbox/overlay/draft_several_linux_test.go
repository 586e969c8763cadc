//go:build !race

package overlay_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
)

// another returns a rig of another conversation in the same folder.
func (r *rig) another(id string) *rig {
	other := *r
	options := r.Options
	options.SessionID, options.Drafts = id, filepath.Join(r.data, "drafts-"+id)
	other.Recorder = change.NewRecorder(options)
	r.t.Cleanup(func() { must(r.t, other.Close()) })
	return &other
}

// TestPRE06_SeveralDraftsOfOneFolder applies two drafts one after the other: the second sees the
// first as the user's changes.
func TestPRE06_SeveralDraftsOfOneFolder(t *testing.T) {
	r := newRig(t)
	for n := range 6 {
		write(t, r.folder, fmt.Sprintf("f%d", n), fmt.Sprintf("%d\n", n))
	}
	other := r.another("other")
	one, two := r.enter(), other.enter()
	one.do("echo one >>f0; echo one >>f1; rm f2; echo one >new")
	two.do("echo two >>f1; echo two >>f3; rm f2; rm f4; echo two >new")
	two.do("cat f0 >seen") // the other draft is not seen
	one.leave()
	two.leave()
	draft, pending := r.readDraft()
	if _, left, err := r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true }); err != nil || len(left.Changes) > 0 || len(pending.Collisions) > 0 {
		t.Fatalf("the first: %v, %v, %v", left, err, pending.Collisions)
	}
	draft, pending = other.readDraft()
	var held []string
	for i := range pending.Collisions {
		held = append(held, string(pending.Changes[i].Path))
	}
	slices.Sort(held)
	if !slices.Equal(held, []string{"f1", "new"}) {
		t.Errorf("collisions of the second: %q", held)
	}
	_, _, err := other.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Collisions[i] == "" })
	must(t, err)
	must(t, draft.Close())
	now := changetest.Snapshot(t, r.folder)
	for name, text := range map[string]string{"f0": "0\none\n", "f1": "1\none\n", "f3": "3\ntwo\n", "new": "one\n", "seen": "0\n"} {
		if now[name].Content != text {
			t.Errorf("%s is %q", name, now[name].Content)
		}
	}
}

// TestPRE06_FiveDraftsConflictWhereTheyOverlap applies five drafts one after the other, each of
// which changed a path of its own, one of the next, and one that all changed.
func TestPRE06_FiveDraftsConflictWhereTheyOverlap(t *testing.T) {
	r := newRig(t)
	const drafts = 5
	for n := range drafts + 1 {
		write(t, r.folder, fmt.Sprintf("f%d", n), "begin\n")
	}
	write(t, r.folder, "all", "begin\n")
	rigs := make([]*rig, drafts)
	for n := range rigs {
		rigs[n] = r.another(fmt.Sprint(n))
		d := rigs[n].enter()
		d.do(fmt.Sprintf("echo %d >>f%d; echo %d >>f%d; echo %d >>all; echo %d >own%d", n, n, n, n+1, n, n, n))
		d.leave()
	}
	for n, one := range rigs {
		draft, pending := one.readDraft()
		var held []string
		for i := range pending.Collisions {
			held = append(held, string(pending.Changes[i].Path))
		}
		slices.Sort(held)
		var want []string
		if n > 0 {
			want = []string{"all", fmt.Sprintf("f%d", n)}
		}
		if !slices.Equal(held, want) {
			t.Errorf("draft %d: collisions at %q, want %q", n, held, want)
		}
		_, left, err := one.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Collisions[i] == "" })
		must(t, err)
		if (len(left.Changes) == 0) != (n == 0) {
			t.Errorf("draft %d: %d changes are left", n, len(left.Changes))
		}
		if len(left.Changes) > 0 {
			must(t, draft.Close())
		}
	}
	now := changetest.Snapshot(t, r.folder)
	for n := range drafts {
		if want := fmt.Sprintf("begin\n%d\n", n); now[fmt.Sprintf("f%d", n+1)].Content != want || now[fmt.Sprintf("own%d", n)].Content != fmt.Sprintf("%d\n", n) {
			t.Errorf("of draft %d: %q, %q", n, now[fmt.Sprintf("f%d", n+1)].Content, now[fmt.Sprintf("own%d", n)].Content)
		}
	}
	if now["all"].Content != "begin\n0\n" || now["f0"].Content != "begin\n0\n" {
		t.Errorf("all is %q, f0 %q", now["all"].Content, now["f0"].Content)
	}
}

// TestPRE06_WhatBothChangedInDifferentPlacesIsPutTogether has the user and a draft change the same
// text: where both changed other lines, what is applied is both together, else it is the draft's.
func TestPRE06_WhatBothChangedInDifferentPlacesIsPutTogether(t *testing.T) {
	r := newRig(t)
	const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for _, name := range []string{"apart", "same", "bytes", "late"} {
		write(t, r.folder, name, text)
	}
	d := r.enter()
	d.do("for f in apart same; do sed -i s/2/draft/ $f; done; printf '\\0draft' >>bytes")
	err := d.draft.Note()
	must(t, err)
	write(t, r.folder, "late", strings.ReplaceAll(text, "8", "user"))
	d.do("sed -i s/2/draft/ late") // it saw what they wrote, but not at the last look
	d.leave()
	write(t, r.folder, "apart", strings.ReplaceAll(text, "8", "user"))
	write(t, r.folder, "same", strings.ReplaceAll(text, "2", "user"))
	write(t, r.folder, "bytes", text+"user")
	draft, pending := r.readDraft()
	want := map[string]change.Collision{
		"apart": change.CollisionMerged, "same": change.CollisionMeanwhile, "bytes": change.CollisionMeanwhile, "late": change.CollisionMeanwhile,
	}
	found := map[string]change.Collision{}
	for i, collision := range pending.Collisions {
		found[string(pending.Changes[i].Path)] = collision
	}
	if !maps.Equal(found, want) {
		t.Errorf("collisions: %v, want %v", found, want)
	}
	const both = "1\ndraft\n3\n4\n5\n6\n7\nuser\n9\n"
	for i, c := range pending.Changes {
		if c.Path != "apart" {
			continue
		}
		if _, after, ok, err := r.PendingTexts(pending, i); err != nil || !ok || string(after) != both || pending.HasHunks(i) {
			t.Errorf("%q is shown, %v, %v", after, ok, err)
		}
	}
	// Of what was there a power cut can have left something else.
	kept, err := filepath.Glob(filepath.Join(draft.Dir, "texts", "*"))
	must(t, err)
	for _, path := range kept {
		must(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "5", "\x00")), 0o600))
	}
	torn, err := r.ReadDraft(t.Context(), draft)
	must(t, err)
	for i, collision := range torn.Collisions {
		if collision == change.CollisionMerged {
			t.Errorf("%s is put together with what was not there", torn.Changes[i].Path)
		}
	}
	set, left, err := r.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Changes[i].Path != "bytes" })
	must(t, err)
	if len(left.Changes) != 1 || left.Changes[0].Path != "bytes" {
		t.Errorf("left are %+v", left.Changes)
	}
	must(t, draft.Close())
	now := changetest.Snapshot(t, r.folder)
	for name, text := range map[string]string{"apart": both, "same": "1\ndraft\n3\n4\n5\n6\n7\n8\n9\n", "bytes": text + "user"} {
		if now[name].Content != text {
			t.Errorf("%s is %q", name, now[name].Content)
		}
	}
	r.carryOut(change.Scope{Runs: []string{set.RunID}}, false)
	if now := changetest.Snapshot(t, r.folder); now["apart"].Content != strings.ReplaceAll(text, "8", "user") {
		t.Errorf("taken back, it is %q", now["apart"].Content)
	}
}
