//go:build unix

package change

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"fairlead/backend/leftover"
)

// stateIn returns what an entry of a folder is.
func stateIn(folder *os.File, name string) (State, error) {
	var stat unix.Stat_t
	if err := unix.Fstatat(int(folder.Fd()), name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return State{}, err
	}
	s := State{
		Mode: fs.FileMode(stat.Mode & 0o777), Modified: modifiedOf(&stat), Changed: changedOf(&stat),
		Inode: stat.Ino, Links: uint64(stat.Nlink), Owner: stat.Uid, Group: stat.Gid, //nolint:unconvert // its type differs between systems
	}
	if stat.Mode&unix.S_ISUID != 0 {
		s.Mode |= fs.ModeSetuid
	}
	if stat.Mode&unix.S_ISGID != 0 {
		s.Mode |= fs.ModeSetgid
	}
	if stat.Mode&unix.S_ISVTX != 0 {
		s.Mode |= fs.ModeSticky
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.Kind, s.Size = File, stat.Size
	case unix.S_IFDIR:
		s.Kind = Folder
	case unix.S_IFLNK:
		s.Kind = Link
		target := make([]byte, max(int(stat.Size)+1, 256))
		n, err := unix.Readlinkat(int(folder.Fd()), name, target)
		if err != nil {
			return State{}, err
		}
		s.Target = leftover.Path(target[:n])
	default:
		s.Kind = Other
	}
	return s, nil
}

// openFolderIn opens a folder in another one.
func openFolderIn(folder *os.File, name string) (*os.File, error) {
	for {
		fd, err := unix.Openat(int(folder.Fd()), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err == unix.EINTR { //nolint:errorlint // it comes from the system as it is
			continue
		}
		if err != nil {
			return nil, err
		}
		return os.NewFile(uintptr(fd), name), nil
	}
}

// openFileIn opens a file in a folder to be read, and waits for no other process.
func openFileIn(folder *os.File, name string) (*os.File, error) {
	for {
		fd, err := unix.Openat(int(folder.Fd()), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|noWait, 0)
		if err == unix.EINTR { //nolint:errorlint // it comes from the system as it is
			continue
		}
		if err != nil {
			return nil, err
		}
		return os.NewFile(uintptr(fd), name), nil
	}
}
