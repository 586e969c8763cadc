package change_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// systemCall is one that programs make on files, and where its arguments name them.
type systemCall struct {
	number int
	name   string
	// files are the arguments that are opened files; in a folder that is opened, the path is
	// the argument after it. paths are the arguments that are paths by themselves.
	files, paths []int
	// grows reports whether it needs space on the disk.
	grows bool
}

// systemCalls are those that faults are made of. To close a file and to let go of a lock are
// not among them: they are closed and free whatever that returns.
var systemCalls = []systemCall{
	{unix.SYS_READ, "read", []int{0}, nil, false},
	{unix.SYS_PREAD64, "pread64", []int{0}, nil, false},
	{unix.SYS_WRITE, "write", []int{0}, nil, true},
	{unix.SYS_PWRITE64, "pwrite64", []int{0}, nil, true},
	{unix.SYS_FTRUNCATE, "ftruncate", []int{0}, nil, true},
	{unix.SYS_FALLOCATE, "fallocate", []int{0}, nil, true},
	{unix.SYS_COPY_FILE_RANGE, "copy_file_range", []int{0, 2}, nil, true},
	{unix.SYS_FSYNC, "fsync", []int{0}, nil, true},
	{unix.SYS_FDATASYNC, "fdatasync", []int{0}, nil, true},
	{unix.SYS_SYNCFS, "syncfs", []int{0}, nil, true},
	{unix.SYS_FSTAT, "fstat", []int{0}, nil, false},
	{unix.SYS_FCHMOD, "fchmod", []int{0}, nil, false},
	{unix.SYS_FCHOWN, "fchown", []int{0}, nil, false},
	{unix.SYS_IOCTL, "ioctl", []int{0}, nil, false},
	{unix.SYS_GETDENTS64, "getdents64", []int{0}, nil, false},
	{unix.SYS_FSETXATTR, "fsetxattr", []int{0}, nil, true},
	{unix.SYS_FGETXATTR, "fgetxattr", []int{0}, nil, false},
	{unix.SYS_FLISTXATTR, "flistxattr", []int{0}, nil, false},
	{unix.SYS_OPENAT, "openat", []int{0}, nil, true},
	{unix.SYS_OPENAT2, "openat2", []int{0}, nil, true},
	{unix.SYS_MKDIRAT, "mkdirat", []int{0}, nil, true},
	{unix.SYS_UNLINKAT, "unlinkat", []int{0}, nil, false},
	{unix.SYS_RENAMEAT, "renameat", []int{0, 2}, nil, true},
	{unix.SYS_RENAMEAT2, "renameat2", []int{0, 2}, nil, true},
	{unix.SYS_LINKAT, "linkat", []int{2}, nil, true},
	{unix.SYS_SYMLINKAT, "symlinkat", []int{1}, nil, true},
	{unix.SYS_READLINKAT, "readlinkat", []int{0}, nil, false},
	{unix.SYS_NEWFSTATAT, "newfstatat", []int{0}, nil, false},
	{unix.SYS_STATX, "statx", []int{0}, nil, false},
	{unix.SYS_FACCESSAT, "faccessat", []int{0}, nil, false},
	{unix.SYS_FCHMODAT, "fchmodat", []int{0}, nil, false},
	{unix.SYS_FCHMODAT2, "fchmodat2", []int{0}, nil, false},
	{unix.SYS_FCHOWNAT, "fchownat", []int{0}, nil, false},
	{unix.SYS_UTIMENSAT, "utimensat", []int{0}, nil, false},
	{unix.SYS_OPEN, "open", nil, []int{0}, true},
	{unix.SYS_STAT, "stat", nil, []int{0}, false},
	{unix.SYS_LSTAT, "lstat", nil, []int{0}, false},
	{unix.SYS_ACCESS, "access", nil, []int{0}, false},
	{unix.SYS_UNLINK, "unlink", nil, []int{0}, false},
	{unix.SYS_RMDIR, "rmdir", nil, []int{0}, false},
	{unix.SYS_MKDIR, "mkdir", nil, []int{0}, true},
	{unix.SYS_RENAME, "rename", nil, []int{0, 1}, true},
	{unix.SYS_CHMOD, "chmod", nil, []int{0}, false},
	{unix.SYS_SETXATTR, "setxattr", nil, []int{0}, true},
	{unix.SYS_LSETXATTR, "lsetxattr", nil, []int{0}, true},
	{unix.SYS_LISTXATTR, "listxattr", nil, []int{0}, false},
	{unix.SYS_LLISTXATTR, "llistxattr", nil, []int{0}, false},
	{unix.SYS_GETXATTR, "getxattr", nil, []int{0}, false},
	{unix.SYS_LGETXATTR, "lgetxattr", nil, []int{0}, false},
}

