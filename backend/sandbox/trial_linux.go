package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend/sandbox/overlay"

	"golang.org/x/sys/unix"
)

// trialLine does what an overlay can refuse: it replaces a folder, renames another one and
// writes to a file, all of which lie in the lower layer.
const trialLine = "rm -r gone && mkdir gone && mv named renamed && echo new >>file && cat renamed/in"

// trialPrefix begins the name of a folder for a trial, and oldTrial is how old one is at least
// that a process has left which was killed.
const (
	trialPrefix = "trial-"
	oldTrial    = time.Hour
)

func removeOldTrials(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, trialPrefix+"*")) // the pattern is right
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > oldTrial {
			_ = overlay.RemoveAll(path) // the next trial tries again
		}
	}
}

// TryOverlay finds out by trying whether commands can work on a copy of a folder whose changes
// lie in dir. The error says what the system refuses.
func (s *System) TryOverlay(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder for a trial: %w", err)
	}
	removeOldTrials(dir)
	scratch, err := os.MkdirTemp(dir, trialPrefix)
	if err != nil {
		return fmt.Errorf("make a folder for a trial: %w", err)
	}
	defer func() { err = errors.Join(err, overlay.RemoveAll(scratch)) }()
	folder := filepath.Join(scratch, "folder")
	for _, name := range []string{"gone", "named"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
			return fmt.Errorf("fill the folder for a trial: %w", err)
		}
	}
	for _, name := range []string{"file", "gone/in", "named/in"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("old\n"), 0o600); err != nil {
			return fmt.Errorf("fill the folder for a trial: %w", err)
		}
	}
	lower, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("open the folder for a trial: %w", err)
	}
	defer func() { err = errors.Join(err, lower.Close()) }()
	layer, err := overlay.New(filepath.Join(scratch, "layer"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, layer.Close()) }()
	if err := layer.Begin(lower, []byte("trial")); err != nil {
		return err
	}
	if err := s.runTrial(ctx, scratch, folder, layer); err != nil {
		return err
	}
	if text, err := layer.Upper.ReadFile("file"); err != nil || string(text) != "old\nnew\n" {
		return errors.Join(errors.New("what a command wrote was not in its copy"), err)
	}
	err = unix.Renameat2(unix.AT_FDCWD, filepath.Join(layer.Dir, "upper", "file"), unix.AT_FDCWD, filepath.Join(folder, "file"), unix.RENAME_EXCHANGE)
	if err != nil {
		return fmt.Errorf("exchange two files: %w", err)
	}
	return nil
}

func (s *System) runTrial(ctx context.Context, scratch, folder string, layer *overlay.Layer) (err error) {
	space, err := s.Open(Place{Workspace: folder, Private: filepath.Join(scratch, "private")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, space.Close()) }()
	read, write, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make a pipe: %w", err)
	}
	defer read.Close()
	p, err := space.Start(Command{
		Line: trialLine, Dir: folder, Env: space.Environment([]string{"PATH=" + os.Getenv("PATH")}), Overlay: layer.Dir,
	}, write)
	write.Close()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, p.Kill)
	defer stop()
	said, _ := io.ReadAll(read) // it is shown only where the command failed
	<-p.Done()
	switch code, _, err := p.Result(); {
	case err != nil:
		return err
	case code != 0 || string(said) != "old\n":
		return fmt.Errorf("a command in a copy of a folder failed with code %d: %s", code, bytes.TrimSpace(said))
	}
	return nil
}
