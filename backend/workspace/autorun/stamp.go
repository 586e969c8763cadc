package autorun

import (
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// maxCompared is how much of a file is compared byte for byte. A larger one counts as
// changed when the system says that it was written.
const maxCompared = 256 << 10

// stamp is what a file is at one moment.
type stamp struct {
	kind Kind
	mode fs.FileMode
	size int64
	hash [sha256.Size]byte
	// link is what a link says, and where it leads inside the workspace.
	link string
	// at is when a large file changed last.
	at time.Time
}

// sum is the hash of a file.
type sum struct {
	id   identity
	hash [sha256.Size]byte
}

// addStamp keeps what something is now.
func (l *looking) addStamp(name string, kind Kind, info fs.FileInfo) {
	if _, ok := l.look.stamps[name]; ok {
		return
	}
	s := stamp{kind: kind, mode: info.Mode()}
	switch {
	case s.mode.IsRegular():
		if s.size = info.Size(); asGoodAsNone(l.root, name, s.size) {
			return
		}
		s.hash = l.hashFile(name, info)
		if id, ok := identityOf(info); ok && s.size > maxCompared {
			s.at = id.at
		}
	case s.mode&fs.ModeSymlink != 0:
		s.link, _ = l.root.Readlink(filepath.FromSlash(name)) // a link that went away leads nowhere
	}
	l.look.stamps[name] = s
}

// noteAt keeps what is at a path now.
func (l *looking) noteAt(name string, kind Kind) {
	if info, err := l.root.Lstat(filepath.FromSlash(name)); err == nil {
		l.addStamp(name, kind, info)
	}
}

// asGoodAsNone reports whether a file of git's changes nothing, because it is empty, or
// names its own folder as the one it belongs to. Fairlead makes such files while
// commands run.
func asGoodAsNone(root *os.Root, name string, size int64) bool {
	switch path.Base(name) {
	case "config.worktree":
		return size == 0
	case "commondir":
		if size > int64(len(commonHere)) {
			return false
		}
		file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|noWait, 0)
		if err != nil {
			return false
		}
		defer func() { _ = file.Close() }()
		text, err := io.ReadAll(io.LimitReader(file, int64(len(commonHere))))
		return err == nil && strings.TrimSpace(string(text)) == "."
	}
	return false
}

// hashFile is that of the beginning of a file, zero where it cannot be read. One that has
// not changed is not read again.
func (l *looking) hashFile(name string, info fs.FileInfo) [sha256.Size]byte {
	looked := time.Now()
	id, tells := identityOf(info)
	l.mu.Lock()
	known, ok := l.sums[name]
	l.mu.Unlock()
	if ok && tells && known.id == id {
		return known.hash
	}
	found := sum{id: id}
	file, err := l.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|noWait, 0)
	if err != nil {
		return found.hash
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(file, maxCompared)); err != nil {
		return found.hash
	}
	hash.Sum(found.hash[:0])
	if tells && isSettled(id.at, looked) {
		l.mu.Lock()
		l.sums[name] = found
		l.mu.Unlock()
	}
	return found.hash
}
