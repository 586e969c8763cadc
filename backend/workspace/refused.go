package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// RefusedError says why a folder cannot be worked on (SPEC WS-04).
type RefusedError struct {
	// Dir is the folder that was asked for.
	Dir string
	// Why completes a sentence that begins with Dir.
	Why string
	// Hint says what to do instead.
	Hint string
}

func (e *RefusedError) Error() string {
	return "open the folder " + e.Dir + ": it " + e.Why
}

const (
	hintAccess  = "check its permissions or choose another folder"
	hintProject = "choose the folder of one project"
	// hintSettings is for who wants to work on settings.
	hintSettings = "choose the folder of one project; work on settings in a copy of their folder that lies elsewhere"
)

// checkFolder resolves the links of an absolute path and checks that it is a folder
// whose entries can be listed.
func checkFolder(given string) (string, error) {
	path, err := filepath.EvalSymlinks(given)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &RefusedError{given, "does not exist", "create it first or check the spelling"}
	}
	if err != nil {
		return "", &RefusedError{given, "cannot be found: " + systemReason(err), hintAccess}
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", &RefusedError{given, "cannot be examined: " + systemReason(err), hintAccess}
	}
	if !info.IsDir() {
		return "", &RefusedError{given, "is a file, not a folder", "choose the folder that the file is in"}
	}
	dir, err := os.Open(path)
	if err != nil {
		return "", &RefusedError{given, "cannot be read: " + systemReason(err), hintAccess}
	}
	defer func() { _ = dir.Close() }()
	if _, err := dir.ReadDir(1); err != nil && !errors.Is(err, io.EOF) {
		return "", &RefusedError{given, "cannot be read: " + systemReason(err), hintAccess}
	}
	return path, nil
}

// refuseSpecial refuses folders that hold more than a project, or keys, or
// Fairlead's own state. Path is given with its links resolved.
func refuseSpecial(path, given string, forbidden []string) error {
	if filepath.Dir(path) == path {
		return &RefusedError{path, "is the root of a file system", hintProject}
	}
	if home, err := os.UserHomeDir(); err == nil && isInside(home, path) {
		return &RefusedError{path, "is your home folder or holds it, with keys and settings", hintProject}
	}
	if secretFolder(filepath.ToSlash(path)) || secretFolder(filepath.ToSlash(given)) {
		return &RefusedError{path, "is a folder for keys and passwords", hintProject}
	}
	to := wayTo(path)
	if ofSystem(path, to) {
		return &RefusedError{path, "belongs to the system, whose programs act on what is in it", hintProject}
	}
	if ofPrograms(to) {
		return &RefusedError{path, "holds your programs' settings and data, which they act on", hintSettings}
	}
	for _, own := range forbidden {
		if to.leadsThrough(own) || isInside(own, path) {
			return &RefusedError{path, "overlaps the folder " + own + ", where Fairlead keeps its own files", hintProject}
		}
	}
	return nil
}

// isInside reports whether path is dir or lies below it. Path need not exist.
func isInside(path, dir string) bool { return wayTo(path).leadsThrough(dir) }

// way is the folders that lead to a path, the path itself included.
type way []fs.FileInfo

// wayTo returns the folders that lead to path, as far as they exist, with links resolved.
func wayTo(path string) (w way) {
	for current := deepestExisting(path); ; current = filepath.Dir(current) {
		if info, err := os.Stat(current); err == nil {
			w = append(w, info)
		}
		if current == filepath.Dir(current) {
			return w
		}
	}
}

// leadsThrough reports whether dir is one of the folders. It compares files rather than
// spellings, so that case-insensitive systems and links do not matter.
func (w way) leadsThrough(dir string) bool {
	target, err := os.Stat(dir)
	return err == nil && slices.ContainsFunc(w, func(info fs.FileInfo) bool { return os.SameFile(info, target) })
}

// deepestExisting returns the deepest folder on the way to path that exists, path
// included, with links resolved.
func deepestExisting(path string) string {
	for {
		resolved, err := filepath.EvalSymlinks(path)
		if err == nil {
			return resolved
		}
		if path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}
