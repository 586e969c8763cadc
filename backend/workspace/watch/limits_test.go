package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"fairlead/backend/workspace"
)

func TestWS02_TooManyFolders(t *testing.T) {
	limits := usualLimits()
	limits.folders = 4
	w := begin(t, limits, openSource, "a/f", "b/f", "c/f")
	w.put("c/f")
	w.wants("c/f")
	w.put("a/deep/f")
	for {
		if c := w.next(); c.Limited != "" {
			break
		}
	}
	// What was watched before still is, and there is space when some go.
	w.put("b/f")
	if paths, _ := w.mark(); len(paths) == 0 || paths[len(paths)-1] != "b/f" {
		t.Errorf("reported %v", paths)
	}
	w.remove("b")
	w.remove("c")
	for {
		if c := w.next(); c.Full && c.Limited == "" {
			break
		}
	}
	w.put("a/deep/f")
	w.wants("a/deep/f")
}

func TestWS02_TooManyFiles(t *testing.T) {
	limits := usualLimits()
	limits.files = 20
	var many []string
	for i := range 15 {
		many = append(many, fmt.Sprintf("full/%d", i))
	}
	w := begin(t, limits, openSource, "a/f", "b/f")
	w.put(many[:5]...)
	if _, full := w.mark(); full {
		t.Error("a full report below the limit")
	}
	w.put(many...)
	for {
		if c := w.next(); c.Full && c.Limited != "" {
			break
		}
	}
	w.put("full/7", "a/f")
	w.wants("a/f")
	w.remove("full")
	w.remove("a") // Only what was watched tells that there is space again.
	for {
		if c := w.next(); c.Full && c.Limited == "" {
			break
		}
	}
}

func TestWS02_TheSystemWatchesNoMore(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"watches":      {fmt.Errorf("add: %w", syscall.ENOSPC), limitedExhausted},
		"something":    {errors.New("not supported"), limitedNone},
		"only the one": {os.ErrPermission, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := begin(t, usualLimits(), func() (source, error) {
				real, err := openSource()
				add := real.add
				real.add = func(dir string) error {
					if filepath.Base(dir) == "deep" {
						return test.err
					}
					return add(dir)
				}
				return real, err
			}, "a/f", "b/deep/f")
			w.put("a/f")
			if c := w.next(); c.Limited != test.want {
				t.Errorf("limited: %q, want %q", c.Limited, test.want)
			}
			w.put("b/deep/f", "b/f")
			w.wants("a/f", "b/f")
		})
	}
}

func TestWS02_NothingCanBeWatched(t *testing.T) {
	var tries atomic.Int32
	w := begin(t, usualLimits(), func() (source, error) {
		tries.Add(1)
		return source{}, syscall.EMFILE
	}, "a/f")
	w.put("a/f")
	if _, err := w.folder.List(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	w.cancel()
	w.wait()
	if tries.Load() != 1 || len(w.changes) != 0 {
		t.Errorf("tried %d times, %d more reports", tries.Load(), len(w.changes))
	}
}

// TestTOOL02_FoldersSwappedForLinksAreNotWatched swaps them while watching begins.
func TestTOOL02_FoldersSwappedForLinksAreNotWatched(t *testing.T) {
	for _, when := range []string{"a", "swapped"} {
		t.Run(when, func(t *testing.T) {
			outside := t.TempDir()
			var once sync.Once
			w := begin(t, usualLimits(), func() (source, error) {
				real, err := openSource()
				add := real.add
				real.add = func(dir string) error {
					if filepath.Base(dir) == when {
						once.Do(func() {
							name := filepath.Join(filepath.Dir(dir), "swapped")
							if err := errors.Join(os.Rename(name, name+"-away"), os.Symlink(outside, name)); err != nil {
								t.Error(err)
							}
						})
					}
					return add(dir)
				}
				return real, err
			}, "a/f", "swapped/f")
			w.mark()
			if err := os.WriteFile(filepath.Join(outside, "f"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			w.wants()
			w.put("swapped-away/f")
			w.wants("swapped-away/f")
		})
	}
}

// TestWS02_MissedChanges loses events as a system does that has too many, and
// tells so.
func TestWS02_MissedChanges(t *testing.T) {
	var deaf atomic.Bool
	failures := make(chan error)
	w := begin(t, usualLimits(), func() (source, error) {
		real, err := openSource()
		events := make(chan fsnotify.Event)
		heard := real.events
		go func() {
			defer close(events)
			for e := range heard {
				if !deaf.Load() {
					events <- e
				}
			}
		}()
		release := real.close
		real.events, real.errors = events, failures
		real.close = func() error {
			err := release()
			// What is still under way is thrown away.
			for range events {
			}
			return err
		}
		return real, err
	}, "sub/deep/f", "gone/f")
	deaf.Store(true)
	w.rename(w.path("sub"), w.path("moved"))
	w.put("sub/g", "new/deep/f", ".gitignore")
	w.remove("gone")
	w.put("gone/f")
	failures <- fsnotify.ErrEventOverflow
	if c := w.next(); !c.Full {
		t.Errorf("reported %+v", c)
	}
	deaf.Store(false)
	w.put("moved/deep/f", "sub/g", "new/deep/f", "gone/f")
	w.wants("gone/f", "moved/deep/f", "new/deep/f", "sub/g")
}

// TestWS02_ReportsComeInTime sends changes in virtual time.
func TestWS02_ReportsComeInTime(t *testing.T) {
	dir := t.TempDir()
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	if err := os.WriteFile(filepath.Join(dir, "f"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		events := make(chan fsnotify.Event)
		quiet := func(string) error { return nil }
		changes := make(chan Change, 100)
		ctx, cancel := context.WithCancel(t.Context())
		wait := start(ctx, folder, usualLimits(), func() (source, error) {
			return source{events: events, add: quiet, remove: quiet}, nil
		}, func(c Change) { changes <- c })
		<-changes
		change := func() { events <- fsnotify.Event{Name: filepath.Join(folder.Path(), "f"), Op: fsnotify.Write} }

		// One change alone is reported when it stays alone.
		start := time.Now()
		change()
		if c := <-changes; len(c.Paths) != 1 || time.Since(start) != 100*time.Millisecond {
			t.Errorf("%+v after %v", c, time.Since(start))
		}
		// A hundred are, too, or every second.
		start = time.Now()
		for range 49 {
			change()
			<-time.After(50 * time.Millisecond)
		}
		<-changes
		<-changes
		<-changes
		if took := time.Since(start); took < 2400*time.Millisecond || took > 2600*time.Millisecond {
			t.Errorf("three reports after %v", took)
		}
		<-time.After(time.Hour)
		if len(changes) != 0 {
			t.Errorf("%d more reports", len(changes))
		}
		cancel()
		wait()
	})
}
