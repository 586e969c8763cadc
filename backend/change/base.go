package change

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"fairlead/backend/leftover"
)

const (
	// maxCompared is how large a file is at most that is copied before a command, and
	// maxComparedAll how large all are together, in bytes (SPEC CHG-03).
	maxCompared    = 20 << 20
	maxComparedAll = 200 << 20
	// maxWaste is how much of a pack may be contents that are no longer needed, in bytes,
	// before it is written anew.
	maxWaste = 64 << 20
)

// base is what lay in the folder when it was last looked at, with copies of the contents. It
// is what commands are compared with.
type base struct {
	objects *Objects
	entries map[leftover.Path]*baseEntry
	pack    *pack
	// used counts the bytes of contents that entries have.
	used int64
	// stale reports whether the index on the disk is older.
	stale bool
}

// baseEntry is one path.
type baseEntry struct {
	State State `json:"state"`
	// Piece is where its content is; none where it is not kept.
	Piece piece `json:"piece,omitzero"`
	// Lost is why it is not.
	Lost Loss `json:"lost,omitempty"`
	// Meaning is the sum of what it says, of a file that is part of a unit.
	Meaning string `json:"meaning,omitempty"`
}

// indexName and runningName are the files that say what is in the pack, and which calls run.
const (
	indexName   = "base.index"
	runningName = "base.running"
)

// newBase returns a base of nothing yet.
func newBase(o *Objects) (*base, error) {
	if err := o.open(); err != nil {
		return nil, err
	}
	p, err := openPack(o)
	if err != nil {
		return nil, err
	}
	return &base{objects: o, entries: map[leftover.Path]*baseEntry{}, pack: p, stale: true}, nil
}

// close closes the pack, and deletes all of the base.
func (b *base) close() error {
	err := b.pack.file.Close()
	for _, name := range []string{packName, indexName, runningName} {
		err = errors.Join(err, b.objects.drop(name))
	}
	return err
}

// difference is a path that is not as it was.
type difference struct {
	path leftover.Path
	// before is what the base has, nil for nothing, and after what is there now.
	before *baseEntry
	after  State
}

// compare returns what is not as it was, in the order of paths.
func (b *base) compare(now seen) []difference {
	var all []difference
	for local, state := range now {
		if entry := b.entries[local]; entry == nil || !state.isUntouched(entry.State) {
			all = append(all, difference{local, entry, state})
		}
	}
	for local, entry := range b.entries {
		if _, ok := now[local]; !ok {
			all = append(all, difference{local, entry, State{}})
		}
	}
	slices.SortFunc(all, func(a, b difference) int { return comparePaths(a.path, b.path) })
	return all
}

// update takes over what is there now, and copies the contents that are new, the small ones
// first. What is not copied is Lost. folder is the workspace.
func (b *base) update(ctx context.Context, folder *os.Root, found []difference) error {
	if len(found) == 0 {
		return nil
	}
	b.stale = true
	var wanted []*difference
	for i := range found {
		d := &found[i]
		if d.before != nil && d.before.Piece.There {
			b.used -= d.before.Piece.Size
		}
		if d.after.Kind == None {
			delete(b.entries, d.path)
			continue
		}
		entry := &baseEntry{State: d.after}
		if old := d.before; old != nil && old.Piece.There && d.after.Sum != "" && d.after.Sum == old.State.Sum {
			entry.Piece, entry.Meaning = old.Piece, old.Meaning // only what belongs to it has changed
			b.used += old.Piece.Size
		} else if d.after.Kind == File {
			wanted = append(wanted, d)
		}
		b.entries[d.path] = entry
	}
	slices.SortFunc(wanted, func(a, b *difference) int { return compareSizes(a.after.Size, a.path, b.after.Size, b.path) })
	reading, err := newTree(Opened{folder, "."})
	if err != nil {
		return err
	}
	defer reading.close()
	for _, d := range wanted {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.copyContent(reading, d); err != nil {
			return err
		}
	}
	if b.pack.end > b.used+maxWaste {
		return b.shrink()
	}
	return nil
}

