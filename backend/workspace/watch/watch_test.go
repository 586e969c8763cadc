package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWS02_ChangesAreReported(t *testing.T) {
	w := begin(t, usualLimits(), openSource, "a.txt", "sub/b.txt", "sub/deep/c.txt", "other/d.txt")
	w.put("new.txt", "sub/deep/new.txt")
	w.wants("new.txt", "sub/deep/new.txt")
	w.put("a.txt")
	w.wants("a.txt")
	w.remove("sub/b.txt")
	w.wants("sub/b.txt")
	w.rename(w.path("a.txt"), w.path("sub/a.txt"))
	w.wants("a.txt", "sub/a.txt")
	w.put("sub/.a.txt.tmp")
	w.rename(w.path("sub/.a.txt.tmp"), w.path("sub/a.txt"))
	w.wants("sub/.a.txt.tmp", "sub/a.txt")
	if err := w.folder.Write("sub/a.txt", []byte("new")); err != nil {
		t.Fatal(err)
	}
	w.wants("sub/a.txt")
	// A file that only has the name of one that a write has not finished is shown.
	w.put("sub/.fairlead-MINE.tmp")
	w.wants("sub/.fairlead-MINE.tmp")
	if err := os.Chmod(w.path("sub/a.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.wants()
}

func TestWS02_DeletedFoldersAreReported(t *testing.T) {
	w := begin(t, usualLimits(), openSource, "other/d.txt", "sub/f")
	w.remove("other")
	w.wants("other", "other/d.txt")
}

func TestWS02_NewFoldersAreWatched(t *testing.T) {
	limits := usualLimits()
	limits.paths = 10_000
	w := begin(t, limits, openSource)
	want := []string{"a", "a/b", "a/b/c"}
	for i := range 2000 {
		want = append(want, fmt.Sprintf("a/b/c/%04d", i))
	}
	w.put(want[3:]...)
	w.wants(want...)
	w.put("a/b/c/d/later.txt")
	w.wants("a/b/c/d", "a/b/c/d/later.txt")
}

// TestWS02_ManyChangesAreOneReport unpacks an archive, so to say.
func TestWS02_ManyChangesAreOneReport(t *testing.T) {
	w := begin(t, usualLimits(), openSource)
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf("a/%d/%d/%d.txt", i%10, i%100, i))
	}
	w.put(names...)
	w.wantsFull()
	if w.reports > 20 {
		t.Errorf("%d reports", w.reports)
	}
	listing, err := w.folder.List(t.Context(), "a/7/77")
	if err != nil || len(listing.Entries) != 50 || listing.Entries[0].Path != "a/7/77/1077.txt" {
		t.Errorf("listed %+v, %v", listing, err)
	}
	w.put("a/7/77/77.txt", "a/9/new/f")
	w.wants("a/7/77/77.txt", "a/9/new", "a/9/new/f")
}

