package install

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fairlead/backend/leftover"
	"fairlead/backend/sandbox"
)

const (
	// stagePrefix begins the names of folders that are not whole or about to go, and
	// turnPrefix those of files that one who makes or removes an install holds.
	stagePrefix, turnPrefix = ".new-", ".turn-"
	// heldSuffix ends the name of the file by which a stage is known to be in use.
	heldSuffix = ".lock"
)

// held is a file that nobody else holds.
type held struct {
	file *os.File
}

// release deletes the file and lets go of it.
func (h held) release() {
	// On some systems a file that is open cannot be deleted.
	if runtime.GOOS == "windows" {
		h.file.Close()
		_ = os.Remove(h.file.Name()) // the next one may have it
		return
	}
	_ = os.Remove(h.file.Name()) // what is left of it goes at the next sweep
	h.file.Close()
}

// holdFor holds the file of a path as soon as nobody else does.
func holdFor(ctx context.Context, path string) (held, error) {
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for faults := 0; ; {
		file, err := leftover.Hold(path, false)
		if err == nil {
			return held{file}, nil
		}
		if _, failed := errors.AsType[*os.PathError](err); failed {
			faults++
		}
		// Where it cannot be made nobody holds it. On Windows one that is being deleted cannot be
		// opened for a moment.
		if faults > 10 {
			return held{}, err
		}
		select {
		case <-ctx.Done():
			return held{}, context.Cause(ctx)
		case <-again.C:
		}
	}
}

// stage is a folder in which an install becomes whole.
type stage struct {
	// dir has the folder of the install and what npm keeps beside it for a while.
	dir  string
	held held
}

// newStage makes one that Sweep leaves alone as long as this process lives.
func (i *Installer) newStage() (*stage, error) {
	base, err := filepath.EvalSymlinks(i.options.Dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder of installed servers: %w", err)
	}
	s := &stage{dir: filepath.Join(base, stagePrefix+strings.ToLower(rand.Text()))}
	// First, so that nobody takes it for a left one.
	file, err := leftover.Hold(s.dir+heldSuffix, false)
	if err != nil {
		return nil, fmt.Errorf("hold a folder to install into: %w", err)
	}
	s.held = held{file}
	if err := os.MkdirAll(s.folder(), 0o700); err != nil {
		s.remove()
		return nil, fmt.Errorf("make a folder to install into: %w", err)
	}
	return s, nil
}

// folder is the one that becomes the install.
func (s *stage) folder() string { return filepath.Join(s.dir, "package") }

// write writes a file of the install.
func (s *stage) write(name string, content []byte) error {
	if err := os.WriteFile(filepath.Join(s.folder(), name), content, 0o600); err != nil {
		return fmt.Errorf("write %s for the install: %w", name, err)
	}
	return nil
}

// remove deletes what is left of the stage.
func (s *stage) remove() {
	_ = sandbox.RemoveAll(s.dir) // the next sweep tries again
	s.held.release()
}

// Sweep deletes what killed processes have left: installs that did not become whole, and those
// that were about to be removed.
func (i *Installer) Sweep() error {
	entries, err := os.ReadDir(i.options.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for unfinished installs: %w", err)
	}
	var all error
	for _, e := range entries {
		path := filepath.Join(i.options.Dir, e.Name())
		folder := strings.HasPrefix(e.Name(), stagePrefix) && !strings.HasSuffix(e.Name(), heldSuffix)
		lock := path
		if folder {
			lock += heldSuffix
		} else if !strings.HasPrefix(e.Name(), stagePrefix) && !strings.HasPrefix(e.Name(), turnPrefix) {
			continue
		}
		file, err := leftover.Hold(lock, false)
		if err != nil {
			continue // it is in use
		}
		if folder {
			all = errors.Join(all, sandbox.RemoveAll(path))
		}
		held{file}.release()
	}
	return all
}
