package supervisor

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"

	"fairlead/backend/sandbox/filter"
)

// An overlay does not rename a folder that lies in its lower layer: rename(2) fails with EXDEV,
// and most programs that are not mv give up. The guard answers such calls itself, by the
// system's way to have a process judge the calls of others (seccomp_unotify(2)): it rebuilds
// the folder at its new path out of new names for its files, and deletes it at the old one.
// It does so on a thread that is confined like the command.

// notification is a call that waits for an answer (struct seccomp_notif in linux/seccomp.h).
type notification struct {
	id         uint64
	pid, flags uint32
	number     int32
	arch       uint32
	pointer    uint64
	arguments  [6]uint64
}

// answer is one (struct seccomp_notif_resp).
type answer struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// renameCall says of a call that renames which of its arguments say what and how; -1 where
// there is none.
type renameCall struct{ oldFolder, oldPath, newFolder, newPath, flags int }

// renaming is a call that renames a folder: what it leads from and to, and how.
type renaming struct {
	id       uint64
	from, to entry
	flags    uint
}

// listenForRenames has the calling thread, and all that it starts, wait with each call that
// renames until the guard has looked at it.
func listenForRenames() (listener int, err error) {
	f := filter.OfNumbers()
	for number := range renameCalls {
		f.AddCase(number, filter.Return(unix.SECCOMP_RET_USER_NOTIF))
	}
	f = append(f, filter.Return(filter.Allow))
	// What is being answered is ended by a signal that kills alone: else it would be done twice.
	listener, err = f.Install(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	if err != nil {
		return -1, fmt.Errorf("look at what is renamed: %w", err)
	}
	return listener, nil
}

// answerRenames answers calls until nobody is left who could make one. It waits for them
// without holding the only processor that the guard has.
func (g *guarded) answerRenames(listener int) {
	if err := unix.SetNonblock(listener, true); err != nil {
		return
	}
	file := os.NewFile(uintptr(listener), "renames")
	connection, err := file.SyscallConn()
	if err != nil {
		return
	}
	var jobs chan renaming
	for {
		ended := false
		if err := connection.Read(func(uintptr) bool {
			ready := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}} //nolint:gosec // a descriptor fits
			_, err := unix.Poll(ready, 0)
			ended = err == nil && ready[0].Revents&unix.POLLHUP != 0
			return ended || err == nil && ready[0].Revents&unix.POLLIN != 0
		}); err != nil || ended {
			return
		}
		var n notification
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n)))
		if errno != 0 {
			continue // the one that called was killed
		}
		job, ok := readRenaming(listener, &n)
		if !ok {
			sendAnswer(listener, answer{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE})
			continue
		}
		if jobs == nil {
			jobs = make(chan renaming)
			go g.renameFolders(listener, jobs)
		}
		jobs <- job
	}
}

// sendAnswer answers a call, whose caller may be gone.
func sendAnswer(listener int, a answer) {
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a)))
}

// readRenaming reads what a call renames. It reports false for what the system does as well:
// all but folders, and what cannot be read.
func readRenaming(listener int, n *notification) (job renaming, ok bool) {
	call := renameCalls[uint32(n.number)] //nolint:gosec // the filter lets those through alone
	job = renaming{id: n.id, from: entry{folder: -1}, to: entry{folder: -1}}
	defer func() {
		if !ok {
			job.close()
		}
	}()
	if call.flags >= 0 {
		job.flags = uint(n.arguments[call.flags])
	}
	if job.flags&^(unix.RENAME_NOREPLACE|unix.RENAME_EXCHANGE) != 0 {
		return job, false
	}
	memory, err := os.Open("/proc/" + strconv.Itoa(int(n.pid)) + "/mem")
	if err != nil {
		return job, false
	}
	defer memory.Close()
	for _, part := range []struct {
		folder, path int
		to           *entry
	}{{folder: call.oldFolder, path: call.oldPath, to: &job.from}, {folder: call.newFolder, path: call.newPath, to: &job.to}} {
		if part.to.path, err = readText(memory, n.arguments[part.path]); err != nil {
			return job, false
		}
		at := "cwd"
		if part.folder >= 0 && int32(n.arguments[part.folder]) != unix.AT_FDCWD { //nolint:gosec // so it is passed
			at = "fd/" + strconv.Itoa(int(int32(n.arguments[part.folder]))) //nolint:gosec // the same
		}
		part.to.folder, err = unix.Open("/proc/"+strconv.Itoa(int(n.pid))+"/"+at, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return job, false
		}
	}
	// What was read is that of the caller only if that still waits.
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&n.id))); errno != 0 {
		return job, false
	}
	return job, isFolder(job.from) || job.flags&unix.RENAME_EXCHANGE != 0 && isFolder(job.to)
}

