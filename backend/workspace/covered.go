package workspace

import (
	"context"
	"slices"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
)

// Secrets lists the files and folders that hold keys or passwords (SPEC SEC-06), those that git
// ignores too, and other names of such files, relative to the folder. Of what lies in a folder
// that is listed nothing is.
func (f *Folder) Secrets(ctx context.Context) ([]string, error) {
	var found []string
	inodes := map[uint64]bool{}
	others := map[uint64][]string{}
	err := f.changes.Each(ctx, func(local leftover.Path, s change.State) {
		name := string(local)
		switch {
		case s.Kind == change.Link || name == ".":
		case IsSecret(name):
			found = append(found, name)
			inodes[s.Inode] = true
		case s.Kind == change.File && s.Links > 1:
			others[s.Inode] = append(others[s.Inode], name)
		}
	})
	if err != nil {
		return nil, err
	}
	for inode, names := range others {
		if inodes[inode] {
			found = append(found, names...)
		}
	}
	slices.Sort(found)
	top := found[:0]
	for _, name := range found {
		if len(top) == 0 || !isWithinOrAt(name, top[len(top)-1]) {
			top = append(top, name)
		}
	}
	return top, nil
}