// faultKind is how a call to the system fails.
type faultKind string

const (
	// noFault only counts.
	noFault faultKind = "none"
	// inputError fails once, with EIO.
	inputError faultKind = "error"
	// shortWrite writes half.
	shortWrite faultKind = "short write"
	// noSpace fails with ENOSPC, and so does all that needs space from then on.
	noSpace faultKind = "no space"
	// powerCut calls cut, and lets the call go on.
	powerCut faultKind = "power cut"
)

// faults has calls of one thread to the system fail, by a filter whose decisions this
// program makes itself (seccomp_unotify(2)).
type faults struct {
	// below are the folders on which calls count.
	below []string
	kind  faultKind
	// at is the call that fails, the first is 1.
	at int
	// cut is what cuts the power.
	cut func()

	// made are the calls that were made, by their names; failed is which one failed.
	made   []systemCall
	failed string
}

// The messages of seccomp_unotify(2).
type (
	notice struct {
		id         uint64
		pid, flags uint32
		number     int32
		arch       uint32
		pointer    uint64
		args       [6]uint64
	}
	answer struct {
		id           uint64
		value        int64
		errno, flags int32
	}
)

// runWithFaults calls a function on a thread of its own.
func (f *faults) runWithFaults(t *testing.T, do func()) {
	t.Helper()
	var end [2]int
	must(t, unix.Pipe2(end[:], unix.O_CLOEXEC))
	installed, done := make(chan int), make(chan struct{})
	var failed error
	go func() {
		runtime.LockOSThread() // and never unlocked: no other goroutine has the filter
		listener, err := installFilter()
		failed = err
		installed <- listener
		if err == nil {
			do()
		}
		close(done)
	}()
	listener := <-installed
	if failed != nil {
		t.Fatalf("have calls to the system fail: %v", failed)
	}
	var served sync.WaitGroup
	served.Go(func() { f.serve(listener, end[0]) })
	<-done
	must(t, unix.Close(end[1]))
	served.Wait()
	must(t, errors.Join(unix.Close(listener), unix.Close(end[0])))
}

// installFilter has the calls of this thread asked for at the returned file. The places of
// what it looks at are those of struct seccomp_data in linux/seccomp.h.
func installFilter() (int, error) {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	answerIf := func(value, answer uint32) []unix.SockFilter {
		return []unix.SockFilter{
			{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: 1}, {Code: unix.BPF_RET | unix.BPF_K, K: answer},
		}
	}
	var program []unix.SockFilter
	// The runtime wakes its own threads by files. While it waits for that, it lets nobody else
	// run, and so nobody who could decide.
	program = append(program, load(16))
	for _, fd := range eventFiles() {
		program = append(program, answerIf(fd, unix.SECCOMP_RET_ALLOW)...)
	}
	program = append(program, load(0))
	for _, c := range systemCalls {
		program = append(program, answerIf(uint32(c.number), unix.SECCOMP_RET_USER_NOTIF)...)
	}
	program = append(program, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return 0, errno
	}
	return int(listener), nil
}

// eventFiles are the opened files by which threads wake each other.
func eventFiles() (files []uint32) {
	for fd := range uint32(1024) {
		if path := openedPath(int32(fd)); strings.HasPrefix(path, "anon_inode:") {
			files = append(files, fd)
		}
	}
	return files
}

// serve decides about calls until the other end of a pipe is closed.
func (f *faults) serve(listener, end int) {
	for {
		ready := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}, {Fd: int32(end)}}
		if _, err := unix.Poll(ready, -1); err != nil && !errors.Is(err, unix.EINTR) || ready[1].Revents != 0 {
			return
		}
		if ready[0].Revents&unix.POLLIN == 0 {
			continue
		}
		var n notice
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			continue // the program that asked has ended
		}
		a := f.decide(&n)
		a.id = n.id
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
	}
}

