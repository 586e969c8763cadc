package workspace

import (
	"context"
	"path"
	"slices"

	"fairlead/backend/change"
	"fairlead/backend/leftover"
	"fairlead/backend/message"
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
			if f.made != nil && f.made(name) {
				return // what a command has written itself is no secret from the next one
			}
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

// SecretAt returns the path, as Secrets has it, of a file or a folder with keys that the user
// has named. An error is a *message.ToolError.
func (f *Folder) SecretAt(name string) (string, error) {
	place, err := f.Locate(name)
	if err != nil {
		return "", err
	}
	if !place.Exists() {
		return "", f.NotFound(place)
	}
	if top := path.Dir(place.Path); IsSecret(top) {
		return "", toolError(message.InvalidArguments, "%s lies in a folder that is covered as a whole; name that folder", quotePath(place.Path))
	}
	return place.Path, nil
}
