package change

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"unicode/utf8"
)

// maxText is how long a text is at most of which a copy is kept when it was written, in
// bytes, and maxTexts how long all of one set are together.
const (
	maxText  = 1 << 20
	maxTexts = 20 << 20
)

// IsText reports whether a content is a text that can be shown and merged by lines.
func IsText(content []byte) bool {
	return utf8.Valid(content) && bytes.IndexByte(content, 0) < 0
}

// nameCopies chooses of which texts copies are kept, before the set is saved. What an undo puts
// back is no longer among the objects, so it is copied too: a change is shown whatever becomes
// of its path (SPEC CHG-06).
func (w *work) nameCopies() {
	left := maxTexts
	for i := range w.set.Changes {
		content := w.jobs[i].source.content
		if w.jobs[i].inLayer {
			content = w.jobs[i].shown
		}
		if object := w.jobs[i].source.object; object != "" && w.set.Source == ByUndo && w.set.Changes[i].After.Size <= int64(min(left, maxText)) {
			content, _ = w.Objects.read(object) // what cannot be read cannot be shown later either
			w.jobs[i].shown = content
		}
		if content != nil && len(content) <= min(left, maxText) && IsText(content) {
			c := &w.set.Changes[i]
			c.Copy, c.CopyAt = afterName(w.set.ID), piece{int64(maxTexts - left), int64(len(content)), true}
			left -= len(content)
		}
	}
}

// textsToCopy returns the texts that copies are kept of, by where these go, of the changes that
// were made.
func (w *work) textsToCopy() map[piece][]byte {
	texts := map[piece][]byte{}
	for i := range w.jobs {
		c := &w.set.Changes[i]
		switch {
		case c.Copy == "":
		case w.jobs[i].done:
			texts[c.CopyAt] = w.jobs[i].textAfter()
		default:
			c.Copy, c.CopyAt = "", piece{}
		}
	}
	return texts
}

// copyTexts makes one object of texts: some file systems take long to make many. They are shown
// only, so that it need not survive a power cut.
func (o *Objects) copyTexts(name string, texts map[piece][]byte) error {
	if len(texts) == 0 {
		return nil
	}
	file, err := o.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	for at, text := range texts {
		if _, err := file.WriteAt(text, at.Offset); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return file.Close()
}

// readCopy returns the copy of what was there after a change; nil where there is none.
func (o *Objects) readCopy(c Change) ([]byte, error) {
	if !c.CopyAt.There {
		return o.read(c.Copy)
	}
	if err := o.open(); err != nil {
		return nil, err
	}
	file, err := o.root.Open(c.Copy)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text := make([]byte, c.CopyAt.Size)
	if _, err := file.ReadAt(text, c.CopyAt.Offset); errors.Is(err, io.EOF) {
		return nil, nil // it was not written to its end
	} else if err != nil {
		return nil, err
	}
	if !IsText(text) {
		return nil, nil // nor was this part, though one after it
	}
	return text, nil
}

// textAfter is the text that is there after a change.
func (j job) textAfter() []byte {
	if j.source.content != nil {
		return j.source.content
	}
	return j.shown
}

// afterName is that of the object with the copies of what was there after a set.
func afterName(set string) string { return set + "-after" }

// write makes an object of a content. It need not survive a power cut.
func (o *Objects) write(name string, content []byte) error {
	file, err := o.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// read returns the content of an object that is a text; nil where it is none, or too long.
func (o *Objects) read(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	if err := o.open(); err != nil {
		return nil, err
	}
	return readText(o.root, name)
}

// readText returns the content of a file that is a text; nil where it is none, or too long,
// or not there.
func readText(dir *os.Root, name string) ([]byte, error) {
	seen, err := lookAt(dir, name)
	if err != nil || seen.Kind != File || seen.Size > maxText {
		return nil, err
	}
	file, err := openSeen(dir, name, seen)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxText))
	if err != nil || !IsText(content) {
		return nil, err
	}
	if content == nil {
		content = []byte{}
	}
	return content, nil
}

// Texts returns what a file was before a change and after it. One that was not there is
// empty. ok reports whether both are known, and texts.
func (r *Recorder) Texts(sets []Set, set *Set, index int) (before, after []byte, ok bool, err error) {
	c := set.Changes[index]
	if before, err = r.textBefore(sets, set, c); err != nil {
		return nil, nil, false, err
	}
	if after, err = r.textAfter(sets, set, c); err != nil {
		return nil, nil, false, err
	}
	return before, after, before != nil && after != nil, nil
}

func (r *Recorder) textBefore(sets []Set, set *Set, c Change) ([]byte, error) {
	switch {
	case c.Before.Kind == None:
		return []byte{}, nil
	case c.Before.Kind != File:
		return nil, nil
	case c.Kept != "":
		return r.Objects.read(c.Kept)
	case c.Below:
		return r.textBelow(c)
	case c.Undone: // it was put back
		return r.textSince(sets, set, c, c.Before)
	}
	return nil, nil
}

func (r *Recorder) textAfter(sets []Set, set *Set, c Change) ([]byte, error) {
	switch {
	case c.After.Kind == None:
		return []byte{}, nil
	case c.After.Kind != File:
		return nil, nil
	case c.Copy != "":
		return r.Objects.readCopy(c)
	}
	return r.textSince(sets, set, c, c.After)
}

// textSince returns a text that has lain at the path of a change since then: later sets replaced
// it or put it there, or it lies there still.
func (r *Recorder) textSince(sets []Set, set *Set, c Change, wanted State) ([]byte, error) {
	at := slices.IndexFunc(sets, func(s Set) bool { return s.ID == set.ID })
	for i := at + 1; at >= 0 && i < len(sets); i++ {
		for _, later := range sets[i].Changes {
			if later.Path != c.Path {
				continue
			}
			if later.Kept != "" && later.Before.sameContent(wanted) {
				return r.Objects.read(later.Kept)
			}
			if later.Copy != "" && later.After.sameContent(wanted) {
				return r.Objects.readCopy(later)
			}
		}
	}
	return r.textThere(c, wanted)
}

// textThere returns the text that lies at a path, if it is what is wanted.
func (r *Recorder) textThere(c Change, wanted State) ([]byte, error) {
	t, err := newTree(r.top()...)
	if err != nil {
		return nil, err
	}
	defer t.close()
	now, err := t.look(string(c.Path))
	if err != nil {
		return nil, err
	}
	if is, err := t.holds(string(c.Path), &now, wanted); err != nil || !is {
		return nil, err
	}
	at, err := t.spotOf(string(c.Path))
	if err != nil {
		return nil, err
	}
	return readText(at.dir, at.name)
}
