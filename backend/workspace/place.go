package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"fairlead/backend/message"
)

const (
	// maxPath is the longest path taken, in bytes.
	maxPath = 1024
	// maxLinks is how many links one path may lead through, as on Linux.
	maxLinks = 40
)

// drivePath is an absolute Windows path, which other systems take for a name.
var drivePath = regexp.MustCompile(`^([A-Za-z]:[\\/]|\\\\)`)

// Place is where a path leads inside the folder.
type Place struct {
	// Path is relative to the folder, with slashes, its links followed; "." is
	// the folder itself.
	Path string
	// Info describes what is there; nil when nothing is.
	Info fs.FileInfo

	// given is the path before links were followed.
	given string
	// parent and absent are the last folder that exists on the way to a missing
	// Path and the first name missing in it.
	parent, absent string
}

// Exists says whether something is there.
func (p Place) Exists() bool { return p.Info != nil }

// Locate follows a path that a model wrote: relative to the folder, or absolute
// and inside it (SPEC TOOL-02). The last part, and folders before it, may be
// missing. An error is a *message.ToolError: PATH_OUTSIDE_WORKSPACE,
// UNSUPPORTED_FILE for names that no workspace should have, INVALID_ARGUMENTS for
// a path that is too long.
func (f *Folder) Locate(name string) (Place, error) {
	if len(name) > maxPath {
		return Place{}, fail(message.InvalidArguments, "the path %s has %d bytes, at most %d are allowed: use a shorter one", quote(name), len(name), maxPath)
	}
	if strings.ContainsRune(name, 0) {
		return Place{}, fail(message.UnsupportedFile, "the path %s has a NUL character", quote(name))
	}
	local, ok := f.local(name)
	if !ok {
		return Place{}, outside(name)
	}
	if fault := unportable(local); fault != "" && runtime.GOOS == "windows" {
		return Place{}, fail(message.UnsupportedFile, "the path %s %s", quote(name), fault)
	}
	place, err := f.follow(local)
	if err != nil {
		return Place{}, err
	}
	if fault := unportable(place.Path); fault != "" && !place.Exists() {
		return Place{}, fail(message.UnsupportedFile, "the path %s %s", quote(name), fault)
	}
	return place, nil
}

func outside(name string) error {
	return fail(message.PathOutsideWorkspace, "%s is outside the workspace: use a path inside it, relative to its top", quote(name))
}

// local returns name relative to the folder, cleaned, with slashes, as far as
// spelling tells.
func (f *Folder) local(name string) (string, bool) {
	if drivePath.MatchString(name) && runtime.GOOS != "windows" {
		return "", false
	}
	if filepath.IsAbs(name) {
		return f.relative(name)
	}
	clean := path.Clean(filepath.ToSlash(name))
	return clean, !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../")
}

// relative returns an absolute path relative to the folder, if it is inside by
// either spelling of the folder.
func (f *Folder) relative(absolute string) (string, bool) {
	for _, base := range []string{f.path, f.given} {
		if name, err := filepath.Rel(base, absolute); err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name), true
		}
	}
	return "", false
}

// follow walks a local path part by part and goes where links lead, so that the
// name the rules look at is the one that is opened. os.Root guards the opening
// itself: a part swapped for a link in between still cannot lead outside.
func (f *Folder) follow(local string) (Place, error) {
	place := Place{Path: ".", given: local}
	links := 0
	rest := strings.Split(local, "/")
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if place.Path == "." {
				return Place{}, outside(local)
			}
			place.Path = path.Dir(place.Path)
			continue
		}
		next := path.Join(place.Path, part)
		info, err := f.root.Lstat(filepath.FromSlash(next))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return missing(place, part, rest)
		case err != nil:
			return Place{}, fail(message.ExecutionError, "look at %s: %s", quote(local), reason(err))
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return Place{}, fail(message.UnsupportedFile, "%s leads through too many links", quote(local))
			}
			target, base, err := f.link(next)
			if err != nil {
				return Place{}, err
			}
			place.Path, rest = base, slices.Concat(target, rest)
			continue
		case len(rest) > 0 && !info.IsDir():
			return Place{}, fail(message.ExecutionError, "%s cannot be: %s is a file, not a folder", quote(local), quote(next))
		}
		place.Path, place.Info = next, info
	}
	info, err := f.root.Lstat(filepath.FromSlash(place.Path))
	if err != nil {
		return Place{}, fail(message.ExecutionError, "look at %s: %s", quote(local), reason(err))
	}
	place.Info = info
	return place, nil
}

// link returns the parts of a link's target and the folder they start from.
func (f *Folder) link(name string) (parts []string, base string, err error) {
	target, err := f.root.Readlink(filepath.FromSlash(name))
	if err != nil {
		return nil, "", fail(message.ExecutionError, "follow the link %s: %s", quote(name), reason(err))
	}
	if !filepath.IsAbs(target) {
		return strings.Split(filepath.ToSlash(target), "/"), path.Dir(name), nil
	}
	local, ok := f.relative(target)
	if !ok {
		return nil, "", outside(name)
	}
	return strings.Split(local, "/"), ".", nil
}

// missing finishes a path whose part absent is not there.
func missing(place Place, absent string, rest []string) (Place, error) {
	if slices.Contains(rest, "..") {
		return Place{}, fail(message.FileNotFound, "%s leads through %s, which does not exist", quote(place.given), quote(absent))
	}
	place.parent, place.absent, place.Info = place.Path, absent, nil
	place.Path = path.Join(slices.Concat([]string{place.Path, absent}, rest)...)
	return place, nil
}
