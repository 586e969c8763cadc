package changetest

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func linksOf(info fs.FileInfo) uint64 {
	return uint64(info.Sys().(*syscall.Stat_t).Nlink) //nolint:unconvert // its type differs between systems
}

// attributesOf lists the extended attributes of what lies at a path.
func attributesOf(path string) string {
	names := make([]byte, 1<<10)
	n, err := unix.Llistxattr(path, names)
	if err != nil {
		return ""
	}
	var all []string
	for name := range strings.SplitSeq(strings.Trim(string(names[:n]), "\x00"), "\x00") {
		value := make([]byte, 1<<10)
		if n, err := unix.Lgetxattr(path, name, value); err == nil {
			all = append(all, fmt.Sprintf("%s=%x", name, value[:n]))
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// giveAttributes gives a file an extended attribute and a list of rights.
func giveAttributes(path string) error {
	if err := unix.Setxattr(path, "user.note", []byte("kept"), 0); err != nil {
		return err
	}
	// One user more may read: version 2, and the entries for owner, that user, group, mask
	// and others.
	rights := "\x02\x00\x00\x00" + "\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x04\x00\x01\x00\x00\x00" +
		"\x04\x00\x04\x00\xff\xff\xff\xff" + "\x10\x00\x04\x00\xff\xff\xff\xff" + "\x20\x00\x04\x00\xff\xff\xff\xff"
	return unix.Setxattr(path, "system.posix_acl_access", []byte(rights), 0)
}
