package workspace

import "context"

// ReadAfter is how long a folder is read again after it changed.
const ReadAfter = readAfter

// LookForSecrets is Secrets by a look at all that is in the folder.
func (f *Folder) LookForSecrets(ctx context.Context) ([]string, error) {
	names, err := f.lookForSecrets(ctx)
	return topPaths(names), err
}
