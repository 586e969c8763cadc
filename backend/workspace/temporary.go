package workspace

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
)

// temporaryPrefix and temporarySuffix mark the files that a write makes before
// they get their names.
const (
	temporaryPrefix = ".fairlead-"
	temporarySuffix = ".tmp"
)

// temporaryName returns a name for such a file that no other has.
func temporaryName() string { return temporaryPrefix + rand.Text() + temporarySuffix }

// ownTemporary says whether name is that of such a file, which nobody wants to
// see.
func ownTemporary(name string) bool {
	return strings.HasPrefix(name, temporaryPrefix) && strings.HasSuffix(name, temporarySuffix)
}

// MakeTemporary makes a new empty folder, for this person only, where the system
// keeps temporary files. Its name begins with prefix.
func MakeTemporary(prefix string) (dir string, err error) {
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", fmt.Errorf("make a temporary folder: %w", err)
	}
	return dir, nil
}
