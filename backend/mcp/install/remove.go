package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Remove deletes an install with all that is in it; links in it are deleted, and what they lead to
// stays. Its servers have ended.
func (i *Installer) Remove(ctx context.Context, name string) error {
	if !isInstallName(name) {
		return fmt.Errorf("remove an install: %s is not the name of one", shown(name))
	}
	turn, err := holdFor(ctx, filepath.Join(i.options.Dir, turnPrefix+name))
	if err != nil {
		return fmt.Errorf("remove the install %s: %w", name, err)
	}
	defer turn.release()
	s, err := i.newStage()
	if err != nil {
		return err
	}
	defer s.remove()
	// In one step, so that half of it is never started.
	if err := os.Rename(filepath.Join(i.options.Dir, name), filepath.Join(s.dir, "old")); err != nil {
		return fmt.Errorf("remove the install %s (end its servers first): %w", name, err)
	}
	return removeAll(s.dir)
}

// removeAll deletes a folder with all that is in it. What an install made unreadable for
// itself is made readable first.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if errors.Is(err, os.ErrPermission) {
		unlock(dir)
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return fmt.Errorf("delete an install: %w", err)
	}
	return nil
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
