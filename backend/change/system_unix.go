//go:build unix

package change

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noWait makes opening a pipe return at once.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

// toSync opens a file to be synced.
const toSync = os.O_RDONLY

// addIdentity adds what only the system tells of a file.
func (s *State) addIdentity(info fs.FileInfo) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	s.Inode, s.Links = stat.Ino, uint64(stat.Nlink) //nolint:unconvert // its type differs between systems
	s.Owner, s.Group = stat.Uid, stat.Gid
	s.Changed = changedAt(stat)
}

// identifyAt adds nothing more.
func (s *State) identifyAt(string) {}

// identifyOpened adds nothing more.
func (s *State) identifyOpened(*os.File) {}

// setTime sets when an entry changed, of a link and not of what it leads to.
func setTime(at spot, modified int64) error {
	changed := unix.NsecToTimespec(modified)
	times := []unix.Timespec{accessTime(changed), changed}
	return unix.UtimesNanoAt(int(at.handle.Fd()), at.name, times, unix.AT_SYMLINK_NOFOLLOW)
}

// setOwner sets who owns an entry, if this user may.
func setOwner(at spot, owner, group uint32) error {
	err := unix.Fchownat(int(at.handle.Fd()), at.name, int(owner), int(group), unix.AT_SYMLINK_NOFOLLOW)
	if isRefused(err) {
		return nil
	}
	return err
}

// isRefused reports whether this user may not do what was asked.
func isRefused(err error) bool { return errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) }

// syncFolder waits until the disk has the names that a folder holds.
func syncFolder(folder *os.File) error { return folder.Sync() }

// sameFileSystem reports whether two folders lie on one.
func sameFileSystem(a, b *os.File) (bool, error) {
	var of [2]unix.Stat_t
	for i, f := range []*os.File{a, b} {
		if err := unix.Fstat(int(f.Fd()), &of[i]); err != nil {
			return false, err
		}
	}
	return of[0].Dev == of[1].Dev, nil
}

// isNotEmpty reports whether a folder was not removed because something is in it.
func isNotEmpty(err error) bool { return errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST) }

// isFull reports whether the disk took nothing more.
func isFull(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// isFault reports whether the disk failed, or took nothing more: another way to do the same
// would fare no better.
func isFault(err error) bool { return errors.Is(err, unix.EIO) || isFull(err) }

// linkName gives a file another name.
func linkName(from, to spot) error {
	return unix.Linkat(int(from.handle.Fd()), from.name, int(to.handle.Fd()), to.name, 0)
}

// allocatedBytes is how much a file takes on the disk.
func allocatedBytes(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Blocks * 512 // whatever the size of the file system's own blocks
	}
	return info.Size()
}

// freeSpace is how much a user may still write where a folder lies, in bytes.
func freeSpace(dir string) (int64, bool) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0, false
	}
	return int64(stat.Bavail) * int64(stat.Bsize), true //nolint:gosec,unconvert // their types differ between systems, and disks are smaller
}
