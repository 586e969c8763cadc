package change

import (
	"io"
	"strconv"

	"fairlead/backend/leftover"
)

// copiedTexts is how many changes of one look get copies of what was there after, and counts
// of their lines.
const copiedTexts = 200

// changesOf are the changes that differences come to, with the objects that they keep. The
// base has been updated. Objects are named by the set, from a number on.
func (b *base) changesOf(found []difference, setID string, from int) ([]Change, error) {
	names := b.namesOf(found)
	var changes []Change
	for _, d := range found {
		c, ok := b.changeOf(d)
		if !ok {
			continue
		}
		names.mark(&c)
		object := setID + "-" + strconv.Itoa(from+len(changes))
		if needsKept(c) {
			if err := b.keep(&c, d, object); err != nil {
				return nil, err
			}
		}
		if len(changes) < copiedTexts {
			if err := b.copyText(&c, d, object); err != nil {
				return nil, err
			}
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// changeOf is the change that a difference comes to; none where only the system has noted
// something, such as another number of names, and where it may have been there before.
func (b *base) changeOf(d difference) (Change, bool) {
	c := Change{Path: d.path, After: d.after}
	if d.before != nil {
		c.Before = d.before.State
	}
	if entry := b.entries[d.path]; entry != nil {
		c.After = entry.State
	}
	c.Op = opOf(c.Before, c.After)
	switch {
	case d.appears, c.Before.Kind == None && c.After.Kind == None:
		return c, false
	case c.Op == Mode && c.After.Kind == Folder:
		return c, c.Before.Mode != c.After.Mode || c.Before.Owner != c.After.Owner || c.Before.Group != c.After.Group
	case c.Op == Mode || c.Before.Kind == Link && c.After.Kind == Link && c.Before.Target == c.After.Target:
		return c, !c.Before.sameRest(c.After)
	case c.Before.Kind == Other && c.After.Kind == Other:
		return c, c.Before.Inode != c.After.Inode
	}
	return c, true
}

// keep makes an object of what was there before.
func (b *base) keep(c *Change, d difference, object string) error {
	switch {
	case c.Before.Kind == Link:
		if err := b.objects.drop(object); err != nil {
			return err
		}
		if err := b.objects.root.Symlink(string(c.Before.Target), object); err != nil {
			return err
		}
		c.Kept = object
		return b.objects.spot(object).setRest(c.Before)
	case d.before.Piece.There:
		c.Kept = object
		return b.extract(b.objects, object, d.before)
	}
	c.Lost = d.before.Lost
	if c.Lost == "" {
		c.Lost = LossUnreadable
	}
	return nil
}

// copyText keeps a copy of what is there after, and counts the lines, where that is a text.
func (b *base) copyText(c *Change, d difference, object string) error {
	if c.Op == Mode || c.From != "" || c.To != "" || c.Before.Kind == Folder || c.After.Kind == Folder {
		return nil
	}
	before, ok, err := b.text(d.before)
	if err != nil || !ok {
		return err
	}
	after, ok, err := b.text(b.entries[d.path])
	if err != nil || !ok {
		return err
	}
	return b.objects.keepAfter(c, object, before, after)
}

// keepAfter counts the lines of a change from one text to another one, and keeps a copy of what is there
// after it.
func (o *Objects) keepAfter(c *Change, object string, before, after []byte) error {
	_, c.Added, c.Removed = UnifiedDiff(string(c.Path), string(c.Path), before, after)
	if c.After.Kind != File {
		return nil
	}
	c.Copy = object + ".after"
	return o.write(c.Copy, after)
}

// text is the content of an entry that is a text; that of nothing is empty.
func (b *base) text(entry *baseEntry) (content []byte, ok bool, err error) {
	if entry == nil {
		return nil, true, nil
	}
	if entry.State.Kind != File || !entry.Piece.There || entry.Piece.Size > maxText {
		return nil, false, nil
	}
	content, err = io.ReadAll(b.pack.reader(entry.Piece))
	return content, err == nil && IsText(content), err
}

// fileNames are the paths that files have come to and gone from, by their inodes.
type fileNames struct {
	// gone and come are files that are no longer at a path, or newly there; to and from say
	// where each was moved.
	to, from map[leftover.Path]leftover.Path
	// others are other names of files that are no longer at a path.
	others map[leftover.Path]leftover.Path
}

// namesOf finds out what was moved, and which other names of files there are.
func (b *base) namesOf(found []difference) fileNames {
	names := fileNames{map[leftover.Path]leftover.Path{}, map[leftover.Path]leftover.Path{}, map[leftover.Path]leftover.Path{}}
	come := map[uint64]difference{}
	linked := map[uint64]leftover.Path{}
	changed := map[leftover.Path]bool{}
	for _, d := range found {
		changed[d.path] = d.before == nil || d.before.State.Inode != d.after.Inode
		if d.before == nil && !d.appears && d.after.Kind != Folder && d.after.Inode != 0 {
			if _, ok := come[d.after.Inode]; !ok {
				come[d.after.Inode] = d
			}
		}
		if d.before != nil && d.before.State.Links > 1 && d.before.State.Kind == File {
			linked[d.before.State.Inode] = ""
		}
	}
	for local, entry := range b.entries {
		first, ok := linked[entry.State.Inode]
		// One that stays comes first: another one can go when this is taken back.
		if ok && entry.State.Kind == File && (first == "" || changed[first] && !changed[local] || changed[first] == changed[local] && local < first) {
			linked[entry.State.Inode] = local
		}
	}
	for _, d := range found {
		was := State{}
		if d.before != nil {
			was = d.before.State
		}
		if d.after.Kind == File && d.after.Links > 1 && d.after.Inode != was.Inode && (Change{Before: was, After: d.after}).isLinked() {
			if other := b.nameOf(d.after.Inode, d.path); other != "" {
				names.others[d.path] = other
			}
		}
		if d.before == nil || d.after.isSameFile(was) {
			continue
		}
		if to, ok := come[was.Inode]; ok && d.after.Kind == None && to.after.isSameFile(was) && was.Mode == to.after.Mode {
			names.to[d.path], names.from[to.path] = to.path, d.path
			delete(come, was.Inode)
			continue
		}
		if was.Links > 1 && was.Kind == File {
			if other := linked[was.Inode]; other != "" && other != d.path {
				names.others[d.path] = other
			} else if other == "" {
				linked[was.Inode] = d.path // the first one comes back as a copy, others are linked to it
			}
		}
	}
	return names
}

// nameOf is a name of a file but for one; empty for none.
func (b *base) nameOf(inode uint64, but leftover.Path) leftover.Path {
	name := leftover.Path("")
	for local, entry := range b.entries {
		if entry.State.Inode == inode && entry.State.Kind == File && local != but && (name == "" || local < name) {
			name = local
		}
	}
	return name
}

// mark notes in a change where it was moved, and which other name there is.
func (n fileNames) mark(c *Change) {
	c.To, c.From, c.Same = n.to[c.Path], n.from[c.Path], n.others[c.Path]
}
