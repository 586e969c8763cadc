package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// MountIn returns the path of a file system that is mounted in a folder, below it; empty for
// none. The kernel takes no folder with one for the lower layer of an overlay.
func MountIn(folder string) (string, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", fmt.Errorf("list what is mounted: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		const mountPoint = 4 // proc_pid_mountinfo(5)
		fields := strings.Fields(line)
		if len(fields) <= mountPoint {
			continue
		}
		if path := unescape(fields[mountPoint]); strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/") {
			return path, nil
		}
	}
	return "", nil
}

// unescape turns what stands for white space and backslashes, in octal digits, into these.
func unescape(path string) string {
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '\\' && i+3 < len(path) {
			if char, err := strconv.ParseUint(path[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(char))
				i += 3
				continue
			}
		}
		out.WriteByte(path[i])
	}
	return out.String()
}
