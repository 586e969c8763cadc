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
	return uint64(f.megabytes("command_memory")) //nolint:gosec // it was checked to be in range
}

// UndoSpace is the most space on the disk for what is kept to undo changes, in bytes; 0 is what
// change.KeptLimit takes.
func (f File) UndoSpace() int64 { return f.megabytes("undo_space") }

// megabytes is a setting in MiB, in bytes; 0 where it is not set.
func (f File) megabytes(key string) int64 {
	value, err := parseWhole(f.Value(key))
	if err != nil {
		return 0
	}
	return int64(value) << 20
}