// isFolder reports whether a path is one of a folder.
func isFolder(e entry) bool {
	var stat unix.Stat_t
	err := unix.Fstatat(e.folder, trimSlashes(e.path), &stat, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && stat.Mode&unix.S_IFMT == unix.S_IFDIR
}

func (r renaming) close() {
	for _, fd := range []int{r.from.folder, r.to.folder} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
}

// trimSlashes takes the slashes off the end of a path, which would follow a link.
func trimSlashes(path string) string {
	for len(path) > 1 && path[len(path)-1] == '/' {
		path = path[:len(path)-1]
	}
	return path
}

// readText reads a text that ends with a zero, at most as long as a path may be.
func readText(memory *os.File, at uint64) (string, error) {
	const longest, page = unix.PathMax, 4096
	var text []byte
	for len(text) < longest {
		part := make([]byte, page-at%page)       // the next page may not be there
		n, err := memory.ReadAt(part, int64(at)) //nolint:gosec // an address of a program
		if end := bytes.IndexByte(part[:n], 0); end >= 0 {
			return string(append(text, part[:end]...)), nil
		}
		if err != nil {
			return "", err
		}
		text, at = append(text, part...), at+uint64(len(part))
	}
	return "", unix.ENAMETOOLONG
}

// renameFolders renames folders, on a thread that is confined like the command.
func (g *guarded) renameFolders(listener int, jobs <-chan renaming) {
	runtime.LockOSThread() // until the end: nothing else runs on it
	fault := g.confineThread()
	if fault == nil {
		fault = g.applyLandlock()
	}
	for job := range jobs {
		err := error(unix.EXDEV)
		if fault == nil {
			err = job.do()
		}
		a := answer{id: job.id}
		if err != nil {
			errno := unix.EIO
			errors.As(err, &errno)
			a.errno = -int32(errno)
		}
		sendAnswer(listener, a)
		job.close()
	}
}

// do renames a folder: as the system does it, or else by rebuilding it.
func (r renaming) do() error {
	err := unix.Renameat2(r.from.folder, r.from.path, r.to.folder, r.to.path, r.flags)
	if !errors.Is(err, unix.EXDEV) {
		return err
	}
	from, err := openParent(r.from)
	if err != nil {
		return err
	}
	defer unix.Close(from.folder)
	to, err := openParent(r.to)
	if err != nil {
		return err
	}
	defer unix.Close(to.folder)
	var source, target unix.Stat_t
	// The folders are compared: what else lies in an overlay can have the number of one of its layers.
	if err := errors.Join(unix.Fstat(from.folder, &source), unix.Fstat(to.folder, &target)); err != nil {
		return unix.EXDEV
	}
	if source.Dev != target.Dev {
		return unix.EXDEV // they lie on two file systems
	}
	if r.flags&unix.RENAME_EXCHANGE != 0 {
		return r.exchange(from, to)
	}
	if err := r.checkTarget(to); err != nil {
		return err
	}
	beside := r.beside(to)
	if err := rebuild(from, beside); err != nil {
		_ = remove(beside)
		return err
	}
	if err := unix.Renameat2(beside.folder, beside.path, to.folder, to.path, r.flags); err != nil {
		_ = remove(beside)
		return err
	}
	return remove(from)
}

// beside is where what is to come to a path is rebuilt.
func (r renaming) beside(e entry) entry {
	return entry{e.folder, fmt.Sprintf(".%.200s.moving-%d", e.path, r.id)}
}

// exchange has two paths exchange what they name, at least one of them a folder. Both are there
// at their new places before an old one is deleted.
func (r renaming) exchange(from, to entry) error {
	moves := [2]struct{ old, beside, place entry }{{from, r.beside(to), to}, {to, r.beside(from), from}}
	for _, m := range moves {
		if err := rebuild(m.old, m.beside); err != nil {
			_, _ = remove(moves[0].beside), remove(moves[1].beside)
			return err
		}
	}
	for _, m := range moves {
		if err := remove(m.place); err != nil {
			return err
		}
		if err := unix.Renameat(m.beside.folder, m.beside.path, m.place.folder, m.place.path); err != nil {
			return err
		}
	}
	return nil
}

// checkTarget fails where a folder cannot take a place.
func (r renaming) checkTarget(to entry) error {
	var stat unix.Stat_t
	err := unix.Fstatat(to.folder, to.path, &stat, unix.AT_SYMLINK_NOFOLLOW)
	switch {
	case errors.Is(err, unix.ENOENT):
		return nil
	case err != nil:
		return err
	case r.flags&unix.RENAME_NOREPLACE != 0:
		return unix.EEXIST
	case stat.Mode&unix.S_IFMT != unix.S_IFDIR:
		return unix.ENOTDIR
	}
	names, err := listNames(to)
	if err == nil && len(names) > 0 {
		err = unix.ENOTEMPTY
	}
	return err
}

// openParent returns a path as a name in its folder, which is opened.
func openParent(e entry) (entry, error) {
	path := trimSlashes(e.path)
	folder := "."
	if name := baseName(path); name != path {
		folder, path = path[:len(path)-len(name)], name
	}
	if path == "" || path == "." || path == ".." {
		return entry{}, unix.EBUSY // as rename(2) has it
	}
	fd, err := unix.Openat(e.folder, folder, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return entry{fd, path}, err
}
