package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/adrg/xdg"
)

// Folders are where Fairlead keeps its own files. On some systems, and with a
// data folder given, they are one and the same, so names inside must not clash.
type Folders struct {
	// Config holds the settings file.
	Config string
	// Data holds conversations and full outputs.
	Data string
	// State holds the log and what the window remembers.
	State string
}

// reload keeps two callers from changing xdg's package variables at once.
var reload sync.Mutex

// FindFolders returns the folders of this user, by the XDG rules and their
// likes on other systems, or dataDir for all three where it is given. It creates
// none of them.
func FindFolders(dataDir string) (Folders, error) {
	if dataDir != "" {
		dir, err := filepath.Abs(dataDir)
		if err != nil {
			return Folders{}, fmt.Errorf("find data folder %s: %w", dataDir, err)
		}
		return Folders{Config: dir, Data: dir, State: dir}, nil
	}
	// Without a home xdg would answer with folders below the root.
	if _, err := os.UserHomeDir(); err != nil {
		return Folders{}, fmt.Errorf("find home folder: %w; set it or give --data-dir", err)
	}
	reload.Lock()
	defer reload.Unlock()
	// xdg reads the environment once at start; it may have changed since.
	xdg.Reload()
	return Folders{
		Config: filepath.Join(xdg.ConfigHome, "fairlead"),
		Data:   filepath.Join(xdg.DataHome, "fairlead"),
		State:  filepath.Join(xdg.StateHome, "fairlead"),
	}, nil
}

// MakeFolder creates one of the folders, or one inside, for this user only.
// One that exists is left as it is.
func MakeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create folder: %w; choose another one with --data-dir", err)
	}
	return nil
}
