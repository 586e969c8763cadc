package autorun

import (
	"io/fs"
	"os"
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
	// unreadable means that it could not be read, or not to its end.
	unreadable bool
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
func (l *looking) list(dir string) listing {
	found := l.read(dir, true)
	l.noteIncomplete(dir, found)
	return found
}

// noteIncomplete notes what of a folder was not read.
func (l *looking) noteIncomplete(dir string, found listing) {
	if found.unreadable {
		l.noteUnreadable(dir)
	}
	if found.more {
		l.addGap(dir, GapEntries)
	}
}

// read reads a folder, all that is in it or what else a search needs, or remembers what
// was in it. Of one that is not there, or no folder, it finds nothing. It can be called
// side by side.
func (l *looking) read(dir string, whole bool) listing {
	if l.ctx.Err() != nil {
		return listing{}
	}
	key := dir
	if whole {
		key += "/" // the two are not the same
	}
	l.mu.Lock()
	known, ok := l.listings[key]
	l.mu.Unlock()
	if ok && l.isUnchanged(dir, known.id) {
		return known
	}
	looked := time.Now()
	info, err := l.root.Lstat(filepath.FromSlash(dir))
	if err != nil || !info.IsDir() {
		return listing{}
	}
	id, tells := identityOf(info)
	entries, more, err := l.Scanner.list(l.ctx, dir, maxEntries)
	found := listing{id: id, entries: len(entries), more: more, unreadable: err != nil && l.ctx.Err() == nil}
	if whole {
		for _, e := range entries {
			found.all = append(found.all, entry{e.Name(), e.Type()})
		}
	} else {
		found.siftEntries(dir, entries)
		if more {
			l.askByName(dir, &found)
		}
	}
	if tells && err == nil && !more && isSettled(id.at, looked) {
		l.mu.Lock()
		l.listings[key] = found
		l.mu.Unlock()
	}
	return found
}

// isUnchanged reports whether a folder is the one that was read, and has not changed since.
// It costs one call to the system however deep the folder lies. Whatever links may be on
// the way by now, the folder at their end is told from every other one.
func (l *looking) isUnchanged(dir string, read identity) bool {
	info, err := os.Lstat(l.path + string(filepath.Separator) + filepath.FromSlash(dir))
	if err != nil {
		return false
	}
	id, tells := identityOf(info)
	return tells && id == read
}

// siftEntries takes what matters from the entries of a folder.
func (found *listing) siftEntries(dir string, entries []fs.DirEntry) {
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
	asked.siftEntries(dir, entries)
	found.acted = sortUnique(append(found.acted, asked.acted...))
	found.below = sortUnique(append(found.below, asked.below...))
	found.repository = found.repository || asked.repository
}

// noteUnreadable notes a folder that cannot be read, the first time.
func (l *looking) noteUnreadable(dir string) {
	l.mu.Lock()
	told := l.told[dir]
	l.told[dir] = true
	l.mu.Unlock()
	if !told {
		l.addGap(dir, GapUnreadable)
	}
}
