package supervisor

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights of Landlock (landlock(7)) in the order of the versions that brought them.
const (
	landlockRead    = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	landlockVersion = 7
)

// landlockRights are all rights that a version knows.
func landlockRights(version int) uint64 {
	const first = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	rights := uint64(first)
	if version >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// LandlockVersion is the version of Landlock's interface to use here, 0 where the
// system has none.
func LandlockVersion() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return min(int(version), landlockVersion)
}

// ruleSet is what is allowed so far: rules of Landlock, and the rights that they are about.
type ruleSet struct {
	fd     int
	rights uint64
}

// beginRules makes the rules that leave a thread the files that its command may use: all
// rights on what it may change, and on the rest those to read. They also keep its signals,
// and its connections to sockets without a path, to the command's own processes. With
// namespaces those for all that is mounted are made, in the file system that was begun.
func (g *guarded) beginRules() error {
	version := g.Locks.Landlock
	if version == 0 {
		return nil
	}
	attributes := unix.LandlockRulesetAttr{Handled_access_fs: landlockRights(version)}
	size := unsafe.Sizeof(attributes.Handled_access_fs)
	if version >= 6 {
		attributes.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size = unsafe.Offsetof(attributes.Scoped) + unsafe.Sizeof(attributes.Scoped)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attributes)), size, 0)
	if errno != 0 {
		return fmt.Errorf("make a Landlock rule set: %w", errno)
	}
	g.rules = ruleSet{int(fd), attributes.Handled_access_fs}
	if !g.Locks.Namespaces {
		return nil
	}
	for path, rights := range g.allowedRights(g.rules.rights) {
		if g.isLate(path) {
			continue // what has its name now is only what it is mounted on
		}
		if err := g.rules.add(localPath(path), rights); err != nil {
			return fmt.Errorf("allow %s: %w", path, err)
		}
	}
	return nil
}

// applyLandlock puts the thread under the rules, which stay for another one.
func (g *guarded) applyLandlock() error {
	if g.Locks.Landlock == 0 {
		return nil
	}
	for path, rights := range g.allowedRights(g.rules.rights) {
		if g.Locks.Namespaces && !g.isLate(path) {
			continue
		}
		if err := g.rules.add(path, rights); err != nil {
			return fmt.Errorf("allow %s: %w", path, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(g.rules.fd), 0, 0); errno != 0 {
		return fmt.Errorf("restrict files by Landlock: %w", errno)
	}
	return nil
}

// allowedRights are the rights by path. With a view of its own everything that is seen may
// be read, and its temporary folder is /tmp.
func (g *guarded) allowedRights(all uint64) map[string]uint64 {
	const use = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	const list = use | unix.LANDLOCK_ACCESS_FS_READ_DIR
	rights := map[string]uint64{
		"/dev/null": use, "/dev/zero": use, "/dev/full": use, "/dev/random": use, "/dev/urandom": use,
		"/proc": landlockRead, "/sys/devices/system": landlockRead,
	}
	for _, path := range slices.Concat(systemFolders(), g.Read, g.Install) {
		g.allowReading(path, rights)
	}
	if g.Locks.Namespaces {
		// Elsewhere these are the user's terminals.
		rights["/dev/ptmx"], rights["/dev/pts"] = use, list
		rights["/"] = unix.LANDLOCK_ACCESS_FS_READ_DIR
		for _, path := range []string{"/tmp", sharedFolder, g.Home} {
			rights[path] = all
		}
	} else {
		rights[g.Temporary] = all
	}
	rights[g.Cache] = all
	rights[g.Workspace] = all
	if g.ReadOnly {
		rights[g.Workspace] = landlockRead
	}
	return rights
}

// allowReading allows to read a file or a folder, without what is hidden in it. With
// namespaces that is covered; else no rule can take back what another gives, so what lies
// beside it is allowed one by one. Names can be listed all the same.
func (g *guarded) allowReading(path string, rights map[string]uint64) {
	holds := func(hidden string) bool { return isWithin(hidden, path) }
	if g.Locks.Namespaces || !slices.ContainsFunc(g.Hide, holds) {
		rights[path] = landlockRead
		return
	}
	if slices.Contains(g.Hide, path) {
		return
	}
	rights[path] = unix.LANDLOCK_ACCESS_FS_READ_DIR
	entries, _ := os.ReadDir(path) // what is not listed is not allowed
	for _, entry := range entries {
		// A link leads to what is allowed for itself, or is not.
		if entry.Type()&os.ModeSymlink == 0 {
			g.allowReading(joinPath(path, entry.Name()), rights)
		}
	}
}

// add allows what is at a path; where there is nothing, nothing.
func (r ruleSet) add(path string, rights uint64) error {
	rights &= r.rights
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		const ofFiles = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
			unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
		rights &= ofFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)} //nolint:gosec // a descriptor fits
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
