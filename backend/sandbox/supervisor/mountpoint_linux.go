package supervisor

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// mountPoint opens a place to mount on in the new file system, below the current folder,
// and makes what is missing of it. No part of it is followed if it is a link: an earlier
// command may have put one into its home or temporary folder, and it would lead out of
// the file system that is being made. There it is replaced, elsewhere it is an error.
func (g *guarded) mountPoint(path string, file bool) (fd int, err error) {
	at, err := unix.Open(".", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open the new file system: %w", err)
	}
	names := strings.Split(strings.Trim(path, "/"), "/")
	seen := ""
	for i, name := range names {
		seen += "/" + name
		last := i == len(names)-1
		next, err := openPart(at, name, file && last, g.isPrivate(seen))
		unix.Close(at)
		if err != nil {
			return -1, fmt.Errorf("make %s: %w", seen, err)
		}
		at = next
	}
	return at, nil
}

// isPrivate reports whether what a path names lies in a private folder of the command's.
func (g *guarded) isPrivate(path string) bool {
	return (isWithin(path, g.Home) || isWithin(path, "/tmp")) && !isWithin(path, g.Workspace) && !isWithin(path, g.Cache)
}

// openTries is how often a part is looked at: as it is, when what was wrong is gone, and when
// it was made, and once more because guards share the private folders.
const openTries = 4

// openPart opens a file or a folder by its name in a folder. What is missing is made, and
// what is of another kind is replaced where that is allowed.
func openPart(folder int, name string, file, replace bool) (int, error) {
	flags, kind := unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(unix.S_IFREG)
	if !file {
		kind = unix.S_IFDIR
	}
	for range openTries {
		fd, err := unix.Openat(folder, name, flags, 0)
		switch {
		case errors.Is(err, unix.ENOENT):
			if err := makePart(folder, name, file); err != nil {
				return -1, err
			}
			continue
		case err != nil:
			return -1, err
		}
		var stat unix.Stat_t
		if err := unix.Fstat(fd, &stat); err != nil {
			unix.Close(fd)
			return -1, err
		}
		is := stat.Mode & unix.S_IFMT
		// A device is a file to mount on.
		if is == kind || file && is != unix.S_IFDIR && is != unix.S_IFLNK {
			return fd, nil
		}
		unix.Close(fd)
		if !replace || is == unix.S_IFDIR {
			return -1, unix.ENOTDIR
		}
		// The guard of another command may have replaced it meanwhile.
		if err := unix.Unlinkat(folder, name, 0); err != nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EISDIR) {
			return -1, err
		}
	}
	return -1, unix.EAGAIN // somebody else changes it again and again
}

// makePart makes a folder, with the usual mode of a system's, or an empty file.
func makePart(folder int, name string, file bool) error {
	if !file {
		err := unix.Mkdirat(folder, name, 0o755)
		if errors.Is(err, unix.EEXIST) {
			return nil
		}
		return err
	}
	fd, err := unix.Openat(folder, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if errors.Is(err, unix.EEXIST) {
		return nil
	}
	if err != nil {
		return err
	}
	return unix.Close(fd)
}
