package workspace

import (
	"fmt"
	"os"
)

// MakeTemporary makes a new empty folder, for this person only, where the system
// keeps temporary files. Its name begins with prefix.
func MakeTemporary(prefix string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	return dir, nil
}
