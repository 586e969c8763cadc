package workspace

import (
	"errors"
	"io/fs"
	"os"
)

// Identity names the folder wherever it is moved on its file system: by device, inode and the
// time at which it was made, because inodes are used again. Empty where the system does not
// tell all three.
func (f *Folder) Identity() string { return identityOf(f.path) }

// IsGone reports whether there is nothing at a path any more.
func IsGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
