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

// last is the deepest folder that is open.
func (r *route) last() *dir { return r.folders[len(r.folders)-1] }

// close closes the folders, but for the workspace.
func (r *route) close() { r.leave(1) }

// leave closes the folders but for the first so many.
func (r *route) leave(kept int) {
	for _, d := range r.folders[kept:] {
		d.close()
	}
	r.folders = r.folders[:kept]
}

// arrive opens the folder that the path has got to, if it is not open yet.
func (r *route) arrive() error {
	in := r.last()
	if in.path == r.Path {
		return nil
	}
	below, err := in.enter(path.Base(r.Path), r.Info)
	if err != nil {
		return err
	}
	r.folders = append(r.folders, below)
	return nil
}

// follow walks a local path part by part and goes where links lead, so that the
// names that rules look at are those by which the folders were opened.
func (f *Folder) follow(local string) (*route, error) {
	return f.walk(&walker{folder: f, given: local})
}

// direct walks a path that an earlier walk found, without following links: it fails
// with STALE_FILE if there is one by now.
func (f *Folder) direct(local string) (*route, error) {
	return f.walk(&walker{folder: f, given: local, direct: true})
}

func (f *Folder) walk(w *walker) (*route, error) {
	w.route = route{Place: Place{Path: ".", given: w.given}, folders: []*dir{f.top()}}
	err := w.walk(strings.Split(w.given, "/"))
	if r := &w.route; err == nil && r.Path == r.last().path {
		r.Info, err = r.last().stat()
	}
	if err == nil {
		return &w.route, nil
	}
	w.route.close()
	if _, ok := errors.AsType[*message.ToolError](err); !ok {
		err = fail(message.ExecutionError, "look at %s: %s", quote(w.given), reason(err))
	}
	return nil, err
}

// walker is one walk along a path.
type walker struct {
	folder *Folder
	// given is the path, direct that no links are followed.
	given  string
	direct bool
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
			if err := w.up(); err != nil {
				return err
			}
			continue
		}
		if err := r.arrive(); err != nil {
			return err
		}
		next := path.Join(r.Path, part)
		info, err := r.last().root.Lstat(part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return w.missing(part, rest)
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			if rest, err = w.link(part, rest); err != nil {
				return err
			}
			continue
		case len(rest) > 0 && !info.IsDir():
			return fail(message.ExecutionError, "%s cannot be: %s is a file, not a folder", quote(w.given), quote(next))
		}
		r.Path, r.Info = next, info
	}
	return nil
}

// up goes back to the folder that the walk came through.
func (w *walker) up() error {
	r := &w.route
	if r.Path == "." {
		return outside(w.given)
	}
	if r.last().path == r.Path {
		r.leave(len(r.folders) - 1)
	}
	r.Path, r.Info = r.last().path, nil
	return nil
}

// link goes to the folder that the target of a link starts from, and returns the
// parts of the target and those that come after the link.
func (w *walker) link(name string, rest []string) ([]string, error) {
	r := &w.route
	local := path.Join(r.Path, name)
	if w.direct {
		return nil, changedMeanwhile(local)
	}
	if w.links++; w.links > maxLinks {
		return nil, fail(message.UnsupportedFile, "%s leads through too many links", quote(w.given))
	}
	target, err := r.last().root.Readlink(name)
	if err != nil {
		return nil, fail(message.ExecutionError, "follow the link %s: %s", quote(local), reason(err))
	}
	if !filepath.IsAbs(target) {
		return slices.Concat(strings.Split(filepath.ToSlash(target), "/"), rest), nil
	}
	target, ok := w.folder.relative(target)
	if !ok {
		return nil, outside(local)
	}
	r.close()
	r.Path, r.Info = ".", nil
	return slices.Concat(strings.Split(target, "/"), rest), nil
}

// missing ends the walk at a part that is not there.
func (w *walker) missing(absent string, rest []string) error {
	r := &w.route
	if slices.Contains(rest, "..") {
		return fail(message.FileNotFound, "%s leads through %s, which does not exist", quote(w.given), quote(absent))
	}
	r.parent, r.absent, r.Info = r.Path, absent, nil
	r.Path = path.Join(slices.Concat([]string{r.Path, absent}, rest)...)
	return nil
}

// changedMeanwhile is the error for what is no longer what it was a moment ago.
func changedMeanwhile(local string) error {
	return fail(message.StaleFile, "%s changed while it was opened: read it again", quote(local))
}
