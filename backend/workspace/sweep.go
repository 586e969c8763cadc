package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// SweepOutputs deletes the output folders below dir that were last written to
// before the given time and belong to nothing: a crash left them behind. used says
// that the folder of a name is still of use.
func SweepOutputs(dir string, before time.Time, used func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sweep outputs: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.IsDir() || !info.ModTime().Before(before) || used(entry.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
			return fmt.Errorf("sweep outputs: %w", err)
		}
	}
	return nil
}
