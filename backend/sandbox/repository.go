package sandbox

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"fairlead/backend/sandbox/supervisor"
)

// pin is something in the workspace that a command must not change.
type pin struct {
	// path is the absolute path of a git folder, or of a file or folder that the
	// settings of one name.
	path string
	// whole says that nothing of it may be changed; else that are its supervisor.GitParts.
	whole bool
}

// findPins are those for what is kept from a command, relative to the workspace; the name of
// a repository's folder ends in a slash.
func findPins(workspace string, repositories []string) ([]pin, error) {
	var all []pin
	for _, name := range repositories {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("protect %q: it is not in the workspace", name)
		}
		all = append(all, pin{path: path.Join(workspace, name), whole: !strings.HasSuffix(name, "/")})
	}
	return all, nil
}

// guardedFilters are the filters for what must not be changed. Each is there twice, so that
// the one holds where the other should not match what it is meant to.
func (p pin) guardedFilters() []string {
	start := "^" + foldedPattern(p.path)
	if p.whole {
		return []string{subpathFilter(p.path), regexFilter(start + "(/.*)?$")}
	}
	var found, names []string
	for _, part := range supervisor.GitParts {
		found = append(found, subpathFilter(path.Join(p.path, part)))
		names = append(names, foldedPattern(part))
	}
	return append(found,
		regexFilter(start+"/("+strings.Join(names, "|")+")(/.*)?$"),
		// Names that a file system takes for one of those, such as one with the Kelvin
		// sign for a k. Git itself makes none like them there.
		regexFilter(start+"/[^/]*[^ -~]"))
}

// fixedPaths are the paths that must not be moved or deleted: a rule is about a path, and
// would say nothing of what it is moved to. They reach up to the workspace.
func (p pin) fixedPaths(workspace string) []string {
	paths := []string{p.path}
	for _, dir := range foldersAbove(p.path) {
		if strings.HasPrefix(dir, workspace+"/") {
			paths = append(paths, dir)
		}
	}
	return paths
}
