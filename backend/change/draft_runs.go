package change

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox/overlay"
)

// runsName is the folder of a draft with what was in it when its last runs began, by their ids, and
// unkeptSuffix ends the name of what is being copied there.
const (
	runsName     = "runs"
	unkeptSuffix = ".new"
)

// maxKeptRuns is of how many runs it is kept, and maxKeptEntries and maxKeptBytes are how much of one.
const (
	maxKeptRuns    = 20
	maxKeptEntries = 5000
	maxKeptBytes   = 32 << 20
)

// errKeepsTooMuch means that more is in a draft than is kept.
var errKeepsTooMuch = errors.New("there is too much in the draft")

// KeepRun keeps what is in a draft, which nobody has mounted, as a run begins: the conversation can be forked
// there (SPEC PRE-09). Where there is nothing in it, or too much, nothing is kept.
func (d *Draft) KeepRun(id string) (err error) {
	runs := filepath.Join(d.Dir, runsName)
	kept := filepath.Join(runs, id)
	defer func() {
		if err != nil {
			err = errors.Join(err, overlay.RemoveAll(kept+unkeptSuffix))
		}
		if errors.Is(err, errKeepsTooMuch) {
			err = nil
		} else if err != nil {
			err = fmt.Errorf("keep what is in the draft: %w", err)
		}
	}()
	entries, err := fs.ReadDir(d.Upper.FS(), ".")
	if err != nil || len(entries) == 0 {
		return err
	}
	if err := pruneRuns(runs); err != nil {
		return err
	}
	if err := os.MkdirAll(kept+unkeptSuffix, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(kept + unkeptSuffix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if _, err := copyLayer(d.Upper, root); err != nil {
		return err
	}
	return errors.Join(d.Sync(), os.Rename(kept+unkeptSuffix, kept))
}

// pruneRuns removes the oldest where there are as many as are kept, and what was cut off.
func pruneRuns(runs string) error {
	entries, err := os.ReadDir(runs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	left := len(entries)
	for _, e := range entries { // the oldest first
		if path.Ext(e.Name()) == unkeptSuffix || left >= maxKeptRuns {
			err = errors.Join(err, overlay.RemoveAll(filepath.Join(runs, e.Name())))
			left--
		}
	}
	return err
}

// addKept puts what was in the draft of another conversation, as a run of that began, on top of what is in this
// one. It reports whether that is known.
func (d *Draft) addKept(other *Draft, run string) (known bool, err error) {
	root, err := os.OpenRoot(filepath.Join(other.Dir, runsName, run))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	paths, err := copyLayer(root, d.Upper)
	if err != nil {
		return false, err
	}
	return true, d.known.takeFrom(other.known, paths)
}

// copyLayer copies what is in one layer to another one, as far as it is kept, and returns the paths.
func copyLayer(from, to *os.Root) ([]string, error) {
	c := &layerCopy{entries: maxKeptEntries, bytes: maxKeptBytes}
	var err error
	if c.from, err = newTree(Opened{from, "."}); err != nil {
		return nil, err
	}
	defer c.from.close()
	if c.to, err = newTree(Opened{to, "."}); err != nil {
		return nil, err
	}
	defer c.to.close()
	err = c.copyFolder(".")
	return c.paths, err
}

// layerCopy copies what is in one layer to another one, in which it hides what is there.
type layerCopy struct {
	from, to *tree
	// entries and bytes are how much more is copied at most, and paths are those that were.
	entries int
	bytes   int64
	paths   []string
}

// copyFolder copies what is in a folder.
func (c *layerCopy) copyFolder(local string) error {
	names, err := c.from.names(local)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.copyEntry(path.Join(local, name)); err != nil {
			return err
		}
	}
	return nil
}

func (c *layerCopy) copyEntry(local string) error {
	from, err := c.from.spotOf(local)
	if err != nil {
		return err
	}
	info, err := from.dir.Lstat(from.name)
	if err != nil {
		return err
	}
	state, err := from.look()
	if err != nil {
		return err
	}
	c.entries, c.bytes, c.paths = c.entries-1, c.bytes-state.Size, append(c.paths, local)
	if c.entries < 0 || c.bytes < 0 {
		return errKeepsTooMuch
	}
	to, err := c.to.spotOf(local)
	if err != nil {
		return err
	}
	there, err := lookAt(to.dir, to.name)
	if err == nil && there.Kind != None && there.Kind != Folder && state.Kind == Folder {
		state.Attributes = overlay.WithOpaque(state.Attributes) // what lay there hides what is below
	}
	if err == nil && there.Kind != None && (there.Kind != Folder || state.Kind != Folder || overlay.IsOpaque(state.Attributes)) {
		there, err = State{}, to.dir.RemoveAll(to.name)
	}
	switch {
	case err != nil:
		return err
	case overlay.IsWhiteout(info):
		return overlay.Whiteout(to.handle, to.name)
	case state.Kind == Folder:
		return c.copyIntoFolder(local, to, there, state)
	case state.Kind == File:
		if err := copyFile(to, from, state); err != nil {
			return err
		}
	case state.Kind == Link:
		if err := to.dir.Symlink(string(state.Target), to.name); err != nil {
			return err
		}
	default:
		return nil // a pipe or a socket
	}
	return to.makeLike(state)
}

// copyIntoFolder copies a folder to a place where nothing, or a folder, is.
func (c *layerCopy) copyIntoFolder(local string, to spot, there, state State) error {
	var err error
	if there.Kind == None {
		err = to.dir.Mkdir(to.name, 0o700)
	} else {
		err = setMode(to, 0o700)
	}
	if err == nil {
		err = c.copyFolder(local)
	}
	if err == nil {
		to, err = c.to.spotOf(local)
	}
	if err != nil {
		return err
	}
	return to.makeLike(state)
}

// copyFile makes a file with the content of another one, which is what seen describes.
func copyFile(to, from spot, seen State) error {
	source, err := openSeen(from.dir, from.name, seen)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	file, err := to.dir.OpenFile(to.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(copyContent(file, source), file.Close())
}

// makeLike is setRest for what was just made: its attributes come first, because who may not write to
// something cannot give it any.
func (s spot) makeLike(state State) error {
	if state.Kind != Link {
		if err := setAttributes(s, state.Attributes); err != nil {
			return err
		}
	}
	return s.setRest(state)
}

// takeFrom takes over what is known of paths in another draft.
func (t *touched) takeFrom(other *touched, paths []string) error {
	var lines []touchedLine
	for _, local := range paths {
		one, known := other.paths[local]
		if !known {
			continue
		}
		line := touchedLine{Path: leftover.Path(local), Since: one.since, There: one.there}
		if text := other.textOf(local); text != nil {
			line.Text = t.keep(text)
		}
		lines = append(lines, line)
	}
	for unit, sum := range other.units {
		if slices.ContainsFunc(paths, func(local string) bool { return inUnit(leftover.Path(local), unit) }) {
			lines = append(lines, touchedLine{Unit: unit, Sum: sum})
		}
	}
	return t.note(lines)
}
