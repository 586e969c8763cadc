package workspace

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"fairlead/backend/leftover"
)

// write is the content of one file on its way to its name.
type write struct {
	folder *Folder
	// in is the folder that the file lies in, and base its name.
	in   *dir
	base string
	mode fs.FileMode
	// created says that there is no such file yet.
	created bool
	content []byte
}

// putFile writes the content to a new file and gives that the name, at once: a reader
// has the old file or the whole new one. No other file is left when it fails, and where
// the process is killed, one that is left is on record.
func (w write) putFile() error {
	file, err := leftover.Unnamed(w.in.root, w.mode)
	if err != nil {
		return w.putNamed() // which fails for the same reason, or needs no such file
	}
	defer func() { _ = file.Close() }()
	if err := w.fillFile(file); err != nil {
		return err
	}
	if w.created {
		err = w.linkFile(file)
	} else {
		err = w.replaceFile(file)
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok && link.Op == "link" && !errors.Is(err, fs.ErrExist) {
		return w.putNamed()
	}
	return err
}

// fillFile writes the content.
func (w write) fillFile(file *os.File) error {
	_, err := file.Write(w.content)
	if err == nil && !w.created {
		// A file that was there keeps its mode whatever the umask.
		err = file.Chmod(w.mode)
	}
	return err
}

// linkFile gives a new file its name. It never has another, so it is never left.
func (w write) linkFile(file *os.File) error {
	err := file.Sync()
	if err == nil {
		err = leftover.Name(file, w.in.root, w.base)
	}
	if err == nil {
		syncFolder(w.in.root)
	}
	return err
}

// replaceFile puts a new file in the place of the one that is there. Files can be replaced by
// files with a name only, so it has one of its own for a moment, and is on record before.
// The record and the file are synced side by side, which takes hardly longer than one.
func (w write) replaceFile(file *os.File) error {
	temporary := temporaryName()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	thing := w.recordedThing(temporary)
	thing.Modified = info.ModTime()
	entry, err := w.folder.record.Add(thing)
	if err != nil {
		return err
	}
	defer entry.Gone()
	if err := entry.Found(info); err != nil {
		return err
	}
	recorded := make(chan error, 1)
	go func() { recorded <- w.folder.record.Sync() }()
	if err := errors.Join(file.Sync(), <-recorded); err != nil {
		return err
	}
	if err := leftover.Name(file, w.in.root, temporary); err != nil {
		return err
	}
	return w.renameFile(temporary)
}

// putNamed does the same by a file that has a name from the beginning.
func (w write) putNamed() (err error) {
	temporary := temporaryName()
	entry, err := w.folder.record.Add(w.recordedThing(temporary))
	if err != nil {
		return err
	}
	defer entry.Gone()
	if err := w.folder.record.Sync(); err != nil {
		return err
	}
	file, err := w.in.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, w.mode)
	if err != nil {
		return err
	}
	if info, statErr := file.Stat(); statErr == nil {
		err = entry.Found(info)
	}
	if err == nil {
		err = w.fillFile(file)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		_ = w.in.root.Remove(temporary)
		return err
	}
	return w.renameFile(temporary)
}

// recordedThing is the file as it is on record.
func (w write) recordedThing(temporary string) leftover.Thing {
	return leftover.Thing{
		Kind: leftover.File, Root: leftover.Path(w.folder.path), Name: leftover.Path(w.in.joinName(temporary)),
		Size: int64(len(w.content)), Since: time.Now(),
	}
}

// renameFile gives the file its name.
func (w write) renameFile(temporary string) error {
	if err := w.in.root.Rename(temporary, w.base); err != nil {
		_ = w.in.root.Remove(temporary)
		return err
	}
	syncFolder(w.in.root)
	return nil
}
