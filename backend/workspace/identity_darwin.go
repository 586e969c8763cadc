package workspace

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func identityOf(folder string) string {
	var stat unix.Stat_t
	if err := unix.Stat(folder, &stat); err != nil {
		return ""
	}
	return fmt.Sprintf("%d/%d/%d.%09d", stat.Dev, stat.Ino, stat.Btim.Sec, stat.Btim.Nsec)
}
