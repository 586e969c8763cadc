package workspace

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func identityOf(folder string) string {
	var stat unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, folder, 0, unix.STATX_INO|unix.STATX_BTIME, &stat); err != nil {
		return ""
	}
	made := ""
	if stat.Mask&unix.STATX_BTIME != 0 {
		made = fmt.Sprintf("%d.%09d", stat.Btime.Sec, stat.Btime.Nsec)
	}
	return fmt.Sprintf("%d:%d/%d/%s", stat.Dev_major, stat.Dev_minor, stat.Ino, made)
}
