package change_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/event"
	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/store"
)

// rig is a folder with the recorder of a saved conversation.
type rig struct {
	*change.Recorder
	t       *testing.T
	folder  string
	data    string
	root    *os.Root
	objects *change.Objects
	left    *leftover.Record
	journal *store.Store
	// ways are the folders that the targets of the next call hold open.
	ways  []*os.Root
	calls int
	// far reports whether what is kept lies on another file system. What had several names comes
	// back as a copy from there, with one.
	far bool
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newRig returns one for a new folder.
func newRig(t *testing.T) *rig {
	t.Helper()
	return newRigIn(t, t.TempDir())
}

// newRigIn returns one whose objects lie in data.
func newRigIn(t *testing.T, data string) *rig {
	t.Helper()
	return newRigAt(t, data, t.TempDir())
}

// newRigAt returns one whose objects lie in data, for a folder that it makes in base.
func newRigAt(t *testing.T, data, base string) *rig {
	t.Helper()
	folder := filepath.Join(base, "work")
	must(t, os.Mkdir(folder, 0o755))
	must(t, os.WriteFile(filepath.Join(data, "folder"), []byte(folder), 0o600))
	r := openRig(t, data)
	t.Cleanup(r.close)
	stream := event.NewKeptStream("r1", "s1", r.journal.Record(t.Context(), store.Session{ID: "s1", Workspace: folder, CreatedAt: time.Now()}),
		func(err *event.NotKeptError) { t.Error(err) })
	stream.Publish(event.LifecycleStart{Prompt: "do it"})
	return r
}

// openRig opens what newRigIn made, as a start of Fairlead does.
func openRig(t *testing.T, data string) *rig {
	t.Helper()
	folder, err := os.ReadFile(filepath.Join(data, "folder"))
	must(t, err)
	r := &rig{t: t, folder: string(folder), data: data}
	r.journal, _, err = store.Open(t.Context(), store.Options{Folder: data, Redact: func(text []byte) []byte { return text }})
	must(t, err)
	r.open()
	return r
}

// open opens the folder, again where it is open.
func (r *rig) open() {
	r.t.Helper()
	r.closeFolder()
	var err error
	r.root, err = os.OpenRoot(r.folder)
	must(r.t, err)
	r.objects = change.OpenObjects(filepath.Join(r.data, "changes", "s1"))
	r.left = leftover.New(filepath.Join(r.data, "left"))
	r.Recorder = change.NewRecorder(change.Options{
		Root: r.root, Path: r.folder, SessionID: "s1", Journal: r.journal, Objects: r.objects,
		Leftover: r.left, NewID: newID, Log: slog.New(slog.DiscardHandler),
		Drafts: filepath.Join(r.data, "drafts", "s1"),
	})
	r.SetRun("r1")
}

// newID returns an id that is greater than those before, of earlier processes too.
func newID() string { return fmt.Sprintf("set%d-%06d", time.Now().UnixNano(), ids.Add(1)) }

var ids atomic.Int64

func (r *rig) closeFolder() {
	r.closeWays()
	if r.root != nil {
		must(r.t, r.Close())
		must(r.t, r.objects.Close())
		must(r.t, r.left.Close())
		must(r.t, r.root.Close())
		r.root = nil
	}
}

func (r *rig) close() {
	r.closeFolder()
	_ = r.journal.Close() // a test may have closed it
}

// call is the id of a new call.
func (r *rig) call() string {
	r.calls++
	return fmt.Sprintf("call%d", r.calls)
}

// target is a path as it is now.
func (r *rig) target(path string) change.Target {
	r.t.Helper()
	way := []change.Opened{{Root: r.root, Path: "."}}
	parts := strings.Split(path, "/")
	for i := 1; i < len(parts); i++ {
		at := strings.Join(parts[:i], "/")
		below, err := r.root.OpenRoot(at)
		if err != nil {
			break
		}
		r.ways = append(r.ways, below)
		way = append(way, change.Opened{Root: below, Path: at})
	}
	info, err := r.root.Lstat(path)
	if err != nil {
		info = nil
	}
	return change.Target{Way: way, Path: path, Seen: info}
}

// closeWays closes what targets hold open. While it is, Windows removes no folder for good.
func (r *rig) closeWays() {
	for _, folder := range r.ways {
		_ = folder.Close()
	}
	r.ways = nil
}

func (r *rig) write(path, content string) string {
	r.t.Helper()
	defer r.closeWays()
	call := r.call()
	_, err := r.Write(r.t.Context(), call, r.target(path), []byte(content), change.Lines{})
	must(r.t, err)
	return call
}

func (r *rig) delete(path string) string {
	r.t.Helper()
	defer r.closeWays()
	call, target := r.call(), r.target(path)
	listed, err := r.List(r.t.Context(), target)
	must(r.t, err)
	_, err = r.Delete(r.t.Context(), call, target, listed)
	must(r.t, err)
	return call
}

func (r *rig) move(from, to string) string {
	r.t.Helper()
	defer r.closeWays()
	call := r.call()
	_, err := r.Move(r.t.Context(), call, r.target(from), r.target(to))
	must(r.t, err)
	return call
}

func (r *rig) undo(scope change.Scope) change.Done {
	r.t.Helper()
	plan, err := r.PlanUndo(r.t.Context(), scope)
	must(r.t, err)
	done, err := r.CarryOut(r.t.Context(), plan)
	must(r.t, err)
	return done
}

func (r *rig) redo(scope change.Scope) change.Done {
	r.t.Helper()
	plan, err := r.PlanRedo(r.t.Context(), scope)
	must(r.t, err)
	done, err := r.CarryOut(r.t.Context(), plan)
	must(r.t, err)
	return done
}

// put has somebody else write a file.
func (r *rig) put(path, content string) {
	r.t.Helper()
	whole := filepath.Join(r.folder, path)
	must(r.t, os.MkdirAll(filepath.Dir(whole), 0o755))
	must(r.t, os.WriteFile(whole, []byte(content), 0o644))
}

// same fails if a folder is not as it was.
func (r *rig) same(want map[string]entry) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.found(want)); diff != "" {
		r.t.Fatal(diff)
	}
}

