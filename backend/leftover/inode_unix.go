//go:build unix

package leftover

import (
	"io/fs"
	"syscall"
)

// inodeOf is the file system's number of a file; 0 where it does not tell.
func inodeOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ino
	}
	return 0
}
