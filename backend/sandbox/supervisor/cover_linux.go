package supervisor

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	// coverOn is where the file system of the covers is mounted while they are made. Nothing that
	// is covered lies in it.
	coverOn = "/proc"
	// coversKept is where it stays, read-only, for a command whose covers are renewed, with an
	// empty file and an empty folder of these names.
	coversKept  = "/dev/covered"
	emptyFile   = "file"
	emptyFolder = "folder"
)

// coverSecrets puts an empty file, or an empty folder, over each name of Cover that would be
// seen. They lie on a file system of this guard's, so that the time of their last reading says
// which of them the command has read (openedCovers).
func (g *guarded) coverSecrets() error {
	if len(g.Cover) == 0 && !g.Renewed {
		return nil
	}
	at := coverOn
	if g.Renewed {
		at = coversKept
		if err := unix.Mkdir(localPath(at), 0o755); err != nil {
			return fmt.Errorf("make a folder for empty files: %w", err)
		}
	}
	options := fmt.Sprintf("mode=0700,size=64k,nr_inodes=%d", len(g.Cover)+4)
	if err := unix.Mount("fairlead", localPath(at), "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options); err != nil {
		return fmt.Errorf("mount a file system of empty files: %w", err)
	}
	var err error
	g.covers, err = unix.Open(localPath(at), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open the file system of empty files: %w", err)
	}
	for i, name := range g.Cover {
		if err := coverSecret(g.covers, coverName(i), joinPath(g.Workspace, name)); err != nil {
			return fmt.Errorf("cover %s: %w", name, err)
		}
	}
	if g.Renewed {
		return g.keepCovers()
	}
	// What is mounted elsewhere of it stays.
	if err := unix.Unmount(localPath(coverOn), unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the file system of empty files: %w", err)
	}
	return nil
}

// coverName is the name of a cover in its file system.
func coverName(index int) string { return strconv.Itoa(index) }

// coverSecret makes a cover in a folder and mounts it over a path, if there is anything.
func coverSecret(folder int, name, path string) error {
	at, isFolder, err := openSeen(path)
	if err != nil || at < 0 {
		return err
	}
	defer unix.Close(at)
	// Nobody may write to it, so that nothing seems to be saved there.
	if isFolder {
		err = unix.Mkdirat(folder, name, 0o555)
	} else {
		err = unix.Mknodat(folder, name, unix.S_IFREG|0o444, 0)
	}
	if err != nil {
		return fmt.Errorf("make an empty one: %w", err)
	}
	// By default the time of reading is set where it is not later than that of writing (mount(8),
	// relatime).
	times := []unix.Timespec{{}, {Nsec: unix.UTIME_NOW}}
	if err := unix.UtimesNanoAt(folder, name, times, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return fmt.Errorf("set the time of its last reading: %w", err)
	}
	tree, err := unix.OpenTree(folder, name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return fmt.Errorf("open the empty one: %w", err)
	}
	defer unix.Close(tree)
	return unix.MoveMount(tree, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// openSeen opens what would be seen at a path, to be mounted over; -1 for nothing.
func openSeen(path string) (fd int, isFolder bool, err error) {
	fd, err = unix.Openat2(unix.AT_FDCWD, localPath(path), &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if err != nil {
		return -1, false, nil //nolint:nilerr // nothing would be seen there
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		unix.Close(fd)
		return -1, false, fmt.Errorf("look at it: %w", err)
	}
	return fd, stat.Mode&unix.S_IFMT == unix.S_IFDIR, nil
}

// openedCovers lists the names of Cover that were read, files, or listed, folders.
func (g *guarded) openedCovers() []string {
	if g.covers == 0 {
		return nil
	}
	var opened []string
	for i, name := range g.Cover {
		var stat unix.Stat_t
		err := unix.Fstatat(g.covers, coverName(i), &stat, unix.AT_SYMLINK_NOFOLLOW)
		if err == nil && (stat.Atim.Sec != 0 || stat.Atim.Nsec != 0) {
			opened = append(opened, name)
		}
	}
	return opened
}
