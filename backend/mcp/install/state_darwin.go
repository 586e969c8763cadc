package install

import (
	"fmt"
	"io/fs"
	"syscall"
)

// identifies reports whether a file that was changed is told from one that was not without reading
// it.
const identifies = true

// identify is what tells a file from one that took its place, and whether it was changed: its
// number, and when it was changed last, which no program can set.
func identify(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprint(stat.Ino, stat.Ctimespec.Sec, stat.Ctimespec.Nsec)
}
