package supervisor

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// openPins opens what the command must not change in the workspace. Each is mounted on
// itself, so that it cannot be renamed away, and all but the folders of repositories
// are read-only; a link cannot be replaced either. Everything is opened below the
// workspace without following any link: what lies there may have been made to mislead.
// Of what is named no link leads on, so one that is met has been put there meanwhile,
// and the command is not run.
func (g *guarded) openPins() ([]tree, error) {
	// Where the whole workspace is read-only, a pin would let its folder be written to.
	if len(g.Repositories) == 0 || g.ReadOnly {
		return nil, nil
	}
	workspace, err := unix.Open(g.Workspace, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	defer unix.Close(workspace)
	var pins []tree
	for name, writable := range g.pinnedPaths() {
		pin := tree{path: joinPath(g.Workspace, name), writable: writable}
		ok, err := pin.openBelow(workspace, name)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", pin.path, err)
		}
		if ok {
			pins = append(pins, pin)
		}
	}
	slices.SortFunc(pins, func(a, b tree) int { return pathDepth(a.path) - pathDepth(b.path) })
	return pins, nil
}

// pinnedPaths says of each path that is to be pinned whether it stays writable.
func (g *guarded) pinnedPaths() map[string]bool {
	pinned := map[string]bool{}
	for _, name := range g.Repositories {
		repository, ok := strings.CutSuffix(name, "/")
		if !ok {
			pinned[name] = false
			continue
		}
		if repository != "." { // the workspace itself is mounted
			pinned[repository] = true
		}
		for _, part := range GitParts {
			pinned[strings.TrimPrefix(joinPath(repository, part), "./")] = false
		}
		// A folder can be renamed although something is mounted below it.
		if _, inside, ok := strings.Cut(repository, ".git/"); ok {
			for above := parentPath(inside); above != "."; above = parentPath(above) {
				pinned[strings.TrimSuffix(repository, inside)+above] = true
			}
		}
	}
	return pinned
}

// openBelow takes a detached copy of what has that name in the folder; false where
// there is nothing.
func (t *tree) openBelow(folder int, name string) (bool, error) {
	at, err := unix.Openat2(folder, name, &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_CLOEXEC | unix.O_NOFOLLOW, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if isAbsent(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer unix.Close(at)
	var stat unix.Stat_t
	if err := unix.Fstat(at, &stat); err != nil {
		return false, err
	}
	kind := stat.Mode & unix.S_IFMT
	t.file, t.link = kind != unix.S_IFDIR, kind == unix.S_IFLNK
	// The .git file of a linked worktree names the folder that git takes everything from.
	t.writable = t.writable && !t.file
	t.fd, err = unix.OpenTree(at, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH|unix.AT_RECURSIVE)
	return err == nil, err
}

// openMountPoint opens what the tree is mounted on. A link is not followed, and is there already.
func (g *guarded) openMountPoint(t tree) (fd int, err error) {
	if !t.link {
		return g.mountPoint(t.path, t.file)
	}
	folder, err := g.mountPoint(parentPath(t.path), false)
	if err != nil {
		return -1, err
	}
	defer unix.Close(folder)
	return unix.Openat(folder, baseName(t.path), unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
}
