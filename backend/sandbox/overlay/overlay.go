// Package overlay keeps what a command wrote that worked on a copy of a folder: the upper
// layer of an overlay (overlayfs), whose lower one is the folder itself. Nothing in the
// folder changes until somebody applies it.
package overlay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The folders in that of a layer, which package supervisor knows by the same names, the file of
// its note, which was last written when the command began, and that of stamps.
const (
	upperName = "upper"
	workName  = "work"
	noteName  = "note"
	stampName = "stamp"
)

// Layer is what one command wrote.
type Layer struct {
	// Dir is the folder that it lies in.
	Dir string
	// Upper is what was written.
	Upper *os.Root
	// Since is a time of the file system, in nanoseconds since 1970: what changed in the
	// lower folder at that time or later changed after the layer was made.
	Since int64
}

// tick is the most time for which the clock of a file system may stand still: the kernel's own
// ticks, of which it has at least 100 a second (time(7), "The software clock, HZ, and jiffies").
const tick = 10 * time.Millisecond

// New makes an empty layer in a folder that does not exist yet. Begin is called before a command
// works on it.
func New(dir string) (_ *Layer, err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for copies: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for a copy: %w", err)
	}
	l := &Layer{Dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Remove())
		}
	}()
	for _, name := range []string{upperName, workName} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, fmt.Errorf("make the folder for a copy: %w", err)
		}
	}
	if l.Upper, err = os.OpenRoot(filepath.Join(dir, upperName)); err != nil {
		return nil, fmt.Errorf("open the folder for a copy: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, noteName), nil, 0o600); err != nil {
		return nil, fmt.Errorf("make the note of a copy: %w", err)
	}
	return l, nil
}

// Fit makes the top of the layer like the folder below, because it is what is seen of that.
func (l *Layer) Fit(lower *os.Root) error {
	if err := copyTop(l.Upper, lower); err != nil {
		return fmt.Errorf("prepare the folder for a copy: %w", err)
	}
	return nil
}

// Begin notes that a command begins to work on a copy of a folder now, to which the layer is fit.
// The note is what Note returns, and is not empty.
func (l *Layer) Begin(lower *os.Root, note []byte) (err error) {
	if err := l.Fit(lower); err != nil {
		return err
	}
	if l.Since, err = stamp(filepath.Join(l.Dir, noteName), note); err != nil {
		return fmt.Errorf("note when a copy begins: %w", err)
	}
	return nil
}

// Stamp returns a time of the file system that no change so far has, and all later ones have at
// least.
func (l *Layer) Stamp() (int64, error) {
	path := filepath.Join(l.Dir, stampName)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return 0, err
	}
	return stamp(path, []byte("stamp"))
}

// Note returns what was noted of the layer in a folder when a command began to work on it. The
// error is fs.ErrNotExist where none has.
func Note(dir string) ([]byte, error) {
	note, err := os.ReadFile(filepath.Join(dir, noteName))
	if err == nil && len(note) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("read the note of a copy: %w", err)
	}
	return note, nil
}

// SetNote replaces the note of the layer in a folder, which then counts as begun now.
func SetNote(dir string, note []byte) error {
	next := filepath.Join(dir, noteName+".next")
	file, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		_, err = file.Write(note)
		err = errors.Join(err, file.Sync(), file.Close())
	}
	if err == nil {
		err = os.Rename(next, filepath.Join(dir, noteName))
	}
	if err != nil {
		return fmt.Errorf("replace the note of a copy: %w", err)
	}
	return nil
}

// Renew prepares a layer to be mounted that may have been mounted before, and was not used: the
// kernel leaves a mark that it does not take again. Dir is the layer's folder, empty for none.
func Renew(dir string) error {
	if dir == "" {
		return nil
	}
	work := filepath.Join(dir, workName)
	entries, err := os.ReadDir(work)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Mkdir(work, 0o700) // the layer was settled
	}
	if err == nil && len(entries) > 0 {
		if err = RemoveAll(work); err == nil {
			err = os.Mkdir(work, 0o700)
		}
	}
	if err != nil {
		return fmt.Errorf("prepare the folder of a copy: %w", err)
	}
	return nil
}

// Open opens a layer that another process has made.
func Open(dir string) (*Layer, error) {
	info, err := os.Lstat(filepath.Join(dir, noteName))
	if err != nil {
		return nil, fmt.Errorf("read when a copy began: %w", err)
	}
	upper, err := os.OpenRoot(filepath.Join(dir, upperName))
	if errors.Is(err, fs.ErrPermission) {
		if _, err = (&Layer{Dir: dir}).Enter(); err == nil {
			upper, err = os.OpenRoot(filepath.Join(dir, upperName))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the folder of a copy: %w", err)
	}
	return &Layer{Dir: dir, Upper: upper, Since: changedAt(info)}, nil
}

// stamp writes a file whose time of change is then later than all changes so far: it is written
// again until the clock has gone on since it was written first.
func stamp(path string, content []byte) (int64, error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	first := int64(0)
	for until := ticked() + tick; ; {
		// What is written once that time has passed has another time, or the clock stands still.
		// The time can pass at any moment, between the writing and the look too.
		passed := ticked() > until
		// A kernel that tells one change from the next gives what was looked at another time.
		if _, err := file.WriteAt(content, 0); err != nil {
			return 0, err
		}
		info, err := file.Stat()
		if err != nil {
			return 0, err
		}
		switch now := changedAt(info); {
		case first == 0:
			first = now
		case now > first, passed:
			return now, nil
		default:
			<-time.After(tick / 10)
		}
	}
}

// Enter lets the top of the layer be looked at, and returns the mode that it has: a command may
// have taken all rights on the folder away.
func (l *Layer) Enter() (fs.FileMode, error) {
	path := filepath.Join(l.Dir, upperName)
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&0o700 != 0o700 {
		err = os.Chmod(path, 0o700) //nolint:gosec // a folder
	}
	if err != nil {
		return 0, fmt.Errorf("enter the folder of a copy: %w", err)
	}
	return info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky), nil
}

// Close lets go of the layer and leaves what was written.
func (l *Layer) Close() error {
	if l.Upper == nil {
		return nil
	}
	upper := l.Upper
	l.Upper = nil
	return upper.Close()
}

// Settle closes the layer, leaves what was written, and deletes what the file system needed
// beside it. Nobody may have it mounted, or mount it again.
func (l *Layer) Settle() error {
	if err := RemoveAll(filepath.Join(l.Dir, workName)); err != nil {
		return errors.Join(fmt.Errorf("delete what a copy needed: %w", err), l.Close())
	}
	return l.Close()
}

// Remove closes the layer and deletes it. Nobody may have it mounted.
func (l *Layer) Remove() error {
	err := l.Close()
	if err := RemoveAll(l.Dir); err != nil {
		return fmt.Errorf("delete a copy: %w", err)
	}
	return err
}

// RemoveAll is os.RemoveAll, for folders too that nobody may change or enter: a command may
// have made one, and the kernel leaves one of its own in each layer.
func RemoveAll(dir string) error {
	err := os.RemoveAll(dir)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			return os.Chmod(path, 0o700) //nolint:gosec // a folder that is about to go
		}
		return err
	})
	return os.RemoveAll(dir)
}
