package supervisor

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// systemFolders are the folders of the system's programs and settings.
func systemFolders() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu",
		"/home/linuxbrew/.linuxbrew",
	}
}

// IsSystem reports whether a folder is one of those, or of those that the system makes
// up.
func IsSystem(path string) bool {
	return slices.Contains(append(systemFolders(), "/dev", "/proc", "/sys", "/run", "/var", "/tmp"), path)
}

// tree is a part of the user's file system to be seen in the command's.
type tree struct {
	// path is where it is, and where it will be seen.
	path string
	// fd is the detached mount.
	fd int
	// writable says that the command may change it.
	writable bool
	// devices says that devices in it work.
	devices bool
	// file says that it is a single file.
	file bool
	// link says that it is a link, which is mounted on itself.
	link bool
	// empty says that nothing is shown there, instead of what there is.
	empty bool
}

// buildOn is the folder on which the new file system is built. Nobody else sees that, and
// nothing that is shown lies in it but what is opened before.
const buildOn = "/sys"

// systemRoot makes the file system of commands as far as it is the same for all, once for
// all of a session: each guard has a copy of the mounts. What is mounted on the system
// meanwhile is mounted, and unmounted, in the old root too, so that no disk is held.
func systemRoot() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fmt.Errorf("part the mounts from the system's: %w", err)
	}
	trees, err := systemTrees()
	if err != nil {
		return err
	}
	links := systemLinks()
	if err := unix.Mount("fairlead", buildOn, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m"); err != nil {
		return fmt.Errorf("mount an empty file system: %w", err)
	}
	if err := os.Chdir(buildOn); err != nil {
		return fmt.Errorf("enter the empty file system: %w", err)
	}
	// There is no command yet, and nothing in the way of what is mounted.
	if err := new(guarded).mountTrees(trees); err != nil {
		return err
	}
	for _, folder := range []string{"/dev", "/var"} {
		if err := os.MkdirAll(localPath(folder), 0o755); err != nil { //nolint:gosec // the usual mode of a system's folders, in a file system of our own
			return err
		}
	}
	for name, target := range links {
		if err := os.Symlink(target, localPath(name)); err != nil {
			return fmt.Errorf("link %s: %w", name, err)
		}
	}
	return os.Chdir("/")
}

// beginRoot mounts what does not depend on the command into a copy of that file system:
// its own processes, terminals and memory, and what it may see outside the workspace.
func (g *guarded) beginRoot() error {
	if err := os.Chdir(buildOn); err != nil {
		return fmt.Errorf("enter the file system: %w", err)
	}
	// First, because other folders may lie in one of these.
	if err := mountSpecial(); err != nil {
		return err
	}
	trees, err := g.openTrees(func(path string) bool { return !g.isLate(path) })
	if err != nil {
		return err
	}
	return g.mountTrees(trees)
}

// isLate reports whether what is at a path is mounted after what is hidden: the workspace, and
// what lies in a hidden folder, the cache, the folder of git's settings and Install.
func (g *guarded) isLate(path string) bool {
	return path == g.Cache || path == parentPath(g.GitSettings) || isWithin(path, g.Workspace) || slices.Contains(g.Install, path)
}

// newRoot gives the process the file system that was begun: what its command may see is
// mounted into that, read-only but for the workspace and the private folders. Whatever is
// not in it cannot be reached by any name.
func (g *guarded) newRoot() error {
	if g.Overlay != "" && g.copyFault == nil && !g.Copied {
		unix.Close(g.copyMount)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("part the mounts from the system's: %w", err)
	}
	trees, err := g.openTrees(g.isLate)
	if err != nil {
		return err
	}
	// Not before: what takes the place of a hidden file would be seen.
	for _, path := range g.Hide {
		trees = append(trees, tree{path: path, empty: true})
	}
	pins, err := g.openPins()
	if err != nil {
		return err
	}
	if err := g.mountTrees(trees); err != nil {
		return err
	}
	if err := g.coverSecrets(); err != nil {
		return err
	}
	// This one leads to /tmp, unless the workspace lies in it.
	if err := os.Symlink("/tmp", localPath("/var/tmp")); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("link /var/tmp: %w", err)
	}
	for _, p := range pins {
		if err := g.attachTree(p); err != nil {
			return fmt.Errorf("pin %s: %w", p.path, err)
		}
	}
	return enterRoot()
}

