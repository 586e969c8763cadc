package workspace

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// listing is what a look for hazards needs of a folder.
type listing struct {
	// changed is when the folder changed last.
	changed changed
	// entries counts all that is in it.
	entries int
	// hazards are the names that other programs act on, below the folders that are to
	// be looked at, both relative to the workspace.
	hazards, below []string
	// bare says that it is a git folder without a working tree.
	bare bool
}

// listings are those of the folders that were looked at. A folder that has not changed
// since need not be read again, which is most of the work of a look.
type listings struct {
	mu    sync.Mutex
	known map[string]listing
}

// settled is how old a change has to be so that another one is sure to have another
// time: systems count in steps of some milliseconds.
const settled = 100 * time.Millisecond

// list reads a folder, or remembers what was in it. Of one that cannot be read, or went
// away, it finds nothing.
func (h *hazardSearch) list(ctx context.Context, dir string) (listing, error) {
	if ctx.Err() != nil {
		return listing{}, context.Cause(ctx)
	}
	info, err := h.folder.root.Lstat(filepath.FromSlash(dir))
	if err != nil {
		return listing{}, nil
	}
	now, tells := lastChange(info)
	l := &h.folder.listings
	l.mu.Lock()
	known, ok := l.known[dir]
	l.mu.Unlock()
	if ok && tells && known.changed == now {
		return known, nil
	}
	entries, more, err := h.folder.entries(ctx, dir, hazardEntries)
	if ctx.Err() != nil {
		return listing{}, context.Cause(ctx)
	}
	if err != nil && len(entries) == 0 {
		return listing{}, nil
	}
	found := sift(dir, entries)
	found.changed = now
	if tells && !more && err == nil && time.Since(now.at) > settled {
		l.mu.Lock()
		if l.known == nil {
			l.known = map[string]listing{}
		}
		l.known[dir] = found
		l.mu.Unlock()
	}
	return found, nil
}

// sift takes what matters from the entries of a folder.
func sift(dir string, entries []fs.DirEntry) listing {
	found := listing{entries: len(entries)}
	bare := 0
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.EqualFold(name, ".git"), autorun[name], strings.HasSuffix(name, ".code-workspace"):
			found.hazards = append(found.hazards, path.Join(dir, name))
		case e.IsDir() && name != "node_modules":
			found.below = append(found.below, path.Join(dir, name))
		}
		if n := e.Name(); n == "HEAD" || n == "objects" || n == "refs" {
			bare++
		}
	}
	found.bare = bare == 3
	return found
}
