package leftover

import "io/fs"

// inodeOf is not known: the description of a file does not hold it.
func inodeOf(fs.FileInfo) uint64 { return 0 }
