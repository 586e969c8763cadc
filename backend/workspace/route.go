package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fairlead/backend/message"
)

// maxLinks is how many links one path may lead through, as on Linux.
const maxLinks = 40

// route is a place and the folders on the way to it, held open. Whatever other
// programs rename or exchange from then on, what is done in its last folder is done
// in the folder that the path led to (SPEC SEC-09).
type route struct {
	Place
	// folders are those on the way, the workspace first. The one that Path names is
	// among them only if the walk led through it.
	folders []*dir
}

// lastFolder is the deepest folder that is open.
func (r *route) lastFolder() *dir { return r.folders[len(r.folders)-1] }

// close closes the folders, but for the workspace.
func (r *route) close() { r.closeFolders(1) }

// closeFolders closes the folders but for the first so many.
func (r *route) closeFolders(kept int) {
	for _, d := range r.folders[kept:] {
		d.close()
	}
	r.folders = r.folders[:kept]
}

// openArrived opens the folder that the path has got to, if it is not open yet.
func (r *route) openArrived() error {
	in := r.lastFolder()
	if in.path == r.Path {
		return nil
	}
	below, err := in.openSeen(path.Base(r.Path), r.Info)
	if err != nil {
		return err
	}
	r.folders = append(r.folders, below)
	return nil
}

// walkEntry walks a path that an earlier walk found, to what lies there itself.
func (f *Folder) walkEntry(local string) (*route, error) {
	return f.walk(&walker{folder: f, given: local, direct: true, entry: true})
}

// walkDirect walks a path that an earlier walk found, without following links: it fails
// with STALE_FILE if there is one by now.
func (f *Folder) walkDirect(local string) (*route, error) {
	return f.walk(&walker{folder: f, given: local, direct: true})
}

// walk walks a local path part by part and goes where links lead, so that the names that
// rules look at are those by which the folders were opened.
func (f *Folder) walk(w *walker) (*route, error) {
	w.route = route{Place: Place{Path: ".", given: w.given}, folders: []*dir{f.topDir()}}
	err := w.walk(strings.Split(w.given, "/"))
	if r := &w.route; err == nil && r.Path == r.lastFolder().path {
		r.Info, err = r.lastFolder().statFolder()
	}
	if err == nil {
		return &w.route, nil
	}
	w.route.close()
	if _, ok := errors.AsType[*message.ToolError](err); !ok {
		err = toolError(message.ExecutionError, "look at %s: %s", quotePath(w.given), systemReason(err))
	}
	return nil, err
}

// walker is one walk along a path.
type walker struct {
	folder *Folder
	// given is the path, direct that no links are followed.
	given  string
	direct bool
	// entry reports whether a link at the end of the path is left unfollowed, too: the path is
	// that of the link itself.
	entry bool
	// links counts those that were followed.
	links int
	route route
}

// walk takes the parts of a path.
func (w *walker) walk(rest []string) error {
	r := &w.route
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if err := w.goUp(); err != nil {
				return err
			}
			continue
		}
		if err := r.openArrived(); err != nil {
			return err
		}
		info, err := r.lastFolder().root.Lstat(part)
		if err == nil {
			part = listedName(r.lastFolder().root.Name(), part)
		}
		next := path.Join(r.Path, part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return w.endMissing(part, rest)
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0 && (!w.entry || len(rest) > 0):
			if rest, err = w.followLink(part, rest); err != nil {
				return err
			}
			continue
		case len(rest) > 0 && !info.IsDir():
			return toolError(message.ExecutionError, "%s cannot be: %s is a file, not a folder", quotePath(w.given), quotePath(next))
		}
		r.Path, r.Info = next, info
	}
	return nil
}

// goUp goes back to the folder that the walk came through.
func (w *walker) goUp() error {
	r := &w.route
	if r.Path == "." {
		return outsideError(w.given)
	}
	if r.lastFolder().path == r.Path {
		r.closeFolders(len(r.folders) - 1)
	}
	r.Path, r.Info = r.lastFolder().path, nil
	return nil
}

// followLink goes to the folder that the target of a link starts from, and returns the
// parts of the target and those that come after the link.
func (w *walker) followLink(name string, rest []string) ([]string, error) {
	r := &w.route
	local := path.Join(r.Path, name)
	if w.direct {
		return nil, changedMeanwhile(local)
	}
	if w.links++; w.links > maxLinks {
		return nil, toolError(message.UnsupportedFile, "%s leads through too many links", quotePath(w.given))
	}
	target, err := r.lastFolder().root.Readlink(name)
	if err != nil {
		return nil, toolError(message.ExecutionError, "follow the link %s: %s", quotePath(local), systemReason(err))
	}
	if !filepath.IsAbs(target) {
		return slices.Concat(strings.Split(filepath.ToSlash(target), "/"), rest), nil
	}
	target, ok := w.folder.relativePath(target)
	if !ok {
		return nil, outsideError(local)
	}
	r.close()
	r.Path, r.Info = ".", nil
	return slices.Concat(strings.Split(target, "/"), rest), nil
}

// endMissing ends the walk at a part that is not there.
func (w *walker) endMissing(absent string, rest []string) error {
	r := &w.route
	if slices.Contains(rest, "..") {
		return toolError(message.FileNotFound, "%s leads through %s, which does not exist", quotePath(w.given), quotePath(absent))
	}
	r.parent, r.absent, r.Info = r.Path, absent, nil
	r.Path = path.Join(slices.Concat([]string{r.Path, absent}, rest)...)
	return nil
}

// changedMeanwhile is the error for what is no longer what it was a moment ago.
func changedMeanwhile(local string) error {
	return toolError(message.StaleFile, "%s changed while it was opened: read it again", quotePath(local))
}
