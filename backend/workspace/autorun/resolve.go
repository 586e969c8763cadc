package autorun

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many links one path may lead through, as on Linux.
const maxLinks = 40

// target is where a path leads.
type target struct {
	// path is absolute and without links, but for what is missing at its end.
	path string
	// info describes what is there; nil where nothing is, or it cannot be seen.
	info fs.FileInfo
	// links are those on the way that lie in the workspace, relative to it.
	links []string
	// cut means that there were too many links.
	cut bool
}

// resolve follows an absolute path part by part.
func (s *Scanner) resolve(absolute string) target {
	volume := filepath.VolumeName(absolute)
	t := target{path: volume + string(filepath.Separator)}
	rest := splitPath(strings.TrimPrefix(absolute, volume))
	if name, ok := s.relativePath(filepath.Clean(absolute)); ok && !slices.Contains(rest, "..") {
		t.path, rest = s.path, splitPath(filepath.FromSlash(name)) // which has no links
	}
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		if part == ".." {
			t.path = filepath.Dir(t.path)
			continue
		}
		next := filepath.Join(t.path, part)
		info, err := os.Lstat(next)
		switch {
		case err != nil:
			t.path, t.info = filepath.Join(append([]string{next}, rest...)...), nil
			return t
		case info.Mode()&fs.ModeSymlink == 0:
			t.path = next
			continue
		}
		if name, ok := s.relativePath(next); ok {
			t.links = append(t.links, name)
		}
		to, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			t.path, t.cut = next, true
			return t
		}
		if filepath.IsAbs(to) {
			t.path = filepath.VolumeName(to) + string(filepath.Separator)
		}
		rest = append(splitPath(to), rest...)
	}
	t.info, _ = os.Lstat(t.path) // nil where it went away
	return t
}

// splitPath are the names in a path.
func splitPath(local string) []string {
	return slices.DeleteFunc(strings.Split(filepath.ToSlash(local), "/"), func(part string) bool {
		return part == "" || part == "."
	})
}

// relativePath returns an absolute, clean path relative to the workspace, with slashes;
// false where it lies elsewhere.
func (s *Scanner) relativePath(absolute string) (string, bool) {
	name, err := filepath.Rel(s.path, absolute)
	if err != nil || !filepath.IsLocal(name) {
		return "", false
	}
	return filepath.ToSlash(name), true
}

// absolutePath is the absolute path of one relative to the workspace.
func (s *Scanner) absolutePath(name string) string {
	return filepath.Join(s.path, filepath.FromSlash(name))
}
