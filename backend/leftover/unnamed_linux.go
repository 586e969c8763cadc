package leftover

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Unnamed opens a new file in a folder that has no name yet, and that nobody has to take
// away. Not every file system has such files.
func Unnamed(dir *os.Root, mode os.FileMode) (*os.File, error) {
	return dir.OpenFile(".", unix.O_TMPFILE|os.O_RDWR, mode)
}

// Name gives a file without a name one in a folder of its file system. It fails with fs.ErrExist where
// there is something of that name.
func Name(file *os.File, dir *os.Root, name string) error {
	folder, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	// The other way to name a descriptor takes a right that users do not have.
	err = unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", file.Fd()), int(folder.Fd()), name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: "a new file", New: name, Err: err}
	}
	return nil
}
