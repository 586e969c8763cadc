package workspace

import (
	"os"

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
