//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"
)

// linkCount returns how many names a file has, by its description.
func linkCount(_ *os.File, info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // its type differs between systems
	}
	return 1
}
