package workspace

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"fairlead/backend/message"
)

// MaxPath is the longest path taken, in bytes.
const MaxPath = 1024

// drivePath is an absolute Windows path, which other systems take for a name.
var drivePath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z]:[\\/]|\\\\)`)
})

// Place is where a path leads inside the folder.
type Place struct {
	// Path is relative to the folder, with slashes, its links followed; "." is
	// the folder itself.
	Path string
	// Info describes what is there; nil when nothing is.
	Info fs.FileInfo

	// given is the path before links were followed.
	given string
	// folder describes the last folder on the way that exists.
	folder fs.FileInfo
	// parent and absent are the last folder that exists on the way to a missing
	// Path and the first name missing in it.
	parent, absent string
}

// Exists reports whether something is there.
func (p Place) Exists() bool { return p.Info != nil }

// Locate follows a path that a model wrote: relative to the folder, or absolute
// and inside it (SPEC TOOL-02), as it is or as Shown has it. The last part, and
// folders before it, may be missing. An error is a *message.ToolError: PATH_OUTSIDE_WORKSPACE,
// UNSUPPORTED_FILE for names that no workspace should have, INVALID_ARGUMENTS for
// a path that is too long.
func (f *Folder) Locate(name string) (Place, error) {
	r, err := f.openRoute(name)
	if err != nil {
		return Place{}, err
	}
	r.close()
	return r.Place, nil
}

// openRoute is Locate, and keeps the folders on the way open.
func (f *Folder) openRoute(written string) (*route, error) {
	return f.openTo(written, false)
}

// openTo is openRoute; of an entry it leads to a link itself, not to where that leads.
func (f *Folder) openTo(written string, entry bool) (*route, error) {
	name := intendedPath(written)
	if len(name) > MaxPath {
		return nil, toolError(message.InvalidArguments, "the path %s has %d bytes, at most %d are allowed: use a shorter one", quotePath(name), len(name), MaxPath)
	}
	if strings.ContainsRune(name, 0) {
		return nil, toolError(message.UnsupportedFile, "the path %s has a NUL character", quotePath(name))
	}
	local, ok := f.localPath(name)
	if !ok {
		return nil, outsideError(name)
	}
	if fault := unportableReason(local); fault != "" && runtime.GOOS == "windows" {
		return nil, toolError(message.UnsupportedFile, "the path %s %s", quotePath(name), fault)
	}
	r, err := f.walk(&walker{folder: f, given: local, entry: entry})
	if err != nil {
		return nil, err
	}
	if fault := unportableReason(r.Path); fault != "" && !r.Exists() {
		r.close()
		return nil, toolError(message.UnsupportedFile, "the path %s %s", quotePath(name), fault)
	}
	return r, nil
}

func outsideError(name string) error {
	return toolError(message.PathOutsideWorkspace, "%s is outside the workspace: use a path inside it, relative to its top", quotePath(name))
}

// localPath returns name relative to the folder, cleaned, with slashes, as far as
// spelling tells.
func (f *Folder) localPath(name string) (string, bool) {
	if runtime.GOOS != "windows" && drivePath().MatchString(name) {
		return "", false
	}
	if filepath.IsAbs(name) {
		return f.relativePath(name)
	}
	clean := path.Clean(filepath.ToSlash(name))
	return clean, !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../")
}

// relativePath returns an absolute path relative to the folder, if it is inside by
// either spelling of the folder.
func (f *Folder) relativePath(absolute string) (string, bool) {
	for _, base := range []string{f.path, f.given} {
		if name, err := filepath.Rel(base, absolute); err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name), true
		}
	}
	return "", false
}
