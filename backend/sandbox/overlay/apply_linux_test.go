package overlay_test

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"

	"github.com/google/go-cmp/cmp"
)

// differs are kinds of work that do something else on a layer, with what differs and why.
var differs = map[string]struct{ names, why string }{
	"write through a hard link": {"linked.txt sub/other.txt", "the file is copied before it is written to, so that its other names keep what was there"},
	"sed -i":                    {"a.txt", "a confined command does not see whom a list of rights names, and cannot copy it"},
}

// TestPRE05_WhatWasAppliedIsWhatTheCommandWouldHaveDone runs each kind of work on a layer and
// applies it, and compares the folder with another one in which the same command ran plainly;
// then it is taken back and made again.
func TestPRE05_WhatWasAppliedIsWhatTheCommandWouldHaveDone(t *testing.T) {
	for _, kind := range changetest.Kinds {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			if kind.Needs != "" {
				if _, err := exec.LookPath(kind.Needs); err != nil {
					t.Skipf("there is no %s", kind.Needs)
				}
			}
			r := newRig(t)
			if kind.Prepare != "" {
				r.plainly(kind.Prepare)
			}
			before := changetest.Snapshot(t, r.folder)
			plain := r.twins(kind)
			layer, _ := r.try(kind.Line)
			r.same(before)
			must(t, layer.Remove())
			call := r.run(kind.Line)
			after := changetest.Snapshot(t, r.folder)
			plain.compare(t, after, linksIn(t, r.folder), strings.Fields(differs[kind.Name].names))
			for range 2 {
				scope := change.Scope{Calls: []string{call}}
				r.carryOut(scope, false)
				r.same(before)
				if kind.Lost != "" {
					return
				}
				r.carryOut(scope, true)
				r.same(after)
			}
		})
	}
}

// twins are two folders in which a command was run plainly.
type twins struct {
	// since is long after the times that a folder is filled with and long before all else: what
	// is prepared takes minutes on a busy machine.
	since     time.Time
	one, both map[string]changetest.Entry
	links     map[string]string
	// said is what the command wrote beside the folder, if it did.
	said string
}

// twins runs the work in two folders that are filled like the one of the rig.
func (r *rig) twins(kind changetest.Kind) twins {
	r.t.Helper()
	var found [2]map[string]changetest.Entry
	var links map[string]string
	said := ""
	for i := range found {
		base := r.t.TempDir()
		openAll(r.t, base)
		folder := filepath.Join(base, "work")
		must(r.t, os.Mkdir(folder, 0o755))
		changetest.Fill(r.t, folder)
		if kind.Prepare != "" {
			plainlyIn(r.t, folder, kind.Prepare)
		}
		plainlyIn(r.t, folder, kind.Line)
		found[i] = changetest.Snapshot(r.t, folder)
		links = linksIn(r.t, folder)
		if text, err := os.ReadFile(filepath.Join(filepath.Dir(folder), "said")); err == nil {
			said = string(text)
		}
	}
	return twins{time.Now().Add(-time.Hour), found[0], found[1], links, said}
}

// linksIn says of files with several names which is the first of them.
func linksIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	first, all := map[uint64]string{}, map[string]string{}
	must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		inode := info.Sys().(*syscall.Stat_t).Ino
		if first[inode] == "" {
			first[inode] = name
		} else {
			all[name] = first[inode]
		}
		return err
	}))
	return all
}

// compare fails if a folder differs from the twins in what is the same in both. Times that
// are new differ each time; of those it counts that they are new.
func (w twins) compare(t *testing.T, now map[string]changetest.Entry, links map[string]string, but []string) {
	t.Helper()
	if len(but) == 0 && !maps.Equal(w.links, links) {
		t.Errorf("names of one file: %v, plainly %v", links, w.links)
	}
	plain := func(all map[string]changetest.Entry) map[string]changetest.Entry {
		bare := maps.Clone(all)
		for name, e := range bare {
			if e.Modified.After(w.since) {
				e.Modified = time.Time{}
			}
			if _, ok := w.one[name]; !ok || w.one[name].Content != w.both[name].Content {
				e.Content = ""
			}
			e.Links = 0 // what is kept may be one more
			if _, ok := w.both[name]; !ok || w.one[name].Mode != w.both[name].Mode || slices.Contains(but, name) {
				delete(bare, name)
				continue
			}
			bare[name] = e
		}
		return bare
	}
	want, got := plain(w.one), plain(now)
	for name := range got {
		if _, ok := want[name]; !ok {
			delete(got, name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plainly and applied:\n%s", diff)
	}
	if len(w.one) != len(now) {
		t.Errorf("%d entries, plainly %d", len(now), len(w.one))
	}
}

// plainly runs a command in the folder itself.
func (r *rig) plainly(line string) {
	r.t.Helper()
	plainlyIn(r.t, r.folder, line)
}

// plainlyIn runs a command in a folder, and returns what it printed.
func plainlyIn(t *testing.T, folder, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-ec", line)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost",
		"GIT_AUTHOR_DATE=2020-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2020-01-02T03:04:05Z")
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, output)
	}
	return string(output)
}

// carryOut takes back or makes again.
func (r *rig) carryOut(scope change.Scope, redo bool) {
	r.t.Helper()
	plan, err := r.MakePlan(r.t.Context(), scope, redo)
	must(r.t, err)
	done, err := r.CarryOut(r.t.Context(), plan)
	must(r.t, err)
	if len(done.Kept) > 0 {
		r.t.Fatalf("kept %+v", done.Kept)
	}
}