// found is what lies in the folder. Where what had several names comes back with one, it has
// as many as it is to have.
func (r *rig) found(want map[string]entry) map[string]entry {
	r.t.Helper()
	found := snapshot(r.t, r.folder)
	for name, e := range found {
		if r.far {
			e.Links = want[name].Links
			found[name] = e
		}
	}
	return found
}

// sameFiles fails if a folder is not as it was, but for when its folders changed: a kill
// between two changes of one leaves it the time of the first.
func (r *rig) sameFiles(want map[string]entry) {
	r.t.Helper()
	if diff := cmp.Diff(withoutTimes(want), withoutTimes(r.found(want))); diff != "" {
		r.t.Fatal(diff)
	}
}

// agrees fails if something is kept that no set names, or the other way round.
func (r *rig) agrees() {
	r.t.Helper()
	sets, err := r.journal.Sets(r.t.Context(), "s1")
	must(r.t, err)
	var named []string
	for _, s := range sets {
		if s.Open {
			r.t.Errorf("%s is open", s.ID)
		}
		for _, c := range s.Changes {
			for _, name := range []string{c.Kept, c.Spare, c.Copy} {
				if name != "" {
					named = append(named, name)
				}
			}
		}
	}
	entries, err := os.ReadDir(filepath.Join(r.data, "changes", "s1"))
	if err != nil && len(named) > 0 {
		r.t.Fatal(err)
	}
	var kept []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "base.") && e.Name() != "copies" {
			kept = append(kept, e.Name())
		}
	}
	slices.Sort(named)
	without := func(all, some []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(some, name) })
	}
	if lost, left := without(named, kept), without(kept, named); len(lost)+len(left) > 0 {
		r.t.Fatalf("sets name %q that are not kept, and %q are kept that no set names", lost, left)
	}
}

