package leftover

import "io/fs"

// inode is not known: the description of a file does not hold it.
func inode(fs.FileInfo) uint64 { return 0 }
