package settings

import (
	"path/filepath"
)

// ReadableFolders are the folders beside the system's that commands may read, as the
// user wants it.
func (f File) ReadableFolders() []string {
	return filepath.SplitList(f.Value("readable_folders"))
}

// CommandMemory is the most memory that a command and all it starts may use together, in
// bytes; 0 is half of the computer's.
func (f File) CommandMemory() uint64 {
	megabytes, err := parseWhole(f.Value("command_memory"))
	if err != nil {
		return 0 // it is not set
	}
	return uint64(megabytes) << 20 //nolint:gosec // it was checked to be in range
}
