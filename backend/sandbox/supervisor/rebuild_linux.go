package supervisor

import (
	"bytes"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// entry is a path as a program names it: relative to a folder, which is opened.
type entry struct {
	folder int
	path   string
}

// listNames lists what is in a folder.
func listNames(e entry) ([]string, error) {
	fd, err := unix.Openat(e.folder, e.path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	opened := os.NewFile(uintptr(fd), e.path)
	defer opened.Close()
	names, err := opened.Readdirnames(-1)
	if fault, ok := errors.AsType[*os.SyscallError](err); ok {
		err = fault.Err
	}
	return names, err
}

// rebuild makes a folder that is like another one, out of new names for what is in that.
func rebuild(from, to entry) error {
	var stat unix.Stat_t
	if err := unix.Fstatat(from.folder, from.path, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		return unix.Linkat(from.folder, from.path, to.folder, to.path, 0)
	}
	if err := unix.Mkdirat(to.folder, to.path, 0o700); err != nil {
		return err
	}
	names, err := listNames(from)
	if err != nil {
		return err
	}
	source, err := openFolder(from)
	if err != nil {
		return err
	}
	defer unix.Close(source)
	target, err := openFolder(to)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	for _, name := range names {
		if err := rebuild(entry{source, name}, entry{target, name}); err != nil {
			return err
		}
	}
	if err := copyAttributes(from, to); err != nil {
		return err
	}
	if err := unix.Fchmodat(to.folder, to.path, stat.Mode&0o7777, 0); err != nil {
		return err
	}
	times := []unix.Timespec{stat.Atim, stat.Mtim}
	return unix.UtimesNanoAt(to.folder, to.path, times, unix.AT_SYMLINK_NOFOLLOW)
}

func openFolder(e entry) (int, error) {
	return unix.Openat(e.folder, e.path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
}

// copyAttributes gives a folder the extended attributes of another one, as far as the command
// may.
func copyAttributes(from, to entry) error {
	source, err := openFolder(from)
	if err != nil {
		return err
	}
	defer unix.Close(source)
	target, err := openFolder(to)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	names := make([]byte, 1<<16) // the most that there can be (xattr(7))
	n, err := unix.Flistxattr(source, names)
	if err != nil || n == 0 {
		return nil //nolint:nilerr // there are none here
	}
	value := make([]byte, 1<<16)
	for name := range bytes.SplitSeq(bytes.TrimSuffix(names[:n], []byte{0}), []byte{0}) {
		length, err := unix.Fgetxattr(source, string(name), value)
		if err == nil {
			err = unix.Fsetxattr(target, string(name), value[:length], 0)
		}
		refused := errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENODATA)
		if err != nil && !refused {
			return err
		}
	}
	return nil
}

// remove deletes what is at a path, a folder with all that is in it.
func remove(e entry) error {
	err := unix.Unlinkat(e.folder, e.path, 0)
	if errors.Is(err, unix.EISDIR) {
		return removeTree(e)
	}
	return err
}

// removeTree deletes a folder with all that is in it.
func removeTree(e entry) error {
	names, err := listNames(e)
	if errors.Is(err, unix.EACCES) {
		// The command may delete it by its new name only; the old one is its own too.
		if err = unix.Fchmodat(e.folder, e.path, 0o700, 0); err == nil {
			names, err = listNames(e)
		}
	}
	if err != nil {
		return err
	}
	folder, err := openFolder(e)
	if err != nil {
		return err
	}
	defer unix.Close(folder)
	for _, name := range names {
		err := remove(entry{folder, name})
		if errors.Is(err, unix.EACCES) && unix.Fchmod(folder, 0o700) == nil {
			err = remove(entry{folder, name})
		}
		if err != nil {
			return err
		}
	}
	return unix.Unlinkat(e.folder, e.path, unix.AT_REMOVEDIR)
}