// mountTrees mounts trees, the upper folders first.
func (g *guarded) mountTrees(trees []tree) error {
	slices.SortStableFunc(trees, func(a, b tree) int { return pathDepth(a.path) - pathDepth(b.path) })
	for _, t := range trees {
		if err := g.attachTree(t); err != nil {
			return fmt.Errorf("show %s: %w", t.path, err)
		}
	}
	return nil
}

// localPath is a path of the new file system while it is the current folder.
func localPath(path string) string { return "." + path }

// enterRoot makes the current folder the root and lets go of the old one.
func enterRoot() error {
	if err := unix.MountSetattr(unix.AT_FDCWD, ".", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("make the root read-only: %w", err)
	}
	// Both in one place: the old root comes to lie on the new one and is taken off
	// (pivot_root(2), "pivot_root(".", ".")").
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("let go of the old root: %w", err)
	}
	return os.Chdir("/")
}

// systemTrees opens what every command may see of the system. What can lie in a folder of
// the user's is left to trees.
func systemTrees() ([]tree, error) {
	var wanted []tree
	for _, path := range systemFolders() {
		if pathDepth(path) == 1 {
			wanted = append(wanted, tree{path: path})
		}
	}
	wanted = append(wanted, tree{path: "/sys/devices/system"})
	for _, device := range []string{"null", "zero", "full", "random", "urandom"} {
		wanted = append(wanted, tree{path: "/dev/" + device, devices: true, writable: true})
	}
	return openAll(wanted)
}

// openAll opens those that are there.
func openAll(wanted []tree) ([]tree, error) {
	opened := make([]tree, 0, len(wanted))
	for _, t := range wanted {
		ok, err := t.open(t.path, unix.AT_SYMLINK_NOFOLLOW*uintOf(slices.Contains(systemFolders(), t.path)))
		if err != nil {
			return nil, err
		}
		if ok {
			opened = append(opened, t)
		}
	}
	return opened, nil
}

// openTrees opens what the command may see besides the system, of that what is wanted by its
// path.
func (g *guarded) openTrees(wanted func(path string) bool) ([]tree, error) {
	var readable []tree
	for _, path := range systemFolders() {
		if pathDepth(path) > 1 && wanted(path) {
			readable = append(readable, tree{path: path})
		}
	}
	for _, path := range slices.Concat(g.Read, g.Install) {
		if wanted(path) && !isWithin(path, g.Workspace) {
			readable = append(readable, tree{path: path})
		}
	}
	opened, err := openAll(readable)
	if err != nil {
		return nil, err
	}
	for path, source := range map[string]string{
		g.Workspace: g.Workspace,
		"/tmp":      g.Temporary,
		g.Home:      g.OwnHome,
		g.Cache:     g.Cache,
	} {
		if !wanted(path) {
			continue
		}
		t := tree{path: path, writable: path != g.Workspace || !g.ReadOnly}
		if path == g.Workspace && g.Copied {
			if g.copyFault != nil {
				return nil, g.copyFault
			}
			t.fd = g.copyMount
			opened = append(opened, t)
			continue
		}
		ok, err := t.open(source, unix.AT_SYMLINK_NOFOLLOW)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("open %s: %w", source, unix.ENOENT)
		}
		opened = append(opened, t)
	}
	if path := joinPath(g.Home, ".gitconfig"); g.GitSettings != "" && wanted(path) {
		t := tree{path: path}
		if ok, err := t.open(g.GitSettings, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return nil, err
		} else if ok {
			opened = append(opened, t)
		}
	}
	return opened, nil
}

