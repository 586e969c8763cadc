package workspace

import (
	"cmp"
	"context"
	"io/fs"
	"slices"

	"fairlead/backend/message"
)

// maxListed bounds a listing, in entries.
const maxListed = 5000

// Listing is one level of the folder's tree, for the user to look at.
type Listing struct {
	// Path is the listed folder, relative to the workspace, its links followed, as
	// Shown has it; "." is the workspace itself.
	Path string `json:"path"`
	// Entries are what is in it: folders first, then in the order of names, upper
	// and lower case alike. It is never nil.
	Entries []TreeEntry `json:"entries"`
	// More says that there are entries beyond those listed: beyond 5,000, or with paths
	// that are too long to be taken.
	More bool `json:"more"`
}

// TreeEntry is one file, folder or link of a listing.
type TreeEntry struct {
	// Name is the last part of Path.
	Name string `json:"name"`
	// Path is relative to the workspace, as Shown has it.
	Path string `json:"path"`
	// Folder says that the entry is a folder and can be listed. A link is none,
	// wherever it leads.
	Folder bool `json:"folder"`
	// Link says that the entry is a symbolic link.
	Link bool `json:"link"`
	// Secret says that the entry holds keys or passwords by its name: people see
	// that it is there, tools do not (SPEC SEC-06).
	Secret bool `json:"secret"`
	// Size is a file's length in bytes; 0 for folders and links.
	Size int64 `json:"size"`
}

// List returns what is in one folder. Like Walk it leaves out what .gitignore
// files exclude, .git and node_modules, and what is no file, folder or link;
// unlike Walk it names secrets. The error is a *message.ToolError: those of
// Locate, FILE_NOT_FOUND, UNSUPPORTED_FILE for what is no folder,
// EXECUTION_ERROR; or that of ctx.
func (f *Folder) List(ctx context.Context, dir string) (Listing, error) {
	r, err := f.openRoute(dir)
	if err != nil {
		return Listing{}, err
	}
	defer r.close()
	switch {
	case !r.Exists():
		return Listing{}, f.NotFound(r.Place)
	case !r.Info.IsDir():
		return Listing{}, toolError(message.UnsupportedFile, "%s is a file, not a folder", quotePath(r.Path))
	}
	if err := r.openArrived(); err != nil {
		return Listing{}, err
	}
	return f.list(ctx, r.lastFolder())
}

// list is List of an opened folder.
func (f *Folder) list(ctx context.Context, d *dir) (Listing, error) {
	found, more, err := d.readEntries(ctx, maxVisited)
	if err := ctx.Err(); err != nil {
		return Listing{}, err
	}
	if err != nil {
		return Listing{}, toolError(message.ExecutionError, "list %s: %s", quotePath(d.path), systemReason(err))
	}
	r := f.rulesAt(d.path)
	if hasIgnoreFile(found) {
		r = f.rulesIn(d.path, r)
	}
	found = slices.DeleteFunc(found, func(e fs.DirEntry) bool {
		name := d.joinName(e.Name())
		if !IsListable(e.Type()) || r.IgnoresPath(name, e.IsDir()) || f.isTemporary(name) {
			return true
		}
		more = more || len(name) > MaxPath
		return len(name) > MaxPath
	})
	sortForPeople(found)
	if len(found) > maxListed {
		found, more = found[:maxListed], true
	}
	entries := make([]TreeEntry, 0, len(found))
	for _, e := range found {
		if err := ctx.Err(); err != nil {
			return Listing{}, err
		}
		entries = append(entries, d.treeEntry(e.Name(), e.Type()))
	}
	return Listing{Path: Shown(d.path), Entries: entries, More: more}, nil
}

func (d *dir) treeEntry(name string, kind fs.FileMode) TreeEntry {
	local := d.joinName(name)
	entry := TreeEntry{
		Name: Shown(name), Path: Shown(local), Secret: IsSecret(local),
		Folder: kind.IsDir(), Link: kind&fs.ModeSymlink != 0,
	}
	if kind.IsRegular() {
		// A file that went away meanwhile is listed as empty; the watch reports it.
		if info, err := d.root.Lstat(name); err == nil {
			entry.Size = info.Size()
		}
	}
	return entry
}

// sortForPeople puts folders first, then names as the user looks for them.
func sortForPeople(entries []fs.DirEntry) {
	folded := make(map[string]string, len(entries))
	for _, e := range entries {
		folded[e.Name()] = foldName(e.Name())
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		if a.IsDir() != b.IsDir() {
			if a.IsDir() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(folded[a.Name()], folded[b.Name()]), cmp.Compare(a.Name(), b.Name()))
	})
}
