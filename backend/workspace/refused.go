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
	// Reason is why, as one of a closed list; Why and Hint are the same in English.
	Reason RefusedReason
	// Why completes a sentence that begins with Dir.
	Why string
	// Hint says what to do instead.
	Hint string
}

func (e *RefusedError) Error() string {
	return "open the folder " + e.Dir + ": it " + e.Why
}

// RefusedReason is why a folder cannot be worked on. The window has words of its own for
// each.
type RefusedReason string

// The reasons for which a folder is refused.
const (
	RefusedMissing RefusedReason = "missing"
	// RefusedFile is that of a file, which is no folder.
	RefusedFile RefusedReason = "file"
	// RefusedAccess is that of a folder that the system does not let be read.
	RefusedAccess RefusedReason = "access"
	RefusedRoot   RefusedReason = "root"
	RefusedHome   RefusedReason = "home"
	// RefusedKeys is that of a folder for keys and passwords.
	RefusedKeys   RefusedReason = "keys"
	RefusedSystem RefusedReason = "system"
	// RefusedSettings is that of a folder with settings and data of the user's programs.
	RefusedSettings RefusedReason = "settings"
	// RefusedOwn is that of a folder where Fairlead keeps its own files.
	RefusedOwn RefusedReason = "own"
)

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
		return "", &RefusedError{given, RefusedMissing, "does not exist", "create it first or check the spelling"}
	}
	if err != nil {
		return "", &RefusedError{given, RefusedAccess, "cannot be found: " + systemReason(err), hintAccess}
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", &RefusedError{given, RefusedAccess, "cannot be examined: " + systemReason(err), hintAccess}
	}
	if !info.IsDir() {
		return "", &RefusedError{given, RefusedFile, "is a file, not a folder", "choose the folder that the file is in"}
	}
	dir, err := os.Open(path)
	if err != nil {
		return "", &RefusedError{given, RefusedAccess, "cannot be read: " + systemReason(err), hintAccess}
	}
	defer func() { _ = dir.Close() }()
	if _, err := dir.ReadDir(1); err != nil && !errors.Is(err, io.EOF) {
		return "", &RefusedError{given, RefusedAccess, "cannot be read: " + systemReason(err), hintAccess}
	}
	return path, nil
}

// refuseSpecial refuses folders that hold more than a project, or keys, or
// Fairlead's own state. Path is given with its links resolved.
func refuseSpecial(path, given string, forbidden []string) error {
	if filepath.Dir(path) == path {
		return &RefusedError{path, RefusedRoot, "is the root of a file system", hintProject}
	}
	if home, err := os.UserHomeDir(); err == nil && isInside(home, path) {
		return &RefusedError{path, RefusedHome, "is your home folder or holds it, with keys and settings", hintProject}
	}
	if secretFolder(filepath.ToSlash(path)) || secretFolder(filepath.ToSlash(given)) {
		return &RefusedError{path, RefusedKeys, "is a folder for keys and passwords", hintProject}
	}
	to := wayTo(path)
	if ofSystem(path, to) {
		return &RefusedError{path, RefusedSystem, "belongs to the system, whose programs act on what is in it", hintProject}
	}
	if ofPrograms(to) {
		return &RefusedError{path, RefusedSettings, "holds your programs' settings and data, which they act on", hintSettings}
	}
	for _, own := range forbidden {
		if to.leadsThrough(own) || isInside(own, path) {
			return &RefusedError{path, RefusedOwn, "overlaps the folder " + own + ", where Fairlead keeps its own files", hintProject}
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
