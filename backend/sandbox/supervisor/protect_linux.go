package supervisor

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// keepCovers makes what later covers are taken from.
func (g *guarded) keepCovers() error {
	if err := unix.Mknodat(g.covers, emptyFile, unix.S_IFREG|0o444, 0); err != nil {
		return fmt.Errorf("make an empty file: %w", err)
	}
	if err := unix.Mkdirat(g.covers, emptyFolder, 0o555); err != nil {
		return fmt.Errorf("make an empty folder: %w", err)
	}
	attributes := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, localPath(coversKept), 0, &attributes); err != nil {
		return fmt.Errorf("make the empty files read-only: %w", err)
	}
	return nil
}

// renewProtection does what is ordered, and answers.
func (g *guarded) renewProtection() {
	report := Report{Protected: true}
	var p Protection
	err := Read(g.orders, &p)
	if err == nil && g.Renewed && g.Locks.Namespaces {
		err = g.protect(p)
	}
	if err != nil {
		report.Failed = err.Error()
	}
	sendReport(controlFD, report)
}

// protect covers and pins what is neither, in the file system that the command sees.
func (g *guarded) protect(p Protection) error {
	for _, name := range p.Cover {
		if err := g.coverAgain(joinPath(g.Workspace, name)); err != nil {
			return fmt.Errorf("cover %s: %w", name, err)
		}
	}
	g.Repositories = p.Repositories
	pins, err := g.openPins()
	if err != nil {
		return err
	}
	for _, pin := range pins {
		if isMounted(pin.path) {
			unix.Close(pin.fd)
			continue
		}
		if err := g.attachTree(pin); err != nil {
			return fmt.Errorf("pin %s: %w", pin.path, err)
		}
	}
	return nil
}

// coverAgain covers what is at a path, if there is anything and that is no cover.
func (g *guarded) coverAgain(path string) error {
	at, isFolder, err := openSeen(path)
	if err != nil || at < 0 {
		return err
	}
	defer unix.Close(at)
	var covers, seen unix.Stat_t
	if err := unix.Fstat(g.covers, &covers); err != nil {
		return fmt.Errorf("look at the empty files: %w", err)
	}
	if err := unix.Fstat(at, &seen); err != nil {
		return fmt.Errorf("look at it: %w", err)
	}
	if seen.Dev == covers.Dev {
		return nil
	}
	empty := joinPath(localPath(coversKept), emptyFile)
	if isFolder {
		empty = joinPath(localPath(coversKept), emptyFolder)
	}
	tree, err := unix.OpenTree(unix.AT_FDCWD, empty, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return fmt.Errorf("open an empty one: %w", err)
	}
	defer unix.Close(tree)
	return unix.MoveMount(tree, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// isMounted reports whether something is mounted at a path.
func isMounted(path string) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, localPath(path), unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, 0, &stat)
	return err == nil && stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
