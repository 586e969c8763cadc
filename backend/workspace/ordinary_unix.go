//go:build unix

package workspace

import (
	"errors"

	"golang.org/x/sys/unix"
)

// readOrdinary reads an ordinary file of the last folder: a regular one with no other name,
// of at most limit bytes. What is anything else, or cannot be read so, is left to Open,
// which finds the words for it. A search reads very many small files, and this takes
// half as many system calls as package os.
func (o *Opener) readOrdinary(name string, limit int64) (content []byte, ok bool) {
	if o.handle == nil {
		handle, err := o.route.lastFolder().root.Open(".")
		if err != nil {
			return nil, false
		}
		o.handle = handle
	}
	fd, err := openRetrying(int(o.handle.Fd()), name)
	if err != nil {
		return nil, false
	}
	defer func() { _ = unix.Close(fd) }()
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil || info.Mode&unix.S_IFMT != unix.S_IFREG || info.Nlink != 1 || info.Size > limit {
		return nil, false
	}
	content = make([]byte, 0, info.Size+1)
	for len(content) < cap(content) {
		n, err := unix.Read(fd, content[len(content):cap(content)])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return nil, false
		case n == 0:
			return content, true
		default:
			content = content[:len(content)+n]
			if int64(len(content)) == info.Size {
				return content, true
			}
		}
	}
	return nil, false // it grows
}

// openRetrying opens a file that is no link, and waits for no other process.
func openRetrying(folder int, name string) (fd int, err error) {
	for {
		fd, err = unix.Openat(folder, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|noWait, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}
