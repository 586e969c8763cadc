package workspace

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func identityOf(folder string) string {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, folder, 0, unix.STATX_INO|unix.STATX_BTIME, &stat)
	if err != nil || stat.Mask&unix.STATX_BTIME == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d/%d/%d.%09d", stat.Dev_major, stat.Dev_minor, stat.Ino, stat.Btime.Sec, stat.Btime.Nsec)
}