// decide counts a call, and answers it.
func (f *faults) decide(n *notice) answer {
	goOn := answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	for _, c := range systemCalls {
		if c.number == int(n.number) && f.counts(c, n) {
			f.made = append(f.made, c)
			return f.answer(c, n, goOn)
		}
	}
	return goOn
}

func (f *faults) answer(c systemCall, n *notice, goOn answer) answer {
	here, after := len(f.made) == f.at, len(f.made) > f.at && f.at > 0
	if here {
		f.failed = fmt.Sprintf("call %d, %s", f.at, c.name)
	}
	switch {
	case f.kind == inputError && here:
		return answer{errno: -int32(unix.EIO)}
	case f.kind == noSpace && (here || after) && c.needsSpace(n):
		return answer{errno: -int32(unix.ENOSPC)}
	case f.kind == shortWrite && here:
		return writeHalf(c, n, goOn)
	case f.kind == powerCut && here:
		f.cut()
	}
	return goOn
}

// needsSpace reports whether a call may fail because the disk is full.
func (c systemCall) needsSpace(n *notice) bool {
	if c.number == unix.SYS_OPENAT {
		return n.args[2]&(unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY) != 0
	}
	return c.grows
}

// writeHalf writes half of what a call is to write; a call that is none, or writes but one
// byte, goes on.
func writeHalf(c systemCall, n *notice, goOn answer) answer {
	half := int(n.args[2] / 2)
	if half == 0 || c.number != unix.SYS_WRITE && c.number != unix.SYS_PWRITE64 {
		return goOn
	}
	content, err := readMemory(n.pid, n.args[1], half)
	if err != nil {
		return goOn
	}
	if c.number == unix.SYS_WRITE {
		half, err = unix.Write(int(n.args[0]), content)
	} else {
		half, err = unix.Pwrite(int(n.args[0]), content, int64(n.args[3]))
	}
	if err != nil {
		return goOn
	}
	return answer{value: int64(half)}
}

// counts reports whether a call is one of this program, on one of the folders.
func (f *faults) counts(c systemCall, n *notice) bool {
	if unix.Access(fmt.Sprintf("/proc/self/task/%d", n.pid), unix.F_OK) != nil {
		return false // a program that was started
	}
	for _, i := range c.files {
		if f.isBelow(openedPath(int32(n.args[i]))) {
			return true
		}
		if int32(n.args[i]) == unix.AT_FDCWD && f.isBelow(pathAt(n, i+1)) {
			return true
		}
	}
	for _, i := range c.paths {
		if path := pathAt(n, i); f.isBelow(resolved(path)) {
			return true
		}
	}
	return false
}

// resolved is a path, or what the opened file is that it leads through.
func resolved(path string) string {
	if rest, ok := strings.CutPrefix(path, "/proc/self/fd/"); ok {
		number, _, _ := strings.Cut(rest, "/")
		path = readLink("/proc/self/fd/" + number)
	}
	return path
}

func openedPath(fd int32) string {
	if fd < 0 {
		return ""
	}
	return readLink(fmt.Sprintf("/proc/self/fd/%d", fd))
}

// readLink is os.Readlink, which may wait for the thread that asks: under go test it writes
// down what was looked at, one call after the other.
func readLink(path string) string {
	target := make([]byte, 4096)
	n, err := unix.Readlink(path, target)
	if err != nil {
		return ""
	}
	return string(target[:n])
}

func (f *faults) isBelow(path string) bool {
	for _, dir := range f.below {
		if path == dir || strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// pathAt is the path that an argument points to.
func pathAt(n *notice, argument int) string {
	for size := 4096; size > 0; size /= 2 { // a page after it may not be there
		if text, err := readMemory(n.pid, n.args[argument], size); err == nil {
			path, _, _ := strings.Cut(string(text), "\x00")
			return path
		}
	}
	return ""
}

func readMemory(pid uint32, at uint64, size int) ([]byte, error) {
	text := make([]byte, size)
	n, err := unix.ProcessVMReadv(int(pid), []unix.Iovec{{Base: &text[0], Len: uint64(size)}}, []unix.RemoteIovec{{Base: uintptr(at), Len: size}}, 0)
	return text[:max(n, 0)], err
}
