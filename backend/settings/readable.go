package settings

import "path/filepath"

// ReadableFolders are the folders beside the system's that commands may read, as the
// person wants it.
func (f File) ReadableFolders() []string {
	return filepath.SplitList(f.Value("readable-folders"))
}
