package runnable

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Open opens a program to be run.
func Open(path string) (*os.File, error) {
	if own, err := os.Executable(); err == nil && own == path {
		path = "/proc/self/exe" // the one that runs, if another lies there by now
	}
	low, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	defer unix.Close(low)
	// A child's own files take the lowest numbers before it becomes the program.
	const above = 64
	fd, err := unix.FcntlInt(uintptr(low), unix.F_DUPFD_CLOEXEC, above)
	if err != nil {
		return nil, fmt.Errorf("keep %s open: %w", path, err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// InMemory makes a program of its text, and opens it. It lies in no folder, and nobody can change
// it, this process included.
func InMemory(name string, text io.Reader) (*os.File, error) {
	// The system runs nothing that is open for writing anywhere, and a child that is started
	// meanwhile would have it open until it becomes its own program.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) {
		fd, err = unix.MemfdCreate(name, flags) // before Linux 6.3 all of them can be run
	}
	if err != nil {
		return nil, fmt.Errorf("make a program in memory: %w", err)
	}
	file := os.NewFile(uintptr(fd), name)
	defer file.Close()
	if _, err := io.Copy(file, text); err != nil {
		return nil, fmt.Errorf("make a program in memory: %w", err)
	}
	const seals = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		return nil, fmt.Errorf("seal the program in memory: %w", err)
	}
	path := fmt.Sprintf("/proc/self/fd/%d", fd)
	if err := unix.Access(path, unix.X_OK); err != nil {
		return nil, fmt.Errorf("run a program in memory: %w", err)
	}
	return Open(path)
}

// Forget gives back the memory in which the text of a program, which is built in, was read from the file
// of this one. The system reads it from there again if need be.
func Forget(text string) {
	start := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	page := uintptr(os.Getpagesize())
	from, to := (start+page-1)&^(page-1), (start+uintptr(len(text)))&^(page-1)
	if from < to {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED) // it stays where that fails
	}
}
