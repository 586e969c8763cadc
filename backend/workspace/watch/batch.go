package watch

import (
	"slices"
	"time"

	"fairlead/backend/workspace"
)

// batch gathers changes until they are reported.
type batch struct {
	limits watchLimits
	paths  map[string]bool
	// full says that there were more paths than are reported, or that some are
	// not known; rescan also that the folder has to be walked anew.
	full, rescan bool
	// first and last are when the oldest and the newest of them happened; zero
	// when there are none.
	first, last time.Time
}

func newBatch(limits watchLimits) batch {
	return batch{limits: limits, paths: map[string]bool{}}
}

// add notes a changed path.
func (b *batch) add(path string) {
	b.noteTime()
	if b.full {
		return
	}
	b.paths[path] = true
	if len(b.paths) > b.limits.paths {
		b.full = true
		clear(b.paths)
	}
}

// markMissed notes that changes were missed or mean something else now.
func (b *batch) markMissed() {
	b.noteTime()
	b.full, b.rescan = true, true
	clear(b.paths)
}

func (b *batch) noteTime() {
	b.last = time.Now()
	if b.first.IsZero() {
		b.first = b.last
	}
}

// coversPath reports whether another change of path would alter nothing.
func (b *batch) coversPath(path string) bool { return b.full || b.paths[path] }

// wait returns how long to wait before the report; false if there is nothing to
// report.
func (b *batch) wait(now time.Time) (time.Duration, bool) {
	if b.first.IsZero() {
		return 0, false
	}
	due := b.last.Add(b.limits.quiet)
	if latest := b.first.Add(b.limits.wait); latest.Before(due) {
		due = latest
	}
	return max(due.Sub(now), 0), true
}

// takeChange returns what was gathered and begins anew.
func (b *batch) takeChange() Change {
	change := Change{Full: b.full}
	for local := range b.paths {
		change.Paths = append(change.Paths, workspace.Shown(local))
	}
	slices.Sort(change.Paths)
	clear(b.paths)
	*b = batch{limits: b.limits, paths: b.paths}
	return change
}