// shrink writes the pack anew, without contents that are no longer needed.
func (b *base) shrink() error {
	old := b.pack
	if err := b.objects.root.Rename(packName, packName+".old"); err != nil {
		return err
	}
	fresh, err := openPack(b.objects)
	if err != nil {
		return err
	}
	for _, entry := range b.entries {
		if !entry.Piece.There {
			continue
		}
		if entry.Piece, _, err = fresh.add(old.reader(entry.Piece), entry.Piece.Size); err != nil {
			return errors.Join(err, fresh.file.Close())
		}
	}
	b.pack = fresh
	return errors.Join(old.file.Close(), b.objects.drop(packName+".old"))
}

// compareSizes orders files as their contents are kept: the smaller ones first.
func compareSizes(a int64, ofA leftover.Path, b int64, ofB leftover.Path) int {
	return cmp.Or(cmp.Compare(sizeClass(a), sizeClass(b)), cmp.Compare(ofA, ofB))
}

// sizeClass orders sizes roughly, so that files of one folder are read together.
func sizeClass(size int64) int {
	class := 0
	for limit := int64(64 << 10); size > limit; limit *= 4 {
		class++
	}
	return class
}

// copyContent copies one content into the pack.
func (b *base) copyContent(reading *tree, d *difference) error {
	entry := b.entries[d.path]
	if d.after.Size > maxCompared || b.used+d.after.Size > maxComparedAll {
		entry.Lost = LossLarge
		return nil
	}
	at, err := reading.spotOf(string(d.path))
	if err != nil {
		entry.Lost = LossUnreadable
		return nil //nolint:nilerr // it goes away, or cannot be read: that is noted
	}
	file, err := openFileIn(at.handle, at.name)
	if err != nil {
		entry.Lost = LossUnreadable
		return nil //nolint:nilerr // as above
	}
	defer func() { _ = file.Close() }()
	where, sum, err := b.pack.add(file, max(d.after.Size*2, 1<<20))
	if err != nil {
		if isFull(err) {
			return err
		}
		entry.Lost = LossUnreadable
		return nil
	}
	entry.Piece, entry.State.Sum = where, sum
	entry.State.Attributes = readAttributes(at)
	b.used += where.Size
	if path.Base(string(d.path)) == "index" && UnitOf(d.path) != "" {
		entry.Meaning, err = meaningOf(d.path, b.pack.reader(where))
		return err
	}
	entry.Meaning = sum
	return nil
}

// save makes what is in the base survive a power cut.
func (b *base) save() error {
	if !b.stale {
		return nil
	}
	if err := b.pack.file.Sync(); err != nil {
		return fmt.Errorf("keep what commands may change: %w", err)
	}
	file, err := b.objects.root.OpenFile(indexName+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("keep what commands may change: %w", err)
	}
	out := bufio.NewWriterSize(file, 64<<10)
	encoder := json.NewEncoder(out)
	for local, entry := range b.entries {
		if err = encoder.Encode(indexLine{local, *entry}); err != nil {
			break
		}
	}
	err = errors.Join(err, out.Flush())
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = b.objects.root.Rename(indexName+".new", indexName)
	}
	if err != nil {
		return fmt.Errorf("keep what commands may change: %w", err)
	}
	b.stale = false
	return nil
}

// indexLine is one path in the index.
type indexLine struct {
	Path leftover.Path `json:"path"`
	baseEntry
}

// loadBase reads a base that another process has left.
func loadBase(o *Objects) (*base, error) {
	b, err := newBase(o)
	if err != nil {
		return nil, err
	}
	file, err := o.root.Open(indexName)
	if err != nil {
		return nil, errors.Join(err, b.pack.file.Close())
	}
	defer func() { _ = file.Close() }()
	decoder := json.NewDecoder(bufio.NewReader(file))
	for decoder.More() {
		var line indexLine
		if err := decoder.Decode(&line); err != nil {
			return nil, errors.Join(err, b.pack.file.Close())
		}
		entry := line.baseEntry
		b.entries[line.Path] = &entry
	}
	return b, nil
}

// extract makes an object of a content in the pack, with all that belonged to it.
func (b *base) extract(name string, entry *baseEntry) error {
	if err := b.objects.drop(name); err != nil {
		return err
	}
	file, err := b.objects.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.ReadFrom(b.pack.reader(entry.Piece))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return b.objects.spot(name).setRest(entry.State)
}
