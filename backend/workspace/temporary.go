package workspace

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"fairlead/backend/leftover"
)

// isTemporary reports whether an entry of the folder is such a file, of this process or of
// another one, or of one that was killed: it is on record. A file that only has such a
// name is the user's, or what somebody wants to hide.
func (f *Folder) isTemporary(local string) bool {
	if !leftover.IsTemporaryName(path.Base(local)) {
		return false
	}
	info, err := f.root.Lstat(filepath.FromSlash(local))
	return err == nil && f.record.Names(f.root, f.path, local, info)
}

// MakeTemporary makes a new empty folder, for this user only, where the system
// keeps temporary files. Its name begins with prefix.
func MakeTemporary(prefix string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	return dir, nil
}