func uintOf(b bool) uint {
	if b {
		return 1
	}
	return 0
}

func pathDepth(path string) int { return strings.Count(path, "/") }

// isWithin reports whether a path is a folder or lies in it.
func isWithin(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

// open takes a detached copy of a mount; false where there is nothing to show: it does
// not exist, cannot be read, or is a link, which is made anew instead.
func (t *tree) open(source string, flags uint) (bool, error) {
	var stat unix.Stat_t
	err := unix.Fstatat(unix.AT_FDCWD, source, &stat, int(flags))
	if isAbsent(err) || err == nil && stat.Mode&unix.S_IFMT == unix.S_IFLNK {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at %s: %w", source, err)
	}
	t.file = stat.Mode&unix.S_IFMT != unix.S_IFDIR
	t.fd, err = unix.OpenTree(unix.AT_FDCWD, source, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|flags)
	if isAbsent(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open %s: %w", source, err)
	}
	return true, nil
}

func isAbsent(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOTDIR)
}

// attachTree mounts the tree where it will be seen.
func (g *guarded) attachTree(t tree) error {
	if t.empty {
		return g.coverTree(t)
	}
	defer unix.Close(t.fd)
	// What is mounted in it later would not have these attributes.
	attributes := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID, Propagation: unix.MS_PRIVATE}
	if !t.devices {
		attributes.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	if !t.writable {
		attributes.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if err := unix.MountSetattr(t.fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attributes); err != nil {
		return fmt.Errorf("set what may be done: %w", err)
	}
	at, err := g.openMountPoint(t)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	return unix.MoveMount(t.fd, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// coverTree puts an empty file system over a folder that would be seen, and the null device
// over a file.
func (g *guarded) coverTree(t tree) error {
	at, folder, err := openSeen(t.path)
	if err != nil || at < 0 {
		return err
	}
	defer unix.Close(at)
	if folder {
		return unix.Mount("fairlead", fmt.Sprintf("/proc/self/fd/%d", at), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m")
	}
	null, err := unix.OpenTree(unix.AT_FDCWD, os.DevNull, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return fmt.Errorf("open the null device: %w", err)
	}
	defer unix.Close(null)
	return unix.MoveMount(null, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// systemLinks are the system's folders that are links, such as /bin, by what they
// lead to.
func systemLinks() map[string]string {
	links := map[string]string{
		"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1",
		"/dev/stderr": "/proc/self/fd/2", "/dev/ptmx": "pts/ptmx",
	}
	for _, path := range systemFolders() {
		if target, err := os.Readlink(path); err == nil && pathDepth(path) == 1 {
			links[path] = target
		}
	}
	return links
}

// mountSpecial mounts what is no part of the user's file system: the command's own
// processes, pseudo terminals and shared memory.
func mountSpecial() error {
	memory, err := systemMemory()
	if err != nil {
		return err
	}
	mounts := []struct {
		at, kind, options string
		flags             uintptr
	}{
		{"/proc", "proc", "", unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC},
		{"/dev/pts", "devpts", "newinstance,ptmxmode=0666,mode=0620", unix.MS_NOSUID | unix.MS_NOEXEC},
		{sharedFolder, "tmpfs", fmt.Sprintf("mode=1777,size=%d", memory/sharedPart), unix.MS_NOSUID | unix.MS_NODEV},
	}
	for _, m := range mounts {
		if err := os.MkdirAll(localPath(m.at), 0o755); err != nil { //nolint:gosec // the usual mode of a system's folders, in a file system of our own
			return err
		}
		if err := unix.Mount(m.kind, localPath(m.at), m.kind, m.flags, m.options); err != nil {
			return fmt.Errorf("mount %s: %w", m.at, err)
		}
	}
	return nil
}
