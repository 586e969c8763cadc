package workspace

// Identity names the folder wherever it is moved on its file system: by device, inode and, where
// the system tells, the time at which it was made, because inodes are used again. Empty where
// the system does not tell.
func (f *Folder) Identity() string { return identityOf(f.path) }
