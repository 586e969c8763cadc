package workspace

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// notesChanges reports whether a folder lies on a file system that is known to note each change of
// a folder in its time.
func notesChanges(root *os.Root) bool {
	opened, err := root.Open(".")
	if err != nil {
		return false
	}
	defer func() { _ = opened.Close() }()
	var stat unix.Statfs_t
	if err := unix.Fstatfs(int(opened.Fd()), &stat); err != nil {
		return false
	}
	switch int64(stat.Type) { //nolint:unconvert // its type differs between processors
	case unix.EXT4_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.F2FS_SUPER_MAGIC:
		return true
	}
	return false
}

// holdsIn is holds for a folder in another one, which is open. It is called for each folder before each command in
// a copy, and makes nothing but the call of the system.
func (s *secretsInFolder) holdsIn(opened uintptr, name string) bool {
	var stat unix.Stat_t
	err := unix.Fstatat(int(opened), name, &stat, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && stat.Mode&unix.S_IFMT == unix.S_IFDIR && s.holdsFor(stat.Ino, stat.Ctim.Nano())
}

// folderWatch tells if anything came, went or was renamed in the folders of a workspace since it was
// asked last: the system has noted that before the call that does it returns (inotify(7)), so that
// asking it is as good as looking at each folder, of which there can be thousands. A nil one tells
// nothing.
type folderWatch struct {
	fd      int
	watched map[int]bool // by the numbers that the system gives
	closed  bool
}

const (
	// maxWatched is how many folders are watched at most: each takes the system about a kilobyte.
	maxWatched = 30_000
	// watchedFor is what is told of them.
	watchedFor = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR
)

// newFolderWatch returns one; nil where the user has too many.
func newFolderWatch() *folderWatch {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil
	}
	return &folderWatch{fd: fd, watched: map[int]bool{}}
}

// add watches an open folder too. Where that cannot be, nothing is watched any more.
func (w *folderWatch) add(opened *os.File) {
	if !w.isOpen() {
		return
	}
	id, err := unix.InotifyAddWatch(w.fd, "/proc/self/fd/"+strconv.Itoa(int(opened.Fd())), watchedFor)
	if w.watched[id] = true; err != nil || len(w.watched) > maxWatched {
		w.close()
	}
}

// isOpen reports whether it watches anything.
func (w *folderWatch) isOpen() bool { return w != nil && !w.closed }

// isQuiet reports whether nothing has happened since the last call.
func (w *folderWatch) isQuiet() bool {
	if !w.isOpen() {
		return false
	}
	buffer := make([]byte, 16<<10)
	for quiet := true; ; quiet = false {
		n, err := unix.Read(w.fd, buffer)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if n <= 0 || err != nil {
			return quiet && errors.Is(err, unix.EAGAIN)
		}
	}
}

func (w *folderWatch) close() {
	if w.isOpen() {
		w.closed = true
		_ = unix.Close(w.fd)
	}
}
