package change

import (
	"errors"
	"os"
	"path"

	"fairlead/backend/leftover"
)

// passing is a place beside another for something on its way, on record.
type passing struct {
	spot
	entry *leftover.Entry
	// own is what may lie there and is deleted in the end. Anything else stays.
	own State
}

// newPassing returns a place beside another for what the state describes.
func (w *work) newPassing(c *Change, at spot, s State) (*passing, error) {
	name := leftover.TemporaryName()
	entry, err := w.record(c, name, s)
	return &passing{spot: spot{at.dir, at.handle, name}, entry: entry}, err
}

// end deletes what lies there and is no longer needed, and takes it off the record. What stays
// is on record for the next start, which deletes nothing else.
func (p *passing) end(alsoRecorded ...*leftover.Entry) {
	now, err := lookAt(p.dir, p.name)
	if err == nil && now.Kind != None && now.isSameFile(p.own) {
		now, err = State{}, p.dir.Remove(p.name)
	}
	if err != nil || now.Kind != None {
		return
	}
	for _, entry := range append(alsoRecorded, p.entry) {
		entry.Gone()
	}
}

// write writes a content there.
func (p *passing) write(content []byte) error {
	file, err := p.dir.OpenFile(p.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil {
		err = p.entry.Found(info)
	}
	if err == nil {
		_, err = file.Write(content)
	}
	if err == nil {
		err = file.Sync()
	}
	return p.note(errors.Join(err, file.Close()))
}

// copyFrom copies an object there.
func (p *passing) copyFrom(object spot, state State) error {
	_, err := copyEntry(p.spot, object, state, p.entry.Found)
	return p.note(err)
}

// note notes what lies there, which this process has just made, well or not.
func (p *passing) note(made error) error {
	own, err := lookAt(p.dir, p.name)
	p.own = own
	return errors.Join(made, err)
}

// exchange gives what lies there the place of what the change begins with, which lies there
// then, where the system does that.
func (p *passing) exchange(at spot, c *Change) error {
	err := exchange(p.spot, at)
	if err == nil {
		if err := expect(p.spot, c); err != nil {
			return errors.Join(err, exchange(p.spot, at))
		}
		p.own = c.Before
		return nil
	}
	if !errors.Is(err, errFar) {
		return err
	}
	if err := expect(at, c); err != nil {
		return err
	}
	return whenFree(at, func() error { return at.dir.Rename(p.name, at.name) })
}

// record puts what the state describes on record, under a name beside a path.
func (w *work) record(c *Change, name string, s State) (*leftover.Entry, error) {
	kind := leftover.File
	if s.Kind == Link {
		kind = leftover.Link
	}
	entry, err := w.Leftover.Add(leftover.Thing{
		Kind: kind, Root: leftover.Path(w.Path), Name: leftover.Path(path.Join(path.Dir(string(c.Path)), name)),
		Inode: s.Inode, Size: s.Size, Since: now(),
	})
	if err == nil {
		err = w.Leftover.Sync()
	}
	return entry, err
}
