package workspace

import (
	"context"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Opener opens files that a walk found, one after the other. It keeps the folders on
// the way to the last one open, so that the next file there costs only itself. It is
// not safe for concurrent use.
type Opener struct {
	folder *Folder
	// route leads to the last file, and secrets are those of its last folder.
	route   route
	secrets secretsOf
	// handle is the last folder of the route, opened to be read in; nil before the first.
	handle *os.File
}

// Opener returns an opener for files of the folder. Close closes what it keeps open.
func (f *Folder) Opener() *Opener {
	o := &Opener{folder: f}
	o.pushFolder(f.topDir())
	return o
}

// Close closes the folders that are open, but not the workspace.
func (o *Opener) Close() {
	o.closeHandle()
	o.route.close()
}

func (o *Opener) closeHandle() {
	if o.handle != nil {
		_ = o.handle.Close()
		o.handle = nil
	}
}

// Open opens a file by the path that it was found by. See OpenFound.
func (o *Opener) Open(local string) (*File, error) {
	if err := o.enterFolder(local); err != nil {
		return nil, err
	}
	r := &o.route
	info, err := r.lastFolder().root.Lstat(path.Base(local))
	if err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return nil, changedMeanwhile(local)
	}
	r.Info = info
	return o.folder.openAt(r)
}

// Read returns the whole of a file of at most limit bytes, and nil for a larger one, by
// the path that it was found by. Its errors are those of Open.
func (o *Opener) Read(ctx context.Context, local string, limit int64) ([]byte, error) {
	if err := o.enterFolder(local); err != nil {
		return nil, err
	}
	if content, ok := o.readOrdinary(path.Base(local), limit); ok {
		return content, nil
	}
	file, err := o.Open(local)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if file.Size > limit {
		return nil, nil
	}
	return file.ReadAll(ctx, limit)
}

// enterFolder goes to the folder of a file.
func (o *Opener) enterFolder(local string) error {
	r := &o.route
	r.Place = Place{given: local, Path: local}
	in, name := path.Dir(local), path.Base(local)
	if in == r.lastFolder().path {
		return o.checkEntry(name) // as the file before it
	}
	kept := 1
	for kept < len(r.folders) && (in == r.folders[kept].path || strings.HasPrefix(in, r.folders[kept].path+"/")) {
		kept++
	}
	if kept < len(r.folders) {
		o.closeHandle()
		r.closeFolders(kept)
		o.secrets = secretsIn(path.Base(r.lastFolder().path))
	}
	for r.lastFolder().path != in {
		o.closeHandle()
		rest := in
		if at := r.lastFolder().path; at != "." {
			rest = in[len(at)+1:]
		}
		folder, _, _ := strings.Cut(rest, "/")
		if err := o.checkEntry(folder); err != nil {
			return err
		}
		below, err := r.lastFolder().openBelow(folder)
		if err != nil {
			return changedMeanwhile(local)
		}
		o.pushFolder(below)
	}
	return o.checkEntry(name)
}

// pushFolder makes a folder the last one.
func (o *Opener) pushFolder(d *dir) {
	o.route.folders = append(o.route.folders, d)
	o.secrets = secretsIn(path.Base(d.path))
}

// checkEntry is allowed for an entry of the last folder, which is allowed itself.
func (o *Opener) checkEntry(entry string) error {
	if o.secrets.has(entry) {
		return deniedSecret(o.route.given)
	}
	return nil
}
