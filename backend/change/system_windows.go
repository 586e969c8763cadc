package change

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// noWait is nothing: no file is waited for.
const noWait = 0

// addIdentity adds nothing: the description of a file does not hold it.
func (s *State) addIdentity(fs.FileInfo) {}

// setTime sets when an entry changed.
func setTime(at spot, modified int64) error {
	return at.dir.Chtimes(at.name, time.Time{}, time.Unix(0, modified))
}

// setOwner is left to the system.
func setOwner(spot, uint32, uint32) error { return nil }

// setMode sets whether an entry can be written.
func setMode(at spot, mode uint32) error { return at.dir.Chmod(at.name, os.FileMode(mode)&fs.ModePerm) }

// sameFileSystem is not asked: nothing can be moved at once without replacing something.
func sameFileSystem(_, _ *os.File) (bool, error) { return false, nil }

// isNotEmpty reports whether a folder was not removed because something is in it.
func isNotEmpty(err error) bool { return errors.Is(err, windows.ERROR_DIR_NOT_EMPTY) }

// isFull reports whether the disk took nothing more.
func isFull(err error) bool { return errors.Is(err, windows.ERROR_DISK_FULL) }

// isFault reports whether the disk failed, or took nothing more.
func isFault(err error) bool { return errors.Is(err, windows.ERROR_IO_DEVICE) || isFull(err) }

// linkName is not done: what is kept lies elsewhere.
func linkName(_, _ spot) error { return errFar }

// allocatedBytes is how much a file takes on the disk.
func allocatedBytes(info fs.FileInfo) int64 { return info.Size() }

// freeSpace is how much a user may still write where a folder lies, in bytes.
func freeSpace(dir string) (int64, bool) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(free), true
}
