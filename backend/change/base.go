package change

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"time"

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
	// unread are the folders that could not be read at the last look.
	unread map[leftover.Path]bool
	pack   *pack
	// looks counts the looks at the folder. current is when the last one began, if the base
	// was up to date then and the folder has not been changed by file tools since.
	looks   int
	current time.Time
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
	// look is the last look that found it.
	look int
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
	return &base{objects: o, entries: map[leftover.Path]*baseEntry{}, unread: map[leftover.Path]bool{}, pack: p, stale: true}, nil
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
	// appears reports whether it could not be seen before, and may have been there.
	appears bool
}

// compare looks at the folder, and returns what is not as it was, in the order of paths. What
// can no longer be seen counts as being as it was.
func (b *base) compare(ctx context.Context, folder *os.Root) ([]difference, error) {
	c := b.newComparison()
	unread, err := lookThrough(ctx, folder, c.take)
	if err != nil {
		return nil, err
	}
	return c.finish(unread), nil
}

// comparison is a look at the folder that is compared with the base.
type comparison struct {
	*base

	mu    sync.Mutex
	found []difference
	// known counts the entries of the base that were found.
	known int
}

func (b *base) newComparison() *comparison {
	b.looks++
	return &comparison{base: b}
}

// take compares what is in one folder.
func (c *comparison) take(prefix string, found []Entry) {
	path := make([]byte, 0, 256)
	var different []difference
	known := 0
	for _, e := range found {
		path = append(append(path[:0], prefix...), e.Path...)
		entry := c.entries[leftover.Path(path)]
		if entry != nil {
			entry.look = c.looks
			known++
		}
		if entry == nil || !e.State.isUntouched(entry.State) {
			different = append(different, difference{path: leftover.Path(path), before: entry, after: e.State})
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found, c.known = append(c.found, different...), c.known+known
}

// finish adds what was not found, and notes which folders could not be read.
func (c *comparison) finish(unread map[leftover.Path]bool) []difference {
	for i, d := range c.found {
		c.found[i].appears = d.before == nil && isHidden(d.path, c.unread)
	}
	if c.known < len(c.entries) {
		for local, entry := range c.entries {
			if entry.look != c.looks && !isHidden(local, unread) {
				c.found = append(c.found, difference{path: local, before: entry})
			}
		}
	}
	slices.SortFunc(c.found, func(a, b difference) int { return comparePaths(a.path, b.path) })
	c.stale = c.stale || !maps.Equal(c.unread, unread)
	c.unread = unread
	return c.found
}

// update takes over what is there now, and copies the contents that are new, the small ones
// first. What is not copied is Lost. folder is the workspace. Where it fails, the base is as
// it was.
func (b *base) update(ctx context.Context, folder *os.Root, found []difference) error {
	if len(found) == 0 {
		return nil
	}
	fresh := make([]*baseEntry, len(found))
	used := b.used
	var wanted []int
	for i, d := range found {
		old := d.before
		if old != nil && old.Piece.There {
			used -= old.Piece.Size
		}
		if d.after.Kind == None {
			continue
		}
		fresh[i] = &baseEntry{State: d.after}
		if old != nil && old.Piece.There && d.after.Sum != "" && d.after.Sum == old.State.Sum {
			fresh[i].Piece, fresh[i].Meaning = old.Piece, old.Meaning // only what belongs to it has changed
			used += old.Piece.Size
		} else if d.after.Kind == File {
			wanted = append(wanted, i)
		}
	}
	slices.SortFunc(wanted, func(i, j int) int {
		return compareSizes(found[i].after.Size, found[i].path, found[j].after.Size, found[j].path)
	})
	reading, err := newTree(Opened{folder, "."})
	if err != nil {
		return err
	}
	defer reading.close()
	for _, i := range wanted {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.copyContent(reading, found[i].path, fresh[i], used); err != nil {
			return err
		}
		used += fresh[i].Piece.Size
	}
	for i, d := range found {
		if fresh[i] == nil {
			delete(b.entries, d.path)
		} else {
			b.entries[d.path] = fresh[i]
		}
	}
	b.used, b.stale = used, true
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

// copyContent copies one content into the pack, which holds so many bytes that are needed. It
// notes what goes away meanwhile, or may not be read.
func (b *base) copyContent(reading *tree, local leftover.Path, entry *baseEntry, used int64) error {
	size := entry.State.Size
	if size > maxCompared || used+size > maxComparedAll {
		entry.Lost = LossLarge
		return nil
	}
	err := b.readContent(reading, local, entry)
	if isFault(err) {
		return fmt.Errorf("keep %s: %w", local, err)
	}
	if err != nil {
		entry.Piece, entry.Lost = piece{}, LossUnreadable
	}
	return nil
}

func (b *base) readContent(reading *tree, local leftover.Path, entry *baseEntry) error {
	at, err := reading.spotOf(string(local))
	if err != nil {
		return err
	}
	file, err := openFileIn(at.handle, at.name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if entry.Piece, entry.State.Sum, err = b.pack.add(file, max(entry.State.Size*2, 1<<20)); err != nil {
		return err
	}
	entry.Meaning = entry.State.Sum
	if path.Base(string(local)) == "index" && UnitOf(local) != "" {
		if entry.Meaning, err = meaningOf(local, b.pack.reader(entry.Piece)); err != nil {
			return err
		}
	}
	entry.State.Attributes, err = readAttributes(at)
	return err
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
		if err = encoder.Encode(indexLine{local, *entry, b.unread[local]}); err != nil {
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
	Unread bool `json:"unread,omitempty"`
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
		if line.Unread {
			b.unread[line.Path] = true
		}
	}
	return b, nil
}

// extract makes an object of a content in the pack, with all that belonged to it.
func (b *base) extract(to *Objects, name string, entry *baseEntry) error {
	if err := to.drop(name); err != nil {
		return err
	}
	file, err := to.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.ReadFrom(b.pack.reader(entry.Piece))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return to.spot(name).setRest(entry.State)
}
