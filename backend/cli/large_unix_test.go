//go:build unix

package cli_test

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf is the most memory that a program had which has ended, in bytes.
func peakOf(state *os.ProcessState) int64 {
	most := state.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" {
		return most // bytes there, kilobytes elsewhere
	}
	return most * 1024
}
