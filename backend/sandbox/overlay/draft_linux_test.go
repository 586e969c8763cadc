//go:build !race

package overlay_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/sandbox"
)

// drafting is a draft of a rig's folder that is mounted.
type drafting struct {
	*rig
	draft *change.Draft
	space *sandbox.Space
	// root is the copy of the folder, and tools change it.
	mount *os.File
	root  *os.Root
	tools *change.Recorder
}

// enter opens the rig's draft, or begins one.
func (r *rig) enter() *drafting {
	r.t.Helper()
	if r.Drafts == "" {
		r.Drafts = filepath.Join(r.data, "drafts")
		openAll(r.t, r.data)
	}
	d := &drafting{rig: r}
	var err error
	d.draft, err = r.OpenDraft()
	must(r.t, err)
	must(r.t, d.draft.Note())
	d.space, err = system().Open(sandbox.Place{
		Workspace: r.folder, Private: filepath.Join(r.t.TempDir(), "private"), Home: os.Getenv("HOME"), Hide: []string{r.data}, Draft: d.draft.Dir,
	})
	must(r.t, err)
	d.mount, err = d.space.OpenDraft()
	must(r.t, err)
	d.root, err = os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", d.mount.Fd()))
	must(r.t, err)
	options := r.Options
	options.Root, options.Path, options.Draft = d.root, filepath.Join(d.draft.Dir, "upper"), d.draft.ID
	d.tools = change.NewRecorder(options)
	return d
}

// leave closes it, as at the end of a run.
func (d *drafting) leave() {
	d.t.Helper()
	must(d.t, errors.Join(d.tools.Close(), d.root.Close(), d.mount.Close(), d.space.Close(), d.draft.Note(), d.draft.Close()))
}

// do runs a command in the draft, and returns what it printed.
func (d *drafting) do(line string) string {
	d.t.Helper()
	read, write, err := os.Pipe()
	must(d.t, err)
	defer read.Close()
	p, err := d.space.Start(sandbox.Command{
		Line: line, Dir: d.folder, Env: d.space.Environment([]string{"PATH=" + os.Getenv("PATH")}),
	}, write)
	write.Close()
	must(d.t, err)
	printed, err := io.ReadAll(read)
	must(d.t, err)
	<-p.Done()
	if code, _, err := p.Result(); err != nil || code != 0 {
		d.t.Fatalf("%s: code %d, %v\n%s", line, code, err, printed)
	}
	return string(printed)
}

// readDraft returns what is changed in the rig's draft, which is closed with the test.
func (r *rig) readDraft() (*change.Draft, *change.Pending) {
	r.t.Helper()
	d, err := r.FindDraft()
	must(r.t, err)
	if d == nil {
		r.t.Fatal("there is no draft")
	}
	p, err := r.ReadDraft(r.t.Context(), d)
	must(r.t, err)
	return d, p
}

