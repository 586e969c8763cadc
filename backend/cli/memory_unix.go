//go:build unix

package cli

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// peakMemory is the largest resident size of this process so far, in bytes.
func peakMemory() int64 {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss // bytes there, kilobytes elsewhere
	}
	return usage.Maxrss * 1024
}
