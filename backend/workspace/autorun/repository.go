package autorun

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// repository is a folder in which git keeps a repository, or what belongs to one of its
// working trees. All paths are absolute and without links.
type repository struct {
	// dir is that folder, and common the one that it shares with the other working
	// trees of the repository, which is the same where there are none.
	dir, common string
	// tops are the folders of its working trees, as far as they are known.
	tops []string
}

// repositoryAt returns the repository whose folder an absolute path leads to; false
// where there is none.
func repositoryAt(dir string) (repository, bool) {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return repository{}, false
	}
	r := repository{dir: dir, common: dir}
	if text := firstLine(filepath.Join(dir, "commondir")); text != "" {
		r.common = withoutLinks(resolveAgainst(text, dir))
	}
	// A working tree made by git worktree is named by its .git file, that of a
	// submodule by a setting, which is read later.
	if text := firstLine(filepath.Join(dir, "gitdir")); text != "" {
		r.tops = append(r.tops, filepath.Dir(resolveAgainst(text, dir)))
	}
	return r, true
}

// maxLine bounds the files that hold one path, in bytes.
const maxLine = 8 << 10

// firstLine returns the first line of a small file, empty where it cannot be read.
func firstLine(path string) string {
	file, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(file, maxLine))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimRight(first, "\r")
}

// gitFile returns the folder that a .git file in a folder names, an absolute path;
// empty where it names none.
func gitFile(file, folder string) string {
	named, ok := strings.CutPrefix(firstLine(file), "gitdir:")
	if named = strings.TrimSpace(named); !ok || named == "" {
		return ""
	}
	return resolveAgainst(named, folder)
}

// resolveAgainst returns a path relative to a base as an absolute one.
func resolveAgainst(name, base string) string {
	if local := filepath.FromSlash(name); !filepath.IsAbs(local) {
		return base + string(filepath.Separator) + local // links may lead on before ".." leads back
	}
	return filepath.FromSlash(name)
}

// withoutLinks returns a path without links, or as it was where there is nothing.
func withoutLinks(absolute string) string {
	if found, err := filepath.EvalSymlinks(absolute); err == nil {
		return found
	}
	return filepath.Clean(absolute)
}

// repositoryAround returns the repository that the workspace is a folder of, if it lies in one
// whose own folder is outside.
func (s *Scanner) repositoryAround() (repository, bool) {
	for dir := filepath.Dir(s.path); ; dir = filepath.Dir(dir) {
		at := filepath.Join(dir, ".git")
		if info, err := os.Stat(at); err == nil {
			if !info.IsDir() {
				at = gitFile(at, dir)
			}
			if r, ok := repositoryAt(withoutLinks(at)); at != "" && ok {
				r.tops = append(r.tops, dir)
				return r, true
			}
		}
		if dir == filepath.Dir(dir) {
			return repository{}, false
		}
	}
}

// IsRepository reports whether git takes a folder for one in which it keeps a
// repository, by what the folder has: HEAD beside objects and refs, or beside the name
// of another such folder.
func IsRepository(has func(name string) bool) bool {
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

// belowRepository returns the folders of the working trees and submodules of a
// repository, relative to the workspace; name is that of its folder.
func (l *looking) belowRepository(name string) (found []string) {
	found = append(found, l.listFolders(path.Join(name, "worktrees"))...)
	return append(found, l.findModules(path.Join(name, "modules"), 0)...)
}

// findModules are the repositories of submodules, which can lie in folders.
func (l *looking) findModules(dir string, depth int) (found []string) {
	if depth > maxDepth {
		return nil
	}
	for _, name := range l.listFolders(dir) {
		if _, err := l.root.Lstat(filepath.FromSlash(path.Join(name, "HEAD"))); err == nil {
			found = append(found, name)
		} else {
			found = append(found, l.findModules(name, depth+1)...)
		}
	}
	return found
}

// listFolders lists the folders in one, links to folders among them.
func (l *looking) listFolders(dir string) (found []string) {
	for _, e := range l.list(dir).all {
		if e.mode&(fs.ModeDir|fs.ModeSymlink) != 0 {
			found = append(found, path.Join(dir, e.name))
		}
	}
	slices.Sort(found)
	return found
}
