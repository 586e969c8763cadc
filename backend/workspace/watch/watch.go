// Package watch reports what changes in a workspace.
package watch

import (
	"context"
	"runtime"
	"time"

	"fairlead/backend/workspace"
)

// Change is what happened in the folder since the last report.
type Change struct {
	// Paths are what was made, changed or taken away: relative to the folder, as
	// workspace.Shown has them, sorted, each once, at most 200. What no longer exists was taken
	// away. A folder among them is to be listed again, and so is the folder that a
	// path lies in. Secrets are not named: their folder stands for them.
	Paths []string
	// Full says that Paths would not tell everything: look again at everything
	// that is shown. Paths is empty then.
	Full bool
	// Limited is a sentence that says why not the whole folder is watched; empty
	// when it is. It holds until the next report.
	Limited string
	// Gone says that the folder itself was moved or deleted. It is the last
	// report.
	Gone bool
}

// watchLimits are how much is watched, and how often changes are reported.
type watchLimits struct {
	// folders bounds how many folders are watched.
	folders int
	// files bounds how many entries watched folders have together; 0 is no bound.
	files int
	// paths bounds the paths of one report.
	paths int
	// quiet is how long nothing more has to happen before a report, and wait is
	// how long one is put off at most.
	quiet, wait time.Duration
	// look is how often it is asked whether the folder is still where it was: not
	// every system tells, and none when a folder above it is moved.
	look time.Duration
}

func usualLimits() watchLimits {
	limits := watchLimits{
		folders: 5000, paths: 200,
		quiet: 100 * time.Millisecond, wait: time.Second, look: 2 * time.Second,
	}
	if runtime.GOOS == "darwin" {
		// The system keeps every file of a watched folder open.
		limits.files = 8000
	}
	return limits
}

// Start reports changes below a folder until ctx ends or the folder is gone
// (SPEC WS-02). It leaves out what its Walk leaves out; a changed .gitignore takes
// effect, a changed .git/info/exclude does so at the next Full report. Links are
// not followed.
//
// The first report, a Full one, says that watching has begun. Later ones come
// 100 ms after the last of several changes, and after 1 s at the latest while they
// go on. report is called from one goroutine and should return soon. Watching
// never fails: what cannot be watched is said in Change.Limited, and listing the
// folder again shows what changed there. The same goes for network drives, which
// report nothing.
//
// The returned function waits for the end: when it returns, report is not running
// and not called again, and nothing is held any more.
func Start(ctx context.Context, folder *workspace.Folder, report func(Change)) (wait func()) {
	return start(ctx, folder, usualLimits(), openSource, report)
}

func start(ctx context.Context, folder *workspace.Folder, limits watchLimits, open func() (source, error), report func(Change)) (wait func()) {
	w := &watcher{folder: folder, limits: limits, open: open, report: report, batch: newBatch(limits)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.run(ctx)
	}()
	return func() { <-done }
}

// watcher is one watch under way. Its goroutine owns all of it.
type watcher struct {
	folder *workspace.Folder
	limits watchLimits
	open   func() (source, error)
	report func(Change)

	source  source
	watched map[string]*watchedFolder
	// entries counts what is in all watched folders; it is kept only where
	// limits.files bounds it.
	entries int
	// limited is what Change.Limited says, limitedAt how many folders were watched
	// when it became true.
	limited   string
	limitedAt int
	batch     batch
}

// run is the watcher's goroutine.
func (w *watcher) run(ctx context.Context) {
	defer func() { w.source.closeSource() }()
	w.batch.markMissed()
	look := time.NewTicker(w.limits.look)
	defer look.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	for gone := false; ; {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.source.events:
			if ok {
				w.noteEvent(ctx, e)
			} else {
				w.source.events = nil
				w.batch.markMissed()
			}
		case _, ok := <-w.source.errors:
			// Whatever it was, mostly an overflow: changes may have been missed.
			if !ok {
				w.source.errors = nil
			}
			w.batch.markMissed()
		case <-look.C:
			gone = w.folder.IsGone()
		case <-due.C:
			if gone = w.folder.IsGone(); !gone {
				w.flush(ctx)
			}
		}
		if gone {
			w.report(Change{Gone: true})
			return
		}
		if wait, ok := w.batch.wait(time.Now()); ok {
			due.Reset(wait)
		}
	}
}

// flush reports what has come together.
func (w *watcher) flush(ctx context.Context) {
	rescan := w.batch.rescan
	// What happens from here on belongs to the next report.
	change := w.batch.takeChange()
	if rescan {
		w.watchAnew(ctx)
	}
	change.Limited = w.limited
	if ctx.Err() == nil {
		w.report(change)
	}
}
