package change_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairlead/backend/change"

	"golang.org/x/sys/unix"
)

// applying makes a layer as a command leaves one that changed much, by hand, and returns what
// applies it.
func (r *rig) applying() func() error {
	r.t.Helper()
	layer, err := r.NewLayer("call")
	must(r.t, err)
	r.fillLayer(layer.Dir)
	return func() error {
		defer func() { _ = layer.Close() }()
		p, err := r.ReadLayer(r.t.Context(), layer)
		if err != nil {
			return err
		}
		set, err := r.ApplyLayer(r.t.Context(), "call", p, func(i int) bool { return p.Collisions[i] == "" })
		if err == nil && (set == nil || len(set.Changes)+len(p.Collisions) < len(p.Changes)) {
			err = errors.New("not everything was applied")
		}
		return err
	}
}

// fillLayer makes what a command wrote that changed much, by hand, in the folder of a layer.
func (r *rig) fillLayer(dir string) {
	r.t.Helper()
	upper := func(name string) string { return filepath.Join(dir, "upper", name) }
	put := func(name, text string) {
		r.t.Helper()
		must(r.t, os.MkdirAll(filepath.Dir(upper(name)), 0o755))
		must(r.t, os.WriteFile(upper(name), []byte(text), 0o644))
	}
	gone := func(name string) {
		r.t.Helper()
		must(r.t, os.MkdirAll(filepath.Dir(upper(name)), 0o755))
		must(r.t, unix.Mknod(upper(name), unix.S_IFCHR, 0))
	}
	put("a.txt", "by a command\n")
	put("c/d/new.txt", "new\n")
	gone("link")
	put("sub/b.txt", "in a new folder\n") // which hides all that was there
	must(r.t, unix.Setxattr(upper("sub"), "user.overlay.opaque", []byte("y"), 0))
	if text, err := os.ReadFile(filepath.Join(r.folder, "run.sh")); err == nil {
		gone("run.sh")
		put("moved.sh", string(text))
		info, err := os.Stat(filepath.Join(r.folder, "run.sh"))
		must(r.t, err)
		must(r.t, os.Chmod(upper("moved.sh"), info.Mode()))
		must(r.t, os.Chtimes(upper("moved.sh"), info.ModTime(), info.ModTime()))
	}
	if info, err := os.Stat(filepath.Join(r.folder, "sub")); err == nil {
		must(r.t, os.Chmod(upper("sub"), info.Mode()))
	}
}

// applyingDraft makes a draft with the same, and returns what applies it.
func (r *rig) applyingDraft() func() error {
	r.t.Helper()
	d, err := r.OpenDraft()
	must(r.t, err)
	r.fillLayer(d.Dir)
	fillGit(r.t, filepath.Join(d.Dir, "upper"), "draft")
	must(r.t, unix.Mknod(filepath.Join(d.Dir, "upper", "linked.txt"), unix.S_IFCHR, 0))
	must(r.t, errors.Join(d.Note(), d.Close()))
	return func() error { return r.applyDraft(false) }
}

// fillFile makes a file where the layer has a folder.
func (r *rig) fillFile() {
	must(r.t, os.MkdirAll(filepath.Join(r.folder, "c"), 0o755))
	must(r.t, os.WriteFile(filepath.Join(r.folder, "c", "d"), []byte("c\n"), 0o644))
}

// fillGit makes a repository in the folder.
func (r *rig) fillGit() { fillGit(r.t, r.folder, "work") }

func fillGit(t *testing.T, dir, commit string) {
	t.Helper()
	for _, name := range []string{"HEAD", "refs/heads/main", "logs/HEAD", "objects/" + commit} {
		path := filepath.Join(dir, ".git", name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(commit+"\n"), 0o644))
	}
}

// applyDraft applies all of the draft, if there is one, of which nothing may be in the way, unless a start
// has swept something away in a folder that it changes.
func (r *rig) applyDraft(swept bool) error {
	d, err := r.FindDraft()
	if d == nil || err != nil {
		return err
	}
	p, err := r.ReadDraft(r.t.Context(), d)
	if err != nil {
		return errors.Join(err, d.Close())
	}
	for i, collision := range p.Collisions {
		if swept {
			break
		}
		err = errors.Join(err, fmt.Errorf("%s is in the way: %s", p.Changes[i].Path, collision))
	}
	_, left, applyErr := r.ApplyDraft(r.t.Context(), d, p, func(int) bool { return true })
	if err = errors.Join(err, applyErr); left == nil || len(left.Changes) > 0 {
		err = errors.Join(err, errors.New("not everything was applied"), d.Close())
	}
	return err
}

// TestPRE03_WhatAKilledProcessLeftIsSetAside opens a conversation whose process ended while it
// had a layer with changes, one without, and one that was made ahead.
func TestPRE03_WhatAKilledProcessLeftIsSetAside(t *testing.T) {
	data := t.TempDir()
	r := newRigIn(t, data)
	r.fill()
	r.applying() // which is not called
	_, err := r.NewLayer("empty")
	must(t, err)
	if r.NextLayer() == "" {
		t.Error("no layer was made ahead")
	}
	ids, err := change.LeftByCommands(filepath.Join(data, "changes"))
	if err != nil || !slices.Equal(ids, []string{"s1"}) {
		t.Errorf("left by %v, %v", ids, err)
	}
	must(t, r.journal.Close())
	again := openRig(t, data)
	defer again.close()
	all, err := again.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || all[0].CallID != "call" {
		t.Fatalf("set aside: %+v", all)
	}
	must(t, all[0].Layer.Close())
	must(t, again.Recover(t.Context()))
	must(t, again.Close()) // which waits for what is deleted
	entries, err := os.ReadDir(filepath.Join(data, "changes", "s1", "copies"))
	if err != nil || len(entries) != 1 {
		t.Errorf("left are %v, %v", entries, err)
	}
}

// TestPRE06_WhatIsAppliedBelongsToTheLastRunInADraft has two runs use a draft.
func TestPRE06_WhatIsAppliedBelongsToTheLastRunInADraft(t *testing.T) {
	r := newRig(t)
	for _, run := range []string{"r1", "r2"} {
		r.SetRun(run)
		d, err := r.OpenDraft()
		must(t, err)
		must(t, os.WriteFile(filepath.Join(d.Dir, "upper", run+".txt"), nil, 0o644))
		must(t, errors.Join(d.Note(), d.Close()))
	}
	r.SetRun("")
	must(t, r.applyDraft(false))
	for run, want := range map[string]int{"r1": 0, "r2": 2} {
		if rows, err := r.Review(t.Context(), run); err != nil || len(rows) != want {
			t.Errorf("the review of %s has %d rows, %v", run, len(rows), err)
		}
	}
}
