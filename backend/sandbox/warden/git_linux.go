package warden

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// pins opens the git folders of the workspace and their guarded parts, and whatever
// else is in the list. Each is mounted on itself, so that it cannot be renamed away, and
// all but the git folders are read-only. Everything is opened below the workspace
// without following any link: what lies there may have been made to mislead.
func (g *guarded) pins() ([]tree, error) {
	if len(g.Repositories) == 0 {
		return nil, nil
	}
	workspace, err := unix.Open(g.Workspace, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	defer unix.Close(workspace)
	var pins []tree
	for name, writable := range g.pinned(workspace) {
		pin := tree{path: join(g.Workspace, name), writable: writable}
		ok, err := pin.openBelow(workspace, name)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", pin.path, err)
		}
		if ok {
			pins = append(pins, pin)
		}
	}
	slices.SortFunc(pins, func(a, b tree) int { return depth(a.path) - depth(b.path) })
	return pins, nil
}

// pinned says of each path that is to be pinned whether it stays writable.
func (g *guarded) pinned(workspace int) map[string]bool {
	pinned := map[string]bool{}
	for _, name := range g.Repositories {
		if !isGitFolder(workspace, name) {
			pinned[name] = false
			continue
		}
		pinned[name] = true
		for _, part := range GitParts {
			pinned[join(name, part)] = false
		}
		// A folder can be renamed although something is mounted below it.
		if _, inside, ok := strings.Cut(name, ".git/"); ok {
			for above := parent(inside); above != "."; above = parent(above) {
				pinned[strings.TrimSuffix(name, inside)+above] = true
			}
		}
	}
	return pinned
}

// isGitFolder says whether a path is that of a folder that git keeps a repository in.
func isGitFolder(workspace int, name string) bool {
	var stat unix.Stat_t
	return base(name) == ".git" || unix.Fstatat(workspace, join(name, "HEAD"), &stat, unix.AT_SYMLINK_NOFOLLOW) == nil
}

// openBelow takes a detached copy of what has that name in the folder; false where
// there is nothing, or a link on the way.
func (t *tree) openBelow(folder int, name string) (bool, error) {
	at, err := unix.Openat2(folder, name, &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_CLOEXEC | unix.O_NOFOLLOW, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	if absent(err) || err == unix.ELOOP { //nolint:errorlint // it comes from the system as it is
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
	if kind != unix.S_IFDIR && kind != unix.S_IFREG {
		return false, nil
	}
	t.file = kind == unix.S_IFREG
	// The .git file of a linked worktree names the folder that git takes everything from.
	t.writable = t.writable && !t.file
	t.fd, err = unix.OpenTree(at, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH|unix.AT_RECURSIVE)
	return err == nil, err
}
