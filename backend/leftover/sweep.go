package leftover

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// exclusiveName is a file among the records whose holder alone looks through those of
// others. No record has that name.
const exclusiveName = "exclusive"

// Sweep takes away what processes that were killed have left in a folder, an absolute path
// without links, and what they left of scenes. dir is where the records lie. What belongs
// to other folders stays on record until those are swept: they may not be reachable now.
func Sweep(dir, folder string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	err := withFolderLocked(dir, func() error {
		return eachRecord(dir, true, func(file *os.File, held bool, things []Thing) error {
			if !held {
				return nil
			}
			return sweepRecord(dir, folder, file, things)
		})
	})
	if err != nil {
		return fmt.Errorf("take away what an earlier start left: %w", err)
	}
	return nil
}

// sweepRecord takes away what the record of a dead process names, and the record once nothing
// is left of that.
func sweepRecord(dir, folder string, file *os.File, things []Thing) error {
	var all error
	var left []Thing
	// What is in a folder goes before it.
	slices.SortStableFunc(things, func(a, b Thing) int { return len(b.Name) - len(a.Name) })
	for _, t := range things {
		if t.Kind != Scene && !isWithin(string(t.Root), folder) && !isWithin(folder, string(t.Root)) {
			left = append(left, t)
			continue
		}
		if shared, err := inUse(dir, file.Name(), t); err != nil || shared {
			all = errors.Join(all, err)
			continue // who lives and uses it takes it away
		}
		if err := t.remove(); err != nil {
			all = errors.Join(all, err)
			left = append(left, t)
		}
	}
	if len(left) == 0 {
		return errors.Join(all, dropRecord(file))
	}
	return errors.Join(all, rewriteRecord(file, left), file.Close())
}

// rewriteRecord makes things all that a record names.
func rewriteRecord(file *os.File, things []Thing) error {
	for i, t := range things {
		line, err := json.Marshal(t)
		if err == nil {
			_, err = file.WriteAt(append(line, '\n', '\n'), int64(i)*slotSize)
		}
		if err != nil {
			return err
		}
	}
	return file.Truncate(int64(len(things)) * slotSize)
}

// isWithin reports whether a path is dir or lies below it.
func isWithin(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// inUse reports whether a process that lives has the same thing on a record, other than
// the one that the caller holds. The caller is the only one who looks.
func inUse(dir, own string, t Thing) (found bool, err error) {
	err = eachRecord(dir, true, func(file *os.File, held bool, things []Thing) error {
		found = found || !held && file.Name() != own && slices.ContainsFunc(things, func(other Thing) bool {
			return other.absolutePath() == t.absolutePath() && other.Inode == t.Inode
		})
		return nil
	})
	return found, err
}

// eachRecord calls do for each record with what it names. With hold, those of dead
// processes are held, and no others; the caller must be the only one who looks.
func eachRecord(dir string, hold bool, do func(file *os.File, held bool, things []Thing) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var all error
	for _, e := range entries {
		if e.Name() == exclusiveName {
			continue
		}
		path := filepath.Join(dir, e.Name())
		var file *os.File
		err := errors.ErrUnsupported
		if hold {
			file, err = Hold(path, false)
		}
		held := err == nil
		if !held {
			if file, err = os.Open(path); err != nil {
				continue // its process has ended just now, and deleted it
			}
		}
		things, err := read(file)
		if err == nil {
			err = do(file, held, things)
		}
		_ = file.Close() // it was read
		all = errors.Join(all, err)
	}
	return all
}

// read returns what a record names.
func read(file *os.File) ([]Thing, error) {
	var things []Thing
	for slot := int64(0); ; slot++ {
		lines := bufio.NewReader(io.NewSectionReader(file, slot*slotSize, slotSize))
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return things, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		var t Thing
		// A slot that is free, or was being written, names nothing: what it was to name
		// was not made yet.
		if json.Unmarshal(bytes.TrimSpace(line), &t) != nil {
			continue
		}
		if t.Inode == 0 {
			second, _ := lines.ReadString('\n') // where it cannot be read the inode is not known
			t.Inode = parseInode(second)
		}
		things = append(things, t)
	}
}

// dropRecord deletes a record and lets go of it.
func dropRecord(file *os.File) error {
	// On some systems a file that is open cannot be deleted.
	if runtime.GOOS == "windows" {
		return errors.Join(file.Close(), os.Remove(file.Name()))
	}
	return errors.Join(os.Remove(file.Name()), file.Close())
}

// patience is how long another process may look through the records. One that is stopped
// meanwhile, or waits for a drive that is gone, must not stop the others.
const patience = 2 * time.Second

// errBusy says that another process has looked through the records for that long.
var errBusy = errors.New("another Fairlead does not answer")

// withFolderLocked calls do while nobody else looks through the records.
func withFolderLocked(dir string, do func() error) error {
	for late := time.Now().Add(patience); ; <-time.After(time.Millisecond) {
		lock, err := Hold(filepath.Join(dir, exclusiveName), false)
		if err == nil {
			return errors.Join(do(), lock.Close())
		}
		if _, ok := errors.AsType[*fs.PathError](err); ok {
			return err // nobody can look
		}
		if time.Now().After(late) {
			return fmt.Errorf("%w: %w", errBusy, err)
		}
	}
}
