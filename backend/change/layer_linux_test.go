package change_test

import (
	"errors"
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
	upper := func(name string) string { return filepath.Join(layer.Dir, "upper", name) }
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