func TestWS02_MovedFoldersKeepBeingWatched(t *testing.T) {
	w := begin(t, usualLimits(), openSource, "sub/deep/c.txt", "other/d.txt", "one/f", "two/g")
	away := filepath.Join(w.outside, "away")
	for _, test := range []struct {
		what string
		move func()
		then []string
	}{
		{"within", func() { w.rename(w.path("sub"), w.path("other/moved")) }, []string{"other/moved/deep/c.txt"}},
		{"into a folder made for it", func() {
			w.put("new/deep/f")
			w.rename(w.path("other/moved"), w.path("new/deep/moved"))
		}, []string{"new/deep/moved/deep/c.txt"}},
		{"there and back", func() {
			w.rename(w.path("new"), w.path("newer"))
			w.rename(w.path("newer"), w.path("new"))
		}, []string{"new/deep/moved/deep/c.txt"}},
		{"around", func() {
			w.rename(w.path("one"), w.path("three"))
			w.rename(w.path("two"), w.path("one"))
			w.rename(w.path("three"), w.path("two"))
		}, []string{"one/g", "two/f"}},
		{"out", func() { w.rename(w.path("new"), away) }, []string{"other/d.txt"}},
	} {
		test.move()
		w.wantsFull()
		w.put(test.then...)
		w.wants(test.then...)
	}

	if err := os.WriteFile(filepath.Join(away, "deep", "f"), []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.wants()
	w.rename(away, w.path("back"))
	w.wants("back", "back/deep", "back/deep/f", "back/deep/moved", "back/deep/moved/deep", "back/deep/moved/deep/c.txt")
	w.put("back/deep/moved/deep/c.txt")
	w.wants("back/deep/moved/deep/c.txt")
}

func TestWS02_WhatIsLeftOutIsNotReported(t *testing.T) {
	w := begin(t, usualLimits(), openSource,
		".gitignore", "build/out", "node_modules/m.js", ".git/index", "sub/.gitignore", "sub/x.tmp", ".ssh/id_rsa")
	ignore := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		w.wantsFull()
	}
	ignore(".gitignore", "*.log\nbuild/\n")
	ignore("sub/.gitignore", "*.tmp\n")

	w.put("x.log", "build/out", "build/new/out", "node_modules/n.js", "node_modules/n/n.js", ".git/index", "sub/x.tmp",
		"new/x.log", "new/build/out", "new/node_modules/x", ".ssh/id_rsa", ".ssh/new")
	w.wants("new")
	w.remove("build")
	w.remove("new/node_modules")
	w.remove("x.log")
	w.wants()
	w.put("build", "sub/deep/build/out")
	w.wants("build", "sub/deep")
	w.remove("build")
	w.wants("build")
	w.put("build/out")
	w.wants()
	w.remove("build")
	w.put("build") // A file now, which is not left out.
	w.wants("build")
	w.remove("build")
	w.wants("build")

	// Secrets are not named, but where they come and go is to be listed again.
	w.put("sub/.env")
	w.wants("sub")
	w.put("sub/.env")
	w.wants()
	w.remove("sub/.env")
	w.wants("sub")

	// Rules that change let folders in and out.
	w.put("late/deep/f")
	w.mark()
	ignore(".gitignore", "late/\n")
	w.put("late/deep/f", "x.log")
	w.wants("x.log")
	w.remove(".gitignore")
	w.wantsFull()
	w.put("late/deep/f")
	w.wants("late/deep/f")
}

func TestTOOL02_LinksAreNotWatched(t *testing.T) {
	w := begin(t, usualLimits(), openSource, "sub/f")
	w.link(w.outside, "way-out")
	w.wants("way-out")
	outside := func() {
		t.Helper()
		if err := os.WriteFile(filepath.Join(w.outside, "f"), []byte(time.Now().String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	outside()
	w.wants()
	w.remove("sub")
	w.link(w.outside, "sub")
	w.wants("sub", "sub/f")
	outside()
	w.wants()
}

func TestWS02_TheFolderIsGone(t *testing.T) {
	for name, lose := range map[string]func(w *watching){
		"deleted":     func(w *watching) { w.remove(".") },
		"moved":       func(w *watching) { w.rename(w.dir, filepath.Join(w.outside, "work")) },
		"moved above": func(w *watching) { w.rename(filepath.Dir(w.dir), filepath.Join(w.outside, "above")) },
		"replaced": func(w *watching) {
			w.rename(w.dir, filepath.Join(w.outside, "work"))
			w.put("other")
		},
	} {
		t.Run(name, func(t *testing.T) {
			limits := usualLimits()
			limits.look = 50 * time.Millisecond
			w := begin(t, limits, openSource, "sub/f")
			lose(w)
			for {
				if c := w.next(); c.Gone {
					if c.Full || c.Paths != nil {
						t.Errorf("the last report is %+v", c)
					}
					break
				}
			}
			w.wait()
			if len(w.changes) > 0 {
				t.Error("a report after the last")
			}
		})
	}
}

func TestWS02_TheEndComesAtOnce(t *testing.T) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("d%d/f", i))
	}
	w := begin(t, usualLimits(), openSource, names...)
	w.put("a.txt")
	start := time.Now()
	w.cancel()
	w.wait()
	if took := time.Since(start); took > 100*time.Millisecond {
		t.Errorf("it took %v", took)
	}
	reports := len(w.changes)
	w.put("b.txt")
	if len(w.changes) != reports {
		t.Error("a report after the end")
	}
}
