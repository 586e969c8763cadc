package cli

import "runtime"

// peakMemory is what the program has taken from the system, in bytes: Go gives
// little of it back, so it stands for the peak.
func peakMemory() int64 {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return int64(memory.Sys) //nolint:gosec // far below the limit of int64
}
