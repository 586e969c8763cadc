package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openProgram opens a program to be run.
func openProgram(path string) (*os.File, error) {
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

// supervisorProgram is the program that confines commands; empty where none is built in.
var supervisorProgram = embedded

// forgetEmbedded gives back the memory in which that program was read from the file of this
// one. The system reads it from there again if need be.
func forgetEmbedded() {
	text := embedded
	start := uintptr(unsafe.Pointer(unsafe.StringData(text))) //nolint:gosec // where it lies is all that is asked
	page := uintptr(os.Getpagesize())
	from, to := (start+page-1)&^(page-1), (start+uintptr(len(text)))&^(page-1)
	if from < to {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED) // it stays where that fails
	}
}

// inMemory makes a program of its text. It lies in no folder, and nobody can change it,
// this process included.
func inMemory(text string) (*os.File, error) {
	// The system runs nothing that is open for writing anywhere, and a child that is started
	// meanwhile would have it open until it becomes its own program.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	const name, flags = "fairlead-supervisor", unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(name, flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) {
		fd, err = unix.MemfdCreate(name, flags) // before Linux 6.3 all of them can be run
	}
	if err != nil {
		return nil, fmt.Errorf("make a program in memory: %w", err)
	}
	file := os.NewFile(uintptr(fd), name)
	defer file.Close()
	if _, err := io.WriteString(file, text); err != nil {
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
	return openProgram(path)
}
