package autorun

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// listing is what a look needs of a folder.
type listing struct {
	// id is the folder as it was when it was read.
	id identity
	// entries counts all that is in it.
	entries int
	// more means that it has more than were read, which then are those whose names are
	// known.
	more bool
	// acted are the names that programs act on, below the folders to be looked at, both
	// relative to the workspace.
	acted, below []string
	// repository means that git keeps one in it, without a working tree around.
	repository bool
	// all are its entries; nil in a folder that is only searched.
	all []entry
}

// entry is one of a folder's.
type entry struct {
	name string
	mode fs.FileMode
}

// list returns what is in a folder that programs act on.
func (l *looking) list(dir string) listing { return l.read(dir, true) }

// search returns what is in any other folder.
func (l *looking) search(dir string) listing { return l.read(dir, false) }

// read reads a folder, or remembers what was in it. Of one that is not there, or no
// folder, it finds nothing.
func (l *looking) read(dir string, whole bool) listing {
	if l.ctx.Err() != nil {
		return listing{}
	}
	info, err := l.root.Lstat(filepath.FromSlash(dir))
	if err != nil || !info.IsDir() {
		return listing{}
	}
	key := dir
	if whole {
		key += "/" // the two are not the same
	}
	id, tells := identify(info)
	l.mu.Lock()
	known, ok := l.listings[key]
	l.mu.Unlock()
	if ok && tells && known.id == id {
		return known
	}
	entries, more, err := l.Scanner.list(l.ctx, dir, maxEntries)
	if err != nil && l.ctx.Err() == nil {
		l.unreadable(dir)
	}
	found := listing{id: id, entries: len(entries), more: more}
	if whole {
		for _, e := range entries {
			found.all = append(found.all, entry{e.Name(), e.Type()})
		}
	} else {
		found.sift(dir, entries)
		if more {
			l.askByName(dir, &found)
		}
	}
	if tells && err == nil && !more && time.Since(id.at) > settled {
		l.mu.Lock()
		l.listings[key] = found
		l.mu.Unlock()
	}
	return found
}

// sift takes what matters from the entries of a folder.
func (found *listing) sift(dir string, entries []fs.DirEntry) {
	parts := []string{}
	if dir != "." {
		parts = strings.Split(Fold(dir), "/")
	}
	signs := 0
	for _, e := range entries {
		name := e.Name()
		if name == "HEAD" || name == "objects" || name == "refs" {
			signs++
		}
		_, acted := ruleOf(append(parts[:len(parts):len(parts)], Fold(name)))
		switch {
		case acted:
			found.acted = append(found.acted, path.Join(dir, name))
		case e.IsDir() && name != "node_modules":
			found.below = append(found.below, path.Join(dir, name))
		}
	}
	found.repository = signs == 3
}

// askByName looks for the known names in a folder that is too large to be read to its
// end: which of its entries were read is up to the file system.
func (l *looking) askByName(dir string, found *listing) {
	var entries []fs.DirEntry
	for _, name := range topNames() {
		if info, err := l.root.Lstat(filepath.FromSlash(path.Join(dir, name))); err == nil {
			entries = append(entries, fs.FileInfoToDirEntry(info))
		}
	}
	asked := listing{}
	asked.sift(dir, entries)
	found.acted = unique(append(found.acted, asked.acted...))
	found.below = unique(append(found.below, asked.below...))
	found.repository = found.repository || asked.repository
}

// unreadable notes a folder that cannot be read, the first time.
func (l *looking) unreadable(dir string) {
	l.mu.Lock()
	told := l.told[dir]
	l.told[dir] = true
	l.mu.Unlock()
	if !told {
		l.gap(dir, GapUnreadable)
	}
}
