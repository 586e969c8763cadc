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
// before the given time: a crash left them behind.
func SweepOutputs(dir string, before time.Time) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sweep outputs: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.IsDir() || !info.ModTime().Before(before) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
			return fmt.Errorf("sweep outputs: %w", err)
		}
	}
	return nil
}