func TestCHG04_WhatFileToolsDidIsTakenBackAndMadeAgain(t *testing.T) {
	tests := map[string]func(r *rig){
		"new file":                  func(r *rig) { r.write("new.txt", "new\n") },
		"new file in new folders":   func(r *rig) { r.write("new/deep/file.txt", "new\n") },
		"file in a folder":          func(r *rig) { r.write("sub/more.txt", "new\n") },
		"file replaced":             func(r *rig) { r.write("a.txt", "other\n") },
		"file replaced twice":       func(r *rig) { r.write("a.txt", "other\n"); r.write("a.txt", "third\n") },
		"file with two names":       func(r *rig) { r.write("linked.txt", "other\n") },
		"file written as it is":     func(r *rig) { r.write("a.txt", "one\n") },
		"program":                   func(r *rig) { r.write("run.sh", "#!/bin/sh\n") },
		"file deleted":              func(r *rig) { r.delete("a.txt") },
		"link deleted":              func(r *rig) { r.delete("link") },
		"folder deleted":            func(r *rig) { r.delete("sub") },
		"file moved":                func(r *rig) { r.move("a.txt", "b.txt") },
		"file moved to new folders": func(r *rig) { r.move("a.txt", "new/deep/b.txt") },
		"link moved":                func(r *rig) { r.move("link", "sub/link") },
		"folder moved":              func(r *rig) { r.move("sub", "moved/sub") },
		"folder moved out of one that is deleted": func(r *rig) {
			r.move("sub/deep", "deep")
			r.delete("sub")
		},
		"file in a folder that is moved": func(r *rig) { r.write("sub/deep/c.txt", "other\n"); r.move("sub", "moved/sub") },
		"file where a moved folder was": func(r *rig) {
			r.write("sub/b.txt", "other\n")
			r.move("sub", "moved")
			r.write("sub/b.txt", "third\n")
		},
		"written, moved and deleted": func(r *rig) {
			r.write("x/y.txt", "1\n")
			r.move("x/y.txt", "z.txt")
			r.write("z.txt", "2\n")
			r.delete("z.txt")
			r.delete("x")
		},
		"folder in the place of a file": func(r *rig) { r.delete("a.txt"); r.write("a.txt/b.txt", "in\n") },
	}
	for _, far := range []bool{false, true} {
		for name, do := range tests {
			t.Run(fmt.Sprintf("%s, far %v", name, far), func(t *testing.T) {
				data := t.TempDir()
				if far {
					data = otherFileSystem(t)
				}
				r := newRigIn(t, data)
				r.fill()
				r.far = far
				before := snapshot(t, r.folder)
				do(r)
				after := snapshot(t, r.folder)
				r.agrees()
				for range 2 {
					if done := r.undo(change.Scope{}); len(done.Kept) > 0 {
						t.Fatalf("kept %+v", done.Kept)
					}
					r.same(before)
					r.agrees()
					if done := r.redo(change.Scope{}); len(done.Kept) > 0 {
						t.Fatalf("kept %+v", done.Kept)
					}
					r.same(after)
					r.agrees()
				}
			})
		}
	}
}

// fill makes what is usual in a folder, with times of long ago.
func (r *rig) fill() {
	r.t.Helper()
	changetest.Fill(r.t, r.folder)
}

// TestCHG02_AMoveThatWasNotMadeIsNotRecorded moves something to where the like of it lies, which fails.
func TestCHG02_AMoveThatWasNotMadeIsNotRecorded(t *testing.T) {
	r := newRig(t)
	moves := map[string]string{"one.d": "two.d"}
	for _, name := range []string{"one", "two"} {
		if sandboxtest.TryLink(t, "a.txt", filepath.Join(r.folder, name)) {
			moves["one"] = "two"
		}
		must(t, os.Mkdir(filepath.Join(r.folder, name+".d"), 0o755))
	}
	for from, to := range moves {
		if set, err := r.Move(t.Context(), "move", r.target(from), r.target(to)); !errors.Is(err, change.ErrChanged) || len(set.Changes) > 0 {
			t.Errorf("%s to %s: %+v, %v", from, to, set, err)
		}
	}
	if sets, err := r.Sets(t.Context()); err != nil || len(sets) > 0 {
		t.Errorf("recorded: %+v, %v", sets, err)
	}
	r.agrees()
}
