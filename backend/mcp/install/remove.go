package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"fairlead/backend/sandbox"
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
	if err := sandbox.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("remove the install %s: %w", name, err)
	}
	return nil
}
