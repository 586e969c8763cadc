package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"fairlead/backend/leftover"
)

// maxVisited bounds a walk, in entries.
const maxVisited = 200_000

// Entry is one file, folder or link that a walk visited.
type Entry struct {
	// Path is relative to the folder, with slashes.
	Path string
	// Type has fs.ModeDir set for folders and fs.ModeSymlink for links, which
	// are not followed; it is zero for regular files.
	Type fs.FileMode
	// Depth counts the levels below the start, whose own entries have 1.
	Depth int
}

// Walked says what a walk left out.
type Walked struct {
	// Secret counts entries left out because they hold keys or passwords.
	Secret int
	// TooLong counts entries left out because their paths have more bytes than any
	// path that is taken.
	TooLong int
	// Unreadable counts folders that could not be read.
	Unreadable int
	// Capped says that the walk ended early because there was too much.
	Capped bool
}

// LeftOut says in words what was left out, but for Capped: what that means depends on
// what the walk was for.
func (w Walked) LeftOut() (notices []string) {
	if w.Secret > 0 {
		notices = append(notices, fmt.Sprintf("%d with keys or passwords left out", w.Secret))
	}
	if w.TooLong > 0 {
		notices = append(notices, fmt.Sprintf("%d with paths of more than %d bytes left out", w.TooLong, MaxPath))
	}
	if w.Unreadable > 0 {
		notices = append(notices, fmt.Sprintf("%d folders could not be read", w.Unreadable))
	}
	return notices
}

// Walk visits what lies below start, in the order of names, folders before what
// is in them. It leaves out what .gitignore files exclude, .git and node_modules,
// secrets (SPEC SEC-06), files that a write has not finished (SPEC REL-04) and
// everything that is no file, folder or link. A start
// that is itself excluded is walked without regard to .gitignore; a start that is
// a file is the one entry. visit may return fs.SkipDir for a folder and
// fs.SkipAll. The error is a *message.ToolError, that of visit, or that of ctx,
// soon after it ended.
func (f *Folder) Walk(ctx context.Context, start string, visit func(Entry) error) (Walked, error) {
	r, err := f.openRoute(start)
	if err != nil {
		return Walked{}, err
	}
	defer r.close()
	if err := checkSecret(r.Place); err != nil {
		return Walked{}, err
	}
	if !r.Exists() {
		return Walked{}, f.NotFound(r.Place)
	}
	w := walk{folder: f, ctx: ctx, visit: visit}
	if r.Info.IsDir() {
		if err = r.openArrived(); err == nil {
			err = w.visitDirectory(r.lastFolder(), 1, f.rulesAt(r.Path))
		}
	} else if err = checkRegular(r.Path, r.Info); err == nil {
		err = visit(Entry{Path: r.Path})
	}
	if errors.Is(err, fs.SkipAll) || errors.Is(err, fs.SkipDir) {
		err = nil
	}
	return w.result, err
}

// walk is one walk under way.
type walk struct {
	folder  *Folder
	ctx     context.Context
	visit   func(Entry) error
	visited int
	result  Walked
}

// visitDirectory visits what lies below a folder, to which outer rules apply.
func (w *walk) visitDirectory(d *dir, depth int, outer *Rules) error {
	entries, err := w.read(d)
	if err != nil {
		return err
	}
	inner := outer
	if hasIgnoreFile(entries) {
		inner = w.folder.rulesIn(d.path, outer)
	}
	secrets := secretsIn(path.Base(d.path))
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.visitEntry(d, e, depth, inner, secrets); err != nil {
			return err
		}
	}
	return nil
}

// visitEntry visits one entry of a folder and what lies below it.
func (w *walk) visitEntry(in *dir, e fs.DirEntry, depth int, r *Rules, secrets secretsOf) error {
	name, kind := in.joinName(e.Name()), e.Type()
	if !IsListable(kind) || r.IgnoresPath(name, kind.IsDir()) || leftover.IsTemporaryName(e.Name()) && w.folder.isTemporary(name) {
		return nil
	}
	if len(name) > MaxPath {
		w.result.TooLong++
		return nil
	}
	if secrets.has(e.Name()) {
		w.result.Secret++
		return nil
	}
	err := w.visit(Entry{Path: name, Type: kind, Depth: depth})
	if errors.Is(err, fs.SkipDir) {
		return nil
	}
	if err != nil || !kind.IsDir() {
		return err
	}
	below, err := in.openBelow(e.Name())
	if err != nil {
		w.result.Unreadable++
		return nil
	}
	defer below.close()
	return w.visitDirectory(below, depth+1, r)
}

// read returns a folder's entries in the order of their names. A folder that
// cannot be read is counted and has none.
func (w *walk) read(d *dir) ([]fs.DirEntry, error) {
	entries, more, err := d.readEntries(w.ctx, maxVisited-w.visited)
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	w.visited += len(entries)
	w.result.Capped = w.result.Capped || more
	if err != nil {
		w.result.Unreadable++
	}
	return entries, nil
}
