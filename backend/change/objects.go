package change

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"fairlead/backend/sandbox/overlay"
)

// Objects keeps what was in a conversation's folder before, in a folder of its own where
// only the user may look. An object is a file or a link with all that belongs to it: what
// was replaced or deleted itself, where it could be moved there, or a copy.
type Objects struct {
	dir string

	mu   sync.Mutex
	root *os.Root
	// handle is the folder, opened to be named to the system.
	handle *os.File
}

// OpenObjects returns the objects that lie in a folder, which is made when there is
// something to keep.
func OpenObjects(dir string) *Objects { return &Objects{dir: dir} }

// copiesName is the folder among the objects in which the layers of commands lie.
const copiesName = "copies"

func (o *Objects) copies() string { return filepath.Join(o.dir, copiesName) }

// open makes the folder.
func (o *Objects) open() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.root != nil {
		return nil
	}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder for what was changed: %w", err)
	}
	root, err := os.OpenRoot(o.dir)
	if err != nil {
		return fmt.Errorf("open the folder for what was changed: %w", err)
	}
	if o.handle, err = root.Open("."); err != nil {
		return errors.Join(fmt.Errorf("open the folder for what was changed: %w", err), root.Close())
	}
	o.root = root
	return nil
}

// exist reports whether there is a folder of objects.
func (o *Objects) exist() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.root != nil {
		return true
	}
	_, err := os.Lstat(o.dir)
	return err == nil
}

// Close closes the folder; one that keeps nothing goes. No call may follow.
func (o *Objects) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var err error
	if o.root != nil {
		err = errors.Join(o.handle.Close(), o.root.Close())
		o.root = nil
	}
	_ = os.Remove(o.copies()) // it is not removed if there is something in it
	_ = os.Remove(o.dir)
	if err != nil {
		return fmt.Errorf("close the folder for what was changed: %w", err)
	}
	return nil
}

// Remove deletes the folder with all objects and closes it, and all layers. No call may follow.
func (o *Objects) Remove() error {
	if err := errors.Join(o.Close(), overlay.RemoveAll(o.dir)); err != nil {
		return fmt.Errorf("delete what was changed: %w", err)
	}
	return nil
}

// spot is the place of an object.
func (o *Objects) spot(name string) spot { return spot{o.root, o.handle, name} }

// look returns what an object is; nothing for none.
func (o *Objects) look(name string) (State, error) {
	if err := o.open(); err != nil {
		return State{}, err
	}
	return o.spot(name).look()
}

// glance is look without attributes.
func (o *Objects) glance(name string) (State, error) {
	if err := o.open(); err != nil {
		return State{}, err
	}
	return lookAt(o.root, name)
}

// sum returns the sum of an object's content.
func (o *Objects) sum(name string) (string, error) {
	seen, err := o.glance(name)
	if err != nil {
		return "", err
	}
	return sumAt(o.root, name, seen)
}

// drop deletes an object that is no longer needed, if it is there.
func (o *Objects) drop(name string) error {
	if name == "" {
		return nil
	}
	if err := o.open(); err != nil {
		return err
	}
	if err := o.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete what was kept: %w", err)
	}
	return nil
}

// copyIn makes an object of what lies at a place, and returns what that was, with its sum.
// The object survives a power cut.
func (o *Objects) copyIn(name string, from spot, seen State) (State, error) {
	if err := o.drop(name); err != nil { // of an attempt that was cut off
		return State{}, err
	}
	return copyEntry(o.spot(name), from, seen, func(fs.FileInfo) error { return nil })
}

// linkIn makes an object another name of a file, where the file system does that; else it
// stays as it is.
func (o *Objects) linkIn(name string, from spot) {
	linked := name + ".link"
	if linkName(from, o.spot(linked)) == nil {
		_ = o.root.Rename(linked, name) // it is the copy otherwise
		_ = o.drop(linked)
	}
}

// copyEntry copies a file or a link with all that belongs to it to a place where nothing
// lies, and returns what was copied, with its sum. The copy survives a power cut once its
// folder is synced. made is told what was made, before there is anything in it.
func copyEntry(to, from spot, seen State, made func(fs.FileInfo) error) (State, error) {
	if seen.Kind == Link {
		if err := to.dir.Symlink(string(seen.Target), to.name); err != nil {
			return State{}, err
		}
		info, err := to.dir.Lstat(to.name)
		if err == nil {
			err = made(info)
		}
		if err == nil {
			err = to.setRest(seen)
		}
		return seen, err
	}
	source, err := openSeen(from.dir, from.name, seen)
	if err != nil {
		return State{}, err
	}
	defer func() { _ = source.Close() }()
	file, err := to.dir.OpenFile(to.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return State{}, err
	}
	info, err := file.Stat()
	if err == nil {
		err = made(info)
	}
	if err == nil {
		err = copyContent(file, source)
	}
	if err == nil {
		err = to.setRest(seen)
	}
	if err == nil && seen.Size <= maxSummed {
		seen.Sum, err = sumFile(file)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		_ = to.dir.Remove(to.name)
		return State{}, err
	}
	return seen, nil
}

// copyContent copies the content of a file, or shares it where the file system does that.
func copyContent(to, from *os.File) error {
	if cloneFile(to, from) == nil {
		return nil
	}
	_, err := io.Copy(to, from)
	return err
}
