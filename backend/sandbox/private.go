package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"fairlead/backend/leftover"
)

// lockSuffix is what the file that says a private folder is in use ends with. It lies
// beside the folder, where no command sees it.
const lockSuffix = ".lock"

// makeFolders makes the private folders and says that they are in use, until the returned
// file is closed.
func (p Place) makeFolders() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(p.Private), 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for commands: %w", err)
	}
	// First, so that nobody takes them for left ones; who deletes those of an earlier
	// start is waited for.
	held, err := leftover.Hold(p.Private+lockSuffix, true)
	if err != nil {
		return nil, fmt.Errorf("hold the private folder for commands: %w", err)
	}
	for _, dir := range []string{p.Private, p.temporaryFolder(), p.homeFolder(), p.cacheFolder()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			held.Close()
			return nil, fmt.Errorf("make a private folder for commands: %w", err)
		}
	}
	return held, nil
}

// remove deletes the private folders that held is about.
func (p Place) remove(held *os.File) error {
	// On some systems a file that is open cannot be deleted.
	err := RemoveAll(p.Private)
	if err != nil {
		err = fmt.Errorf("delete the private folder of commands: %w", err)
	}
	if runtime.GOOS == "windows" {
		return errors.Join(err, held.Close(), os.Remove(p.Private+lockSuffix))
	}
	return errors.Join(err, os.Remove(p.Private+lockSuffix), held.Close())
}

// RemoveAll deletes a folder with all that is in it; links in it are deleted, and what they lead to
// stays. What a program made unreadable for itself is made readable first.
func RemoveAll(dir string) error {
	err := os.RemoveAll(dir)
	if errors.Is(err, os.ErrPermission) {
		unlock(dir)
		err = os.RemoveAll(dir)
	}
	return err
}

// unlock gives the owner all rights on the folders below one.
func unlock(dir string) {
	root, err := os.OpenRoot(filepath.Dir(dir))
	if err != nil {
		return
	}
	defer root.Close()
	unlockIn(root, filepath.Base(dir))
}

func unlockIn(root *os.Root, name string) {
	if root.Chmod(name, 0o700) != nil {
		return
	}
	folder, err := root.Open(name)
	if err != nil {
		return
	}
	entries, err := folder.ReadDir(-1)
	folder.Close()
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			unlockIn(root, filepath.Join(name, e.Name()))
		}
	}
}

// Sweep deletes the private folders below dir that nobody uses any more: those of a
// Fairlead that was killed.
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for private folders of commands: %w", err)
	}
	var all error
	for _, e := range entries {
		if !e.IsDir() || strings.HasSuffix(e.Name(), lockSuffix) {
			continue
		}
		place := Place{Private: filepath.Join(dir, e.Name())}
		held, err := leftover.Hold(place.Private+lockSuffix, false)
		if err != nil {
			continue // it is in use
		}
		all = errors.Join(all, place.remove(held))
	}
	return all
}
