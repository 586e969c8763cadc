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

// toSync opens a file to be synced: the system flushes only what can be written.
const toSync = os.O_RDWR

// addIdentity adds nothing: the description of a file does not hold it.
func (s *State) addIdentity(fs.FileInfo) {}

// identifyAt adds what the system tells of what lies at a path only where it is opened. Where
// that fails it is not known.
func (s *State) identifyAt(path string) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return
	}
	handle, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return
	}
	s.identify(handle)
	_ = windows.CloseHandle(handle)
}

// identifyOpened adds it of what is opened.
func (s *State) identifyOpened(opened *os.File) { s.identify(windows.Handle(opened.Fd())) }

func (s *State) identify(handle windows.Handle) {
	var file windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(handle, &file) != nil {
		return
	}
	basic, err := readBasic(handle)
	if err != nil {
		return
	}
	s.Inode = uint64(file.FileIndexHigh)<<32 | uint64(file.FileIndexLow)
	s.Links = uint64(file.NumberOfLinks)
	s.Changed = (basic.changed - since1970) * 100
}

// basicInformation is FILE_BASIC_INFO. Its times are in tenths of a microsecond since 1601.
type basicInformation struct {
	created, accessed, written, changed int64
	attributes, _                       uint32
}

// since1970 is 1970 as such a time.
const since1970 = 116444736000000000

// setTime sets when an entry changed.
func setTime(at spot, modified int64) error {
	return at.dir.Chtimes(at.name, time.Time{}, time.Unix(0, modified))
}

// setOwner is left to the system.
func setOwner(spot, uint32, uint32) error { return nil }

// setMode sets whether an entry can be written.
func setMode(at spot, mode uint32) error { return at.dir.Chmod(at.name, os.FileMode(mode)&fs.ModePerm) }

// syncFolder is left to the system, which flushes no folder that is opened to be read, and
// writes changes of names to its journal before they count.
func syncFolder(*os.File) error { return nil }

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
