package sandbox

import (
	"errors"
	"fmt"
	"os"
)

// make makes the private folders.
func (p Place) make() error {
	for _, dir := range []string{p.Private, p.temporary(), p.home(), p.cache()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make a private folder for commands: %w", err)
		}
	}
	return nil
}

// remove deletes them. What a command made unreadable for itself is made readable
// first.
func (p Place) remove() error {
	err := os.RemoveAll(p.Private)
	if errors.Is(err, os.ErrPermission) {
		unlock(p.Private)
		err = os.RemoveAll(p.Private)
	}
	if err != nil {
		return fmt.Errorf("delete the private folder of commands: %w", err)
	}
	return nil
}

// unlock gives the owner all rights on the folders below one.
func unlock(dir string) {
	if os.Chmod(dir, 0o700) != nil { //nolint:gosec // a folder needs to be entered
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			unlock(dir + string(os.PathSeparator) + e.Name())
		}
	}
}
