//go:build unix

package autorun

import (
	"io/fs"
	"syscall"
	"time"
)

// identity tells a file at one moment from every other one, and from itself after a
// change: the time of its last change cannot be set by a program.
type identity struct {
	device, inode uint64
	size          int64
	mode          fs.FileMode
	modified, at  time.Time
}

// identityOf returns it; false where the system does not tell.
func identityOf(info fs.FileInfo) (identity, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, false
	}
	return identity{
		device: uint64(stat.Dev), inode: stat.Ino, size: info.Size(), mode: info.Mode(), //nolint:gosec,unconvert,nolintlint // the type is another one on each system
		modified: info.ModTime(), at: changeTime(stat),
	}, true
}

// noWait makes opening a FIFO return at once, and keeps a terminal device from
// becoming the process's own.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
