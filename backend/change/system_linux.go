package change

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"fairlead/backend/sandbox/overlay"

	"golang.org/x/sys/unix"
)

func changedAt(stat *syscall.Stat_t) int64 { return stat.Ctim.Nano() }

// accessTime is the time of the last access that goes with one of change: it stays.
func accessTime(unix.Timespec) unix.Timespec { return unix.Timespec{Nsec: unix.UTIME_OMIT} }

// subvolumeInode is the number that the top of each subvolume of btrfs has
// (BTRFS_FIRST_FREE_OBJECTID).
const subvolumeInode = 256

// subvolumes returns what reports whether a folder in this one is the top of a subvolume, which
// other folders of btrfs cannot be exchanged with.
func subvolumes(folder string) func(State) bool {
	var stat unix.Statfs_t
	isBtrfs := unix.Statfs(folder, &stat) == nil && stat.Type == unix.BTRFS_SUPER_MAGIC
	return func(s State) bool { return isBtrfs && s.Kind == Folder && s.Inode == subvolumeInode }
}

// exchange gives two entries each other's place, at once. It fails with errFar where the
// file system does not do that.
func exchange(a, b spot) error { return renameAt(a, b, unix.RENAME_EXCHANGE) }

// move moves an entry to a place where nothing lies, at once. It fails with errFar where the
// file system does not do that, and with fs.ErrExist where something does lie there.
func move(from, to spot) error { return renameAt(from, to, unix.RENAME_NOREPLACE) }

func renameAt(a, b spot, flags uint) error {
	for {
		err := unix.Renameat2(int(a.handle.Fd()), a.name, int(b.handle.Fd()), b.name, flags)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EXDEV), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
			return errFar
		case err != nil:
			return &os.LinkError{Op: "rename", Old: a.name, New: b.name, Err: err}
		default:
			return nil
		}
	}
}

// isWritten reports whether another process has a file open for writing, as far as this
// process may ask.
func isWritten(file *os.File) bool {
	_, err := unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, _ = unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_UNLCK) // it ends with the file anyway
	}
	return errors.Is(err, unix.EAGAIN)
}

// cloneFile makes a file hold what another does without copying it, where the file system
// does that.
func cloneFile(to, from *os.File) error { return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) }

// namedPath is a path that leads to an entry without a link on the way.
func (s spot) namedPath() string {
	return "/proc/self/fd/" + strconv.Itoa(int(s.handle.Fd())) + "/" + s.name
}

// readAttributes returns the extended attributes of an entry; nil for none, and where there
// are none on its file system. Those that this user may not read are left out.
func readAttributes(at spot) (map[string][]byte, error) {
	path := at.namedPath()
	names, err := attributeNames(path)
	if err != nil {
		return nil, fmt.Errorf("read the attributes of %s: %w", at.name, err)
	}
	var all map[string][]byte
	for name := range strings.SplitSeq(names, "\x00") {
		if name == "" || strings.HasPrefix(name, "security.") && name != "security.capability" {
			continue // which the system gives each file by its own rules
		}
		value, err := readAttribute(path, name)
		if isRefused(err) || errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the attribute %s of %s: %w", name, at.name, err)
		}
		if all == nil {
			all = map[string][]byte{}
		}
		all[name] = value
	}
	return all, nil
}

// attributeNames lists the extended attributes of an entry, with a zero after each.
func attributeNames(path string) (string, error) {
	var few [256]byte
	names := few[:]
	n, err := unix.Llistxattr(path, names)
	if errors.Is(err, unix.ERANGE) {
		if n, err = unix.Llistxattr(path, nil); err == nil {
			names = make([]byte, n)
			n, err = unix.Llistxattr(path, names)
		}
	}
	if isNotSupported(err) || errors.Is(err, unix.ENOENT) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return string(names[:n]), nil
}

func readAttribute(path, name string) ([]byte, error) {
	var short [128]byte
	size, err := unix.Lgetxattr(path, name, short[:])
	if err == nil {
		return bytes.Clone(short[:size]), nil
	}
	if !errors.Is(err, unix.ERANGE) {
		return nil, err
	}
	if size, err = unix.Lgetxattr(path, name, nil); err != nil {
		return nil, err
	}
	value := make([]byte, size)
	size, err = unix.Lgetxattr(path, name, value)
	return value[:max(size, 0)], err
}

// stripOwn takes the attributes of an overlay off an entry of its layer. Of what its owner may not write
// to they can only be taken while that is otherwise.
func stripOwn(at spot) (err error) {
	path := at.namedPath()
	names, err := attributeNames(path)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(strings.Split(names, "\x00"), func(name string) bool { return !overlay.IsOwn(name) })
	if len(own) == 0 {
		return nil
	}
	is, err := lookAt(at.dir, at.name)
	if err == nil && is.Mode&0o200 == 0 {
		if err = setMode(at, unixMode(is.Mode)|0o200); err == nil {
			defer func() { err = errors.Join(err, setMode(at, unixMode(is.Mode))) }()
		}
	}
	for _, name := range own {
		if err == nil {
			err = unix.Lremovexattr(path, name)
		}
	}
	return err
}

// isNotSupported reports whether a file system does not do what was asked.
func isNotSupported(err error) bool {
	return errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS)
}

// setAttributes gives an entry these extended attributes and no others, as far as this user
// may and the file system does that.
func setAttributes(at spot, wanted map[string][]byte) error {
	path := at.namedPath()
	now, failed := readAttributes(at)
	note := func(err error) {
		if !isRefused(err) && !isNotSupported(err) {
			failed = errors.Join(failed, err)
		}
	}
	for name := range now {
		if _, ok := wanted[name]; !ok {
			note(unix.Lremovexattr(path, name))
		}
	}
	for name, value := range wanted {
		if old, ok := now[name]; !ok || !slices.Equal(old, value) {
			err := unix.Lsetxattr(path, name, value, 0)
			// Who has mounted a draft does not know the other users that a list of rights names.
			if !errors.Is(err, unix.EINVAL) || !strings.HasPrefix(name, "system.posix_acl_") {
				note(err)
			}
		}
	}
	return failed
}

// setMode sets the mode of an entry, and fails for a link. Before Linux 6.6 only a path sets
// modes without following links, one of those that /proc has.
func setMode(at spot, mode uint32) error {
	entry, err := unix.Openat(int(at.handle.Fd()), at.name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(entry) }()
	return unix.Chmod("/proc/self/fd/"+strconv.Itoa(entry), mode)
}

// syncAll makes everything on the file system of a folder survive a power cut.
func syncAll(folder *os.File) error { return unix.Syncfs(int(folder.Fd())) }

func modifiedOf(stat *unix.Stat_t) int64 { return stat.Mtim.Nano() }

func changedOf(stat *unix.Stat_t) int64 { return stat.Ctim.Nano() }
