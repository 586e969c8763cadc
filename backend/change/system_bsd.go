//go:build unix && !linux

package change

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func changedAt(stat *syscall.Stat_t) int64 { return stat.Ctimespec.Nano() }

// accessTime is the time of the last access that goes with one of change.
func accessTime(changed unix.Timespec) unix.Timespec { return changed }

// setMode sets the mode of an entry that is no link.
func setMode(at spot, mode uint32) error {
	return unix.Fchmodat(int(at.handle.Fd()), at.name, mode, unix.AT_SYMLINK_NOFOLLOW)
}

func modifiedOf(stat *unix.Stat_t) int64 { return stat.Mtim.Nano() }

func changedOf(stat *unix.Stat_t) int64 { return stat.Ctim.Nano() }

// readAttributes are not read.
func readAttributes(spot) (map[string][]byte, error) { return nil, nil }

// setAttributes has nothing to set.
func setAttributes(spot, map[string][]byte) error { return nil }
