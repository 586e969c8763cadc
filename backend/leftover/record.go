// Package leftover takes away what a killed process has left outside Fairlead's own
// folders. A process keeps a record of what it has made elsewhere for a while, such as a
// file that is about to replace another: what is on record was there before the thing was,
// and is locked as long as the process lives. The next start takes away what the records
// of dead processes name, if it still is what they say (Sweep).
package leftover

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Record is what this process has made elsewhere and is to take away. It is safe for
// concurrent use. Nothing is recorded by one that is nil.
type Record struct {
	// dir is where the records of all processes lie.
	dir string

	mu sync.Mutex
	// file is this process's record, which it holds; nil before the first entry. Each
	// entry has a slot in it, a line that ends with a line feed.
	file *os.File
	// entries are the entries by their slots, nil for one that is free.
	entries []*Entry

	// syncing lets one caller at a time make the file itself lasting.
	syncing sync.Mutex
	lasting bool
}

// slotSize is that of a slot in bytes. It takes the longest paths that there are, however
// many of their bytes have to be escaped.
const slotSize = 32 << 10

// New returns the record of this process in a folder of records, which is made when it
// is needed.
func New(dir string) *Record { return &Record{dir: dir} }

// Entry is something on record. An entry that is nil is not on any.
type Entry struct {
	record *Record
	slot   int
	thing  Thing
	// length is that of its line, in bytes.
	length int
}

// Add puts something on record. It is there when the process is killed; after Sync it is
// after a power cut, too.
func (r *Record) Add(t Thing) (*Entry, error) {
	if r == nil {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(); err != nil {
		return nil, fmt.Errorf("record what is made in %s: %w", t.Root, err)
	}
	e := &Entry{record: r, slot: slices.Index(r.entries, nil), thing: t}
	if e.slot < 0 {
		e.slot = len(r.entries)
		r.entries = append(r.entries, nil)
	}
	if err := e.write(); err != nil {
		return nil, fmt.Errorf("record what is made in %s: %w", t.Root, err)
	}
	r.entries[e.slot] = e
	return e, nil
}

// open makes the record's file. The caller holds the lock.
func (r *Record) open() (err error) {
	if r.file != nil {
		return nil
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	r.file, err = Hold(filepath.Join(r.dir, rand.Text()), true)
	return err
}

// write writes the entry into its slot: a line, and an empty one. The caller holds the
// record's lock.
func (e *Entry) write() error {
	line, err := json.Marshal(e.thing)
	if err != nil {
		return err
	}
	if len(line)+inodeSize >= slotSize {
		return errors.New("its path is too long")
	}
	e.length = len(line) + 1
	_, err = e.record.file.WriteAt(append(line, '\n', '\n'), e.fileOffset())
	return err
}

// fileOffset is where the entry begins in the record's file.
func (e *Entry) fileOffset() int64 { return int64(e.slot) * slotSize }

// inodeSize is the most that the line of an inode takes, in bytes.
const inodeSize = 50

// inodeLine is what stands in the line after that of a thing once it is made: twice, so
// that half of a number is not taken for one. The line of the thing stays as it is, because
// others read it at any time.
func inodeLine(inode uint64) string { return fmt.Sprintf("%d %d\n", inode, inode) }

// parseInode reads that line; 0 where it was not written, or not wholly.
func parseInode(line string) (inode uint64) {
	var again uint64
	if n, err := fmt.Sscanf(line, "%d %d\n", &inode, &again); n != 2 || err != nil || inode != again {
		return 0
	}
	return inode
}

// filePath is where the record's file lies; empty before the first entry.
func (r *Record) filePath() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return ""
	}
	return r.file.Name()
}

// Found notes which file or folder was made.
func (e *Entry) Found(info os.FileInfo) error {
	if e == nil {
		return nil
	}
	e.record.mu.Lock()
	defer e.record.mu.Unlock()
	_, err := e.record.file.WriteAt([]byte(inodeLine(inodeOf(info))), e.fileOffset()+int64(e.length))
	return err
}

// Gone takes an entry off the record: what it names was taken away, or is no longer to be.
func (e *Entry) Gone() {
	if e == nil {
		return
	}
	r := e.record
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.entries[e.slot] == e {
		r.entries[e.slot] = nil
		// What is on record too long does no harm: it is gone, or another by now.
		_, _ = r.file.WriteAt([]byte{'\n'}, int64(e.slot)*slotSize)
	}
}

// Names reports whether what lies at name in root, which path leads to and info describes,
// is on record, on that of another process too.
func (r *Record) Names(root *os.Root, path, name string, info fs.FileInfo) bool {
	if r == nil {
		return false
	}
	whole := filepath.Join(path, name)
	named := false
	// Of records that cannot be read nothing is known, and nothing is hidden.
	_ = eachRecord(r.dir, false, func(_ *os.File, _ bool, things []Thing) error {
		named = named || slices.ContainsFunc(things, func(t Thing) bool { return t.absolutePath() == whole && t.withName(name).matchesFile(root, info) })
		return nil
	})
	return named
}

// Sync makes the entries so far survive a power cut.
func (r *Record) Sync() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	file := r.file
	r.mu.Unlock()
	if file == nil {
		return nil
	}
	if err := r.syncFile(file); err != nil {
		return fmt.Errorf("keep the record of what is made elsewhere: %w", err)
	}
	return nil
}

// syncFile makes what is in the record's file survive a power cut, and once its name.
func (r *Record) syncFile(file *os.File) error {
	r.syncing.Lock()
	defer r.syncing.Unlock()
	if r.lasting {
		return syncContent(file)
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if dir, err := os.Open(r.dir); err == nil {
		_ = dir.Sync() // where folders cannot be synced, the system does it in its own time
		_ = dir.Close()
	}
	r.lasting = true
	return nil
}

// Close ends the record. What is still on it stays there, for the next start.
func (r *Record) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	file := r.file
	r.file = nil
	if slices.ContainsFunc(r.entries, func(e *Entry) bool { return e != nil }) {
		return file.Close()
	}
	return dropRecord(file)
}