// TestPRE06_FileToolsChangeTheDraft has file tools change a draft, and takes some of that back
// there. What is applied is what they did.
func TestPRE06_FileToolsChangeTheDraft(t *testing.T) {
	r := newRig(t)
	before := changetest.Snapshot(t, r.folder)
	d := r.enter()
	ctx := t.Context()
	way := []change.Opened{{Root: d.root, Path: "."}}
	target := func(path string) change.Target {
		info, err := d.root.Lstat(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return change.Target{Way: way, Path: path, Seen: info}
	}
	_, err := d.tools.Write(ctx, "write", target("a.txt"), []byte("by a tool\n"), change.Lines{})
	must(t, err)
	_, err = d.tools.Write(ctx, "new", target("made/by/a.tool"), []byte("new\n"), change.Lines{})
	must(t, err)
	_, err = d.tools.Move(ctx, "move", target("sub"), target("moved"))
	must(t, err)
	listed, err := d.tools.List(ctx, target("run.sh"))
	must(t, err)
	_, err = d.tools.Delete(ctx, "delete", target("run.sh"), listed)
	must(t, err)
	if said := d.do("cat a.txt made/by/a.tool; ls -d moved sub run.sh 2>/dev/null || true; cat moved/b.txt >/dev/null && echo 'by a command' >>a.txt"); said != "by a tool\nnew\nmoved\n" {
		t.Errorf("a command sees %q", said)
	}
	r.same(before)
	// The sets are the draft's, and are taken back in it.
	if sets, err := r.Sets(ctx); err != nil || len(sets) > 0 {
		t.Errorf("sets of the folder: %d, %v", len(sets), err)
	}
	plan, err := d.tools.MakePlan(ctx, change.Scope{Calls: []string{"delete"}}, false)
	must(t, err)
	_, err = d.tools.CarryOut(ctx, plan)
	must(t, err)
	if _, err := d.root.Stat("run.sh"); err != nil {
		t.Error(err)
	}
	d.leave()
	r.same(before)
	draft, pending := r.readDraft()
	_, left, err := r.ApplyDraft(ctx, draft, pending, func(int) bool { return true })
	if err != nil || len(left.Changes) > 0 || len(pending.Collisions) > 0 {
		t.Fatalf("applied: %v, %v, collisions %v", left, err, pending.Collisions)
	}
	after := changetest.Snapshot(t, r.folder)
	if after["a.txt"].Content != "by a tool\nby a command\n" || after["moved/b.txt"] != before["sub/b.txt"] || after["run.sh"] != before["run.sh"] || after["made/by/a.tool"].Content != "new\n" {
		t.Errorf("the folder has %+v", after)
	}
}

// TestPRE06_TheUserWorksInTheFolderMeanwhile has the user change files before, during and between
// the runs of a draft, some of which it changes too.
func TestPRE06_TheUserWorksInTheFolderMeanwhile(t *testing.T) {
	r := newRig(t)
	for n := range 12 {
		write(t, r.folder, fmt.Sprintf("f%d", n), fmt.Sprintf("%d\n", n))
	}
	write(t, r.folder, "dir/old", "old\n")
	d := r.enter()
	d.do("echo draft >>f0; rm f1; echo draft >f2.new; mv f3 f3.moved; rm -r dir; mkdir dir; echo draft >dir/new; echo draft >t; mv t f8")
	d.leave()
	// Between two runs: what the draft did not touch is seen in it, what it did is a collision.
	write(t, r.folder, "f4", "theirs\n")
	write(t, r.folder, "f0", "theirs\n")
	must(t, os.Remove(filepath.Join(r.folder, "f5")))
	must(t, os.Remove(filepath.Join(r.folder, "f8"))) // which the draft has replaced
	write(t, r.folder, "dir/theirs", "theirs\n")
	d = r.enter()
	if said := d.do("cat f4; ls f5 2>/dev/null; echo draft >>f4; echo draft >>f6; cat f0; ls dir"); said != "theirs\n0\ndraft\nnew\n" {
		t.Errorf("the second run sees %q", said)
	}
	must(t, d.draft.Note())
	write(t, r.folder, "f6", "theirs\n")
	write(t, r.folder, "f7", "theirs\n")
	d.do("echo draft >>f7") // it saw what they wrote, after the note
	d.leave()
	write(t, r.folder, "f1", "theirs\n")
	theirs := changetest.Snapshot(t, r.folder)
	draft, pending := r.readDraft()
	held := map[string]bool{}
	for i, collision := range pending.Collisions {
		if collision != change.CollisionMeanwhile {
			t.Errorf("%s: %s", pending.Changes[i].Path, collision)
		}
		held[string(pending.Changes[i].Path)] = true
	}
	want := map[string]bool{"f0": true, "f1": true, "f6": true, "f7": true, "f8": true, "dir/theirs": true}
	if diff := cmp.Diff(want, held); diff != "" {
		t.Error(diff)
	}
	_, left, err := r.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Collisions[i] == "" })
	if err != nil || len(left.Changes) == 0 {
		t.Fatalf("applied: %v, %+v", err, left)
	}
	now := changetest.Snapshot(t, r.folder)
	for name := range want {
		if now[name] != theirs[name] {
			t.Errorf("%s became %+v, theirs was %+v", name, now[name], theirs[name])
		}
	}
	for name, text := range map[string]string{"f2.new": "draft\n", "f3.moved": "3\n", "f4": "theirs\ndraft\n", "dir/new": "draft\n"} {
		if now[name].Content != text {
			t.Errorf("%s is %q", name, now[name].Content)
		}
	}
	// The user chooses the draft's.
	must(t, draft.Close())
	draft, pending = r.readDraft()
	if _, left, err = r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true }); err != nil || len(left.Changes) > 0 {
		t.Fatalf("applied: %v, %+v", err, left)
	}
	now = changetest.Snapshot(t, r.folder)
	if _, there := now["f1"]; there || now["f0"].Content != "0\ndraft\n" || now["f6"].Content != "6\ndraft\n" {
		t.Errorf("the draft's: %+v", now)
	}
}

// TestPRE06_AfterAPartWasAppliedTheDraftGoesOn applies a part of a draft, which then changes that
// again: what was applied is no conflict.
func TestPRE06_AfterAPartWasAppliedTheDraftGoesOn(t *testing.T) {
	r := newRig(t)
	d := r.enter()
	d.do("echo draft >>a.txt; echo draft >new; mkdir d; echo draft >d/in")
	d.leave()
	draft, pending := r.readDraft()
	_, left, err := r.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Changes[i].Path != "new" })
	if err != nil || len(left.Changes) != 1 {
		t.Fatalf("applied: %v, %+v", err, left)
	}
	must(t, draft.Close())
	d = r.enter()
	if said := d.do("cat a.txt d/in new; echo again >>a.txt; echo again >>d/in; rm new"); said != "one\ndraft\ndraft\ndraft\n" {
		t.Errorf("the draft sees %q", said)
	}
	d.leave()
	draft, pending = r.readDraft()
	_, left, err = r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true })
	if err != nil || len(left.Changes) > 0 || len(pending.Collisions) > 0 || len(pending.Changes) != 2 {
		t.Fatalf("applied again: %v, %+v, collisions at %q", err, left, collided(pending))
	}
}
