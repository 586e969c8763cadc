package workspace

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"fairlead/backend/message"
)

// linkedFor is how long the secret files that have several names are remembered. A
// file that becomes secret in that time was written by the program that links to it.
const linkedFor = 2 * time.Second

// linkedSecrets are the files of the folder that are secret by name and have other
// names as well.
type linkedSecrets struct {
	mu    sync.Mutex
	until time.Time
	files []fs.FileInfo
}

// refuseLinked refuses a file that is secret by another of its names in the folder,
// as far as a walk through the folder gets. Most files have one name and cost
// nothing.
func (f *Folder) refuseLinked(file *File) error {
	if linkCount(file.File, file.info) < 2 {
		return nil
	}
	l := &f.linked
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.After(l.until) {
		l.files = f.findLinked()
		l.until = time.Now().Add(linkedFor)
	}
	if slices.ContainsFunc(l.files, func(info fs.FileInfo) bool { return os.SameFile(info, file.info) }) {
		return toolError(message.DeniedFile, "%s is another name of a file for keys or passwords, which tools neither read nor write: ask the user for what you need", quotePath(file.Path))
	}
	return nil
}

// findLinked looks through the folder, the upper levels first, for at most as many
// entries as a walk visits.
func (f *Folder) findLinked() (found []fs.FileInfo) {
	type place struct {
		path   string
		secret bool
	}
	visited := 0
	for queue := []place{{path: "."}}; len(queue) > 0 && visited < maxVisited; queue = queue[1:] {
		r, err := f.walkDirect(queue[0].path)
		if err != nil {
			continue
		}
		if r.openArrived() == nil {
			d := r.lastFolder()
			// A part of the entries is better than none.
			entries, _, _ := d.readEntries(context.Background(), maxVisited-visited)
			visited += len(entries)
			for _, e := range entries {
				is := queue[0].secret || IsSecret(d.joinName(e.Name()))
				switch {
				case e.IsDir() && !inGit(e.Name()) && e.Name() != "node_modules":
					queue = append(queue, place{d.joinName(e.Name()), is})
				case is && e.Type().IsRegular():
					if info, err := d.root.Lstat(e.Name()); err == nil && linkCount(nil, info) > 1 {
						found = append(found, info)
					}
				}
			}
		}
		r.close()
	}
	return found
}
