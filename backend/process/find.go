package process

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Find returns the absolute path of the program with that name on PATH. Entries of
// PATH that are relative, or that lie in one of the folders named outside, are passed
// over, and so is a program that resolves into one of them: in a workspace the model
// can write, so a program that Fairlead runs for itself must not come from there
// (SPEC SEC-12). Links are resolved on both sides.
func Find(name string, outside ...string) (path string, ok bool) {
	if name == "" || filepath.Base(name) != name {
		return "", false
	}
	folders := identifyFolders(outside)
	for _, entry := range filepath.SplitList(os.Getenv("PATH")) {
		if !isTrusted(entry, folders) {
			continue
		}
		found, err := exec.LookPath(filepath.Join(entry, name))
		if err == nil && isTrusted(found, folders) {
			return found, true
		}
	}
	return "", false
}

// LiesOutside reports whether there is a program at an absolute path, and whether it resolves into
// none of the folders.
func LiesOutside(program string, folders ...string) bool {
	return isTrusted(program, identifyFolders(folders))
}

// SearchPath returns PATH without the entries that Find passes over, for a program
// that Fairlead runs for itself and that looks for others by itself.
func SearchPath(outside ...string) string {
	folders := identifyFolders(outside)
	var kept []string
	for _, entry := range filepath.SplitList(os.Getenv("PATH")) {
		if isTrusted(entry, folders) {
			kept = append(kept, entry)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

// identifyFolders returns what the folders are on disk; one that is not there holds no program.
func identifyFolders(folders []string) []fs.FileInfo {
	var known []fs.FileInfo
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil {
			known = append(known, info)
		}
	}
	return known
}

// isTrusted reports whether a path is absolute and, with links resolved, neither one of
// the folders nor in one. Folders are compared by identity, which other spellings and
// mounts of the same folder have as well.
func isTrusted(path string, folders []fs.FileInfo) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(resolved) //nolint:gosec // it is compared by identity, nothing is read
		if err != nil {
			return false
		}
		for _, folder := range folders {
			if os.SameFile(info, folder) {
				return false
			}
		}
		parent := filepath.Dir(resolved)
		if parent == resolved {
			return true
		}
		resolved = parent
	}
}
