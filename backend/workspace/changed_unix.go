//go:build unix

package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

// changed is when something changed last, by a time that no program can set.
type changed struct {
	inode uint64
	at    time.Time
}

// lastChange returns it; false where it is not told.
func lastChange(info fs.FileInfo) (changed, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return changed{}, false
	}
	return changed{stat.Ino, changeTime(stat)}, true
}
