package change

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"fairlead/backend/leftover"
)

// pair finds files that were moved: one went, and what came elsewhere is the same to the
// byte, the time and the mode. The file itself is moved then, with its other names.
func (l *layerLook) pair() error {
	type key struct {
		size, modified int64
		mode           fs.FileMode
	}
	gone := map[key][]int{}
	for i, c := range l.pending.Changes {
		if c.Before.Kind == File && c.After.Kind == None {
			k := key{c.Before.Size, c.Before.Modified, c.Before.Mode}
			gone[k] = append(gone[k], i)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	for i := range l.pending.Changes {
		c := &l.pending.Changes[i]
		if c.Before.Kind != None || c.After.Kind != File {
			continue
		}
		k := key{c.After.Size, c.After.Modified, c.After.Mode}
		for at, from := range gone[k] {
			was := &l.pending.Changes[from]
			if !was.Before.sameRest(c.After) {
				continue
			}
			same, err := l.equal(string(was.Path), string(c.Path), was.Before, c.After)
			if err != nil {
				return err
			}
			if same {
				l.names[c.After.Inode] = c.Path
				was.To, c.From, c.After = c.Path, was.Path, was.Before
				gone[k] = append(gone[k][:at], gone[k][at+1:]...)
				break
			}
		}
	}
	return nil
}

// equal reports whether a file in the folder below and one of the layer have the same content.
func (l *layerLook) equal(below, above string, wasBelow, isAbove State) (bool, error) {
	if wasBelow.Size != isAbove.Size {
		return false, nil
	}
	under, err := l.open(l.lower, below, wasBelow)
	if err != nil || under == nil {
		return false, err
	}
	defer func() { _ = under.Close() }()
	over, err := l.open(l.upper, above, isAbove)
	if err != nil || over == nil {
		return false, err
	}
	defer func() { _ = over.Close() }()
	return sameBytes(under, over)
}

// open opens a file that was seen; nil where it may not be read, or is another one by now.
func (l *layerLook) open(t *tree, local string, seen State) (*os.File, error) {
	at, err := t.spotOf(local)
	if err != nil {
		return nil, err
	}
	file, err := openSeen(at.dir, at.name, seen)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrChanged) {
		return nil, nil
	}
	return file, err
}

// sameBytes reports whether two files have the same content.
func sameBytes(a, b io.Reader) (bool, error) {
	one, other := buffers.Get().(*[bufferSize]byte), buffers.Get().(*[bufferSize]byte)
	defer buffers.Put(one)
	defer buffers.Put(other)
	for {
		n, errA := io.ReadFull(a, one[:])
		m, errB := io.ReadFull(b, other[:])
		if !bytes.Equal(one[:n], other[:m]) {
			return false, nil
		}
		ended := func(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
		switch {
		case ended(errA) && ended(errB):
			return true, nil
		case errA != nil:
			return false, errA
		case errB != nil:
			return false, errB
		}
	}
}

// findNames finds new names of files that are there under another one and are as they were, or
// were moved.
func (l *layerLook) findNames() {
	for i := range l.pending.Changes {
		c := &l.pending.Changes[i]
		if c.After.Kind == File && c.After.Links > 1 && c.From == "" && c.Op != Mode {
			c.Same = l.names[c.After.Inode]
		}
	}
}

// openTime is how long is waited for other programs to close files that are about to be
// replaced (SPEC PRE-04).
const openTime = 200 * time.Millisecond

// collide finds out which changes do not fit the folder.
func (l *layerLook) collide() error {
	until := time.Now().Add(openTime)
	for i, c := range l.pending.Changes {
		since := l.since(string(c.Path))
		changed := c.Before.Kind != None && c.Before.Changed >= since && c.Before.Changed != l.left(string(c.Path))
		meanwhile := changed || c.Before.Kind == None && l.wasThere(string(c.Path))
		if !meanwhile && c.Before.Kind == None && c.From == "" && l.copied[c.Path] {
			// It was moved here, or what it was copied from is no longer there.
			dir := path.Dir(string(c.Path))
			above, err := l.lower.lookFolder(dir)
			if err != nil {
				return err
			}
			meanwhile = above.Changed >= since || above.Kind == None && l.copied[leftover.Path(dir)]
		}
		switch {
		case meanwhile:
			l.pending.Collisions[i] = CollisionMeanwhile
		case needsKept(c) && c.Before.Kind == File && l.isOpen(c, until):
			l.pending.Collisions[i] = CollisionOpen
		}
	}
	return l.ctx.Err()
}

// isOpen reports whether another program has a file open for writing until then.
func (l *layerLook) isOpen(c Change, until time.Time) bool {
	file, err := l.open(l.lower, string(c.Path), c.Before)
	if err != nil || file == nil {
		return false
	}
	defer func() { _ = file.Close() }()
	for isWritten(file) {
		if time.Now().After(until) || l.ctx.Err() != nil {
			return true
		}
		<-time.After(openTime / 20)
	}
	return false
}
