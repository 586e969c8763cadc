package watch

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change/changetest"
	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/workspace"
)

// watching is a watch under way, and a folder beside the one it watches.
type watching struct {
	t            *testing.T
	folder       *workspace.Folder
	dir, outside string
	changes      chan Change
	cancel       context.CancelFunc
	wait         func()
	// seen are all paths reported so far, reports how many reports that took.
	seen    map[string]bool
	reports int
	marks   int
}

// patience is how long a test waits for a report that has to come.
const patience = 20 * time.Second

// begin watches a folder that has the files, and returns when that has begun.
func begin(t *testing.T, limits watchLimits, open func() (source, error), files ...string) *watching {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &watching{
		t: t, dir: filepath.Join(base, "above", "work"), outside: filepath.Join(base, "outside"),
		changes: make(chan Change, 10_000), seen: map[string]bool{},
	}
	w.put(files...)
	for _, dir := range []string{w.dir, w.outside} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if w.folder, err = workspace.Open(w.dir); err != nil {
		t.Fatal(err)
	}
	record := leftover.New(filepath.Join(base, "left"))
	t.Cleanup(func() { _ = record.Close() })
	w.folder.UseRecord(record)
	changetest.UseOnRecord(t, w.folder, record)
	ctx, cancel := context.WithCancel(t.Context())
	var reporting sync.Mutex
	w.cancel = cancel
	w.wait = start(ctx, w.folder, limits, open, func(c Change) {
		if !reporting.TryLock() {
			t.Error("two reports at once")
			return
		}
		defer reporting.Unlock()
		w.changes <- c
	})
	t.Cleanup(func() {
		cancel()
		w.wait()
		_ = w.folder.Close()
	})
	if first := w.next(); !first.Full || first.Gone || first.Paths != nil {
		t.Fatalf("the first report is %+v", first)
	}
	return w
}

func (w *watching) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// put makes files that hold their own names, and the folders they need.
func (w *watching) put(names ...string) {
	w.t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(w.path(name), []byte(name), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *watching) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(from, to); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watching) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watching) link(target, name string) {
	w.t.Helper()
	sandboxtest.Link(w.t, target, w.path(name))
}

// next returns the next report.
func (w *watching) next() Change {
	w.t.Helper()
	select {
	case c := <-w.changes:
		w.reports++
		for _, path := range c.Paths {
			w.seen[path] = true
		}
		if !slices.IsSorted(c.Paths) || c.Full && c.Paths != nil {
			w.t.Errorf("report %+v", c)
		}
		return c
	case <-time.After(patience):
		w.t.Fatalf("no report; seen so far: %v", slices.Sorted(maps.Keys(w.seen)))
		return Change{}
	}
}

// mark makes a file and waits until it is reported: all that happened before is
// reported then, too. It returns the paths that were, without the mark's, and
// whether a report was full.
func (w *watching) mark() (paths []string, full bool) {
	w.t.Helper()
	w.marks++
	name := fmt.Sprintf("mark-%d", w.marks)
	w.put(name)
	for !w.seen[name] {
		if w.next().Full {
			full = true
			// It may have come before the mark, or have been in place of it.
			w.marks++
			name = fmt.Sprintf("mark-%d", w.marks)
			w.put(name)
		}
	}
	for path := range w.seen {
		if !strings.HasPrefix(path, "mark-") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	clear(w.seen)
	return paths, full
}

// wants marks and compares what was reported.
func (w *watching) wants(want ...string) {
	w.t.Helper()
	got, full := w.mark()
	if full {
		w.t.Fatal("a full report, want paths")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("reported (-want +got):\n%s", diff)
	}
}

// wantsFull marks and expects a full report.
func (w *watching) wantsFull() {
	w.t.Helper()
	if _, full := w.mark(); !full {
		w.t.Error("no full report")
	}
}
