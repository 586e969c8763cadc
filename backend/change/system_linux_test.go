package change_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func linksOf(info fs.FileInfo) uint64 { return info.Sys().(*syscall.Stat_t).Nlink }

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
func giveAttributes(t *testing.T, path string) {
	t.Helper()
	must(t, unix.Setxattr(path, "user.note", []byte("kept"), 0))
	// One user more may read: version 2, and the entries for owner, that user, group, mask
	// and others.
	rights := "\x02\x00\x00\x00" + "\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x04\x00\x01\x00\x00\x00" +
		"\x04\x00\x04\x00\xff\xff\xff\xff" + "\x10\x00\x04\x00\xff\xff\xff\xff" + "\x20\x00\x04\x00\xff\xff\xff\xff"
	must(t, unix.Setxattr(path, "system.posix_acl_access", []byte(rights), 0))
}

// otherFileSystem is a folder on another file system than that of temporary files.
func otherFileSystem(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "change-")
	if err != nil {
		t.Skipf("there is no other file system: %v", err)
	}
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	if one, err := os.Stat(dir); err == nil {
		if other, err := os.Stat(filepath.Dir(t.TempDir())); err == nil && one.Sys().(*syscall.Stat_t).Dev == other.Sys().(*syscall.Stat_t).Dev {
			t.Skip("there is no other file system")
		}
	}
	return dir
}
