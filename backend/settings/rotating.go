package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// rotating is a file that is written at its end. Before it grows beyond limit it is set
// aside, as path.1, and a new one is begun; those that were set aside before count on, up
// to kept. It is safe for concurrent use, and other processes may write to the same path.
//
// The libraries for this compress what they set aside, and make the tables for that in
// every start.
type rotating struct {
	path  string
	limit int64
	kept  int

	mu   sync.Mutex
	file *os.File
	size int64
}

// openRotating opens or makes the file, for this user only.
func openRotating(path string, limit int64, kept int) (*rotating, error) {
	r := &rotating{path: path, limit: limit, kept: kept}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *rotating) open() error {
	file, err := openEnd(r.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	r.file, r.size = file, info.Size()
	return nil
}

// Write implements io.Writer. What is written at once stays in one file.
func (r *rotating) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size > 0 && r.size+int64(len(text)) > r.limit {
		if err := r.rotateFile(); err != nil {
			return 0, err
		}
	}
	n, err := r.file.Write(text)
	r.size += int64(n)
	return n, err
}

// Close implements io.Closer. It can be called again.
func (r *rotating) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.file.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// rotateFile sets the file aside, unless another process has done so, and goes on with the
// one that is at the path then. Where it cannot be set aside it grows on: a log that is
// too long is better than none.
func (r *rotating) rotateFile() error {
	// Where the rotation before could open no other file, this one is closed already.
	here, gone := r.file.Stat()
	_ = r.file.Close() // Windows renames no open file
	if there, err := os.Stat(r.path); gone == nil && err == nil && os.SameFile(here, there) {
		for n := r.kept - 1; n > 0; n-- {
			if err := os.Rename(r.asidePath(n), r.asidePath(n+1)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		_ = os.Rename(r.path, r.asidePath(1))
	}
	return r.open()
}

func (r *rotating) asidePath(n int) string { return fmt.Sprintf("%s.%d", r.path, n) }
