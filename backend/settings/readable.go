package settings

import (
	"path/filepath"
	"strconv"
)

// ReadableFolders are the folders beside the system's that commands may read, as the
// user wants it.
func (f File) ReadableFolders() []string {
	return filepath.SplitList(f.Value("readable-folders"))
}

// CommandMemory is the most memory that a command and all it starts may use together, in
// bytes; 0 is half of the computer's.
func (f File) CommandMemory() uint64 {
	megabytes, err := strconv.ParseUint(f.Value("command-memory"), 10, 32)
	if err != nil {
		return 0 // it is not set
	}
	return megabytes << 20
}
