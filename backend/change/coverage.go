package change

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"fairlead/backend/leftover"
)

// Coverage is how far what a command changes could be taken back.
type Coverage struct {
	// None is why nothing can be, in words; empty where something can.
	None string
	// Lost are files of which no content is kept, the largest first.
	Lost []Entry
}

// Coverage looks at the folder ahead of a command, and begins to keep what that may change:
// the user may take a while to decide about it.
func (r *Recorder) Coverage(ctx context.Context) (Coverage, error) {
	if lost, ok := r.knownCoverage(ctx); ok {
		return Coverage{Lost: lost}, nil
	}
	var files fileList
	_, err := lookThrough(ctx, r.Root, files.take)
	if errors.Is(err, errTooMany) {
		return Coverage{None: err.Error()}, nil
	}
	if err != nil {
		return Coverage{}, err
	}
	r.looking.Go(func() {
		r.changing.Lock()
		defer r.changing.Unlock()
		if len(r.running) > 0 || r.ended.Err() != nil {
			return
		}
		if err := r.refresh(r.ended); err != nil && r.ended.Err() == nil {
			r.Log.Warn("keep what a command may change", "error", err)
		}
	})
	return Coverage{Lost: files.lost()}, nil
}

// knownCoverage returns the files of which no content is kept, where nothing has changed since
// the last look and nothing is being changed.
func (r *Recorder) knownCoverage(ctx context.Context) ([]Entry, bool) {
	if !r.changing.TryLock() {
		return nil, false
	}
	defer r.changing.Unlock()
	if r.base == nil || len(r.running) > 0 {
		return nil, false
	}
	if began := time.Now(); began.Sub(r.base.current) >= lookLasts {
		found, err := r.base.compare(ctx, r.Root)
		if err != nil || len(found) > 0 {
			return nil, false
		}
		r.base.current = began
	}
	return r.base.lost(), true
}

// lost lists the files of which no content is kept, the largest first.
func (b *base) lost() []Entry {
	var lost []Entry
	for local, entry := range b.entries {
		if entry.Lost != "" {
			lost = append(lost, Entry{local, entry.State})
		}
	}
	slices.SortFunc(lost, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.State.Size, a.State.Size), cmp.Compare(a.Path, b.Path))
	})
	return lost
}

// fileList are the files in a folder, with how large the largest is, and all together.
type fileList struct {
	mu           sync.Mutex
	all          []Entry
	largest, sum int64
}

func (l *fileList) take(prefix string, found []Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range found {
		if e.State.Kind == File {
			l.all = append(l.all, Entry{leftover.Path(prefix) + e.Path, e.State})
			l.largest, l.sum = max(l.largest, e.State.Size), l.sum+e.State.Size
		}
	}
}

// lost lists the files whose contents would not be kept: by size, as base.update goes.
func (l *fileList) lost() []Entry {
	if l.largest <= maxCompared && l.sum <= maxComparedAll {
		return nil
	}
	slices.SortFunc(l.all, func(a, b Entry) int { return compareSizes(a.State.Size, a.Path, b.State.Size, b.Path) })
	used := int64(0)
	var lost []Entry
	for _, f := range l.all {
		if f.State.Size > maxCompared || used+f.State.Size > maxComparedAll {
			lost = append(lost, f)
			continue
		}
		used += f.State.Size
	}
	slices.SortFunc(lost, func(a, b Entry) int { return cmp.Compare(b.State.Size, a.State.Size) })
	return lost
}
