package overlay

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func changedAt(info fs.FileInfo) int64 { return info.Sys().(*syscall.Stat_t).Ctim.Nano() }

// ticked is how long the kernel's own ticks have gone on: on a machine that is busy, or is none
// but a program, they can stand still for long, and with them the times of files.
func ticked() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC_COARSE, &now) // there is this clock
	return time.Duration(now.Nano())
}

// copyTop gives the top of a layer the mode, the owner, the attributes and the time of the
// folder below.
func copyTop(upper, lower *os.Root) error {
	from, err := lower.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := upper.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	var stat unix.Stat_t
	if err := unix.Fstat(int(from.Fd()), &stat); err != nil {
		return err
	}
	if err := unix.Fchown(int(to.Fd()), int(stat.Uid), int(stat.Gid)); err != nil && !errors.Is(err, unix.EPERM) {
		return err
	}
	if err := unix.Fchmod(int(to.Fd()), stat.Mode&0o7777); err != nil {
		return err
	}
	if err := copyAttributes(int(to.Fd()), int(from.Fd())); err != nil {
		return err
	}
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, stat.Mtim}
	return unix.UtimesNanoAt(int(to.Fd()), "", times, unix.AT_EMPTY_PATH)
}

// copyAttributes copies extended attributes, as far as this user may and they are no one's but
// the file's.
func copyAttributes(to, from int) error {
	n, err := unix.Flistxattr(from, nil)
	if errors.Is(err, unix.EOPNOTSUPP) || err == nil && n == 0 {
		return nil
	}
	// Both are as long as any can be (xattr(7)).
	names, value := make([]byte, 1<<16), make([]byte, 1<<16)
	if err == nil {
		n, err = unix.Flistxattr(from, names)
	}
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00") {
		if name == "" || IsOwn(name) || strings.HasPrefix(name, "security.") {
			continue
		}
		length, err := unix.Fgetxattr(from, name, value)
		if err == nil {
			err = unix.Fsetxattr(to, name, value[:length], 0)
		}
		if err != nil && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.ENODATA) {
			return fmt.Errorf("copy the attribute %s: %w", name, err)
		}
	}
	return nil
}

// prefix begins the names of the attributes that belong to the file system (option userxattr).
const prefix = "user.overlay."

// IsOwn reports whether an extended attribute belongs to the file system and not to the file.
func IsOwn(attribute string) bool { return strings.HasPrefix(attribute, prefix) }

// IsWhiteout reports whether an entry of a layer stands for nothing, where the folder below
// has something.
func IsWhiteout(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Mode&syscall.S_IFMT == syscall.S_IFCHR && stat.Rdev == 0
}

// IsOpaque reports whether a folder of a layer hides what the folder below has at its path,
// by its extended attributes.
func IsOpaque(attributes map[string][]byte) bool { return string(attributes[prefix+"opaque"]) == "y" }

// WithOpaque returns extended attributes with the one by which a folder of a layer hides what the folder
// below has at its path.
func WithOpaque(attributes map[string][]byte) map[string][]byte {
	all := map[string][]byte{prefix + "opaque": []byte("y")}
	maps.Copy(all, attributes)
	return all
}

// IsCopied reports whether an entry was copied from the folder below before it was changed, by
// its extended attributes.
func IsCopied(attributes map[string][]byte) bool { return attributes[prefix+"origin"] != nil }

// MarkCopied has an entry, in a folder of a layer, be one that was copied from the folder below, it is
// not said from where: the kernel takes an empty mark for that (fs/overlayfs/namei.c, ovl_get_fh).
func MarkCopied(folder *os.File, name string) error {
	return unix.Lsetxattr(fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), name), prefix+"origin", nil, 0)
}

// Whiteout makes an entry that stands for nothing in a folder of a layer, where none is.
func Whiteout(folder *os.File, name string) error {
	err := unix.Mknodat(int(folder.Fd()), name, unix.S_IFCHR, 0)
	if errors.Is(err, unix.EEXIST) {
		return nil
	}
	return err
}

// ClearOpaque has a folder, in another one of a layer, no longer hide what the folder below has.
func ClearOpaque(folder *os.File, name string) error {
	err := unix.Lremovexattr(fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), name), prefix+"opaque")
	if errors.Is(err, unix.ENODATA) {
		return nil
	}
	return err
}
