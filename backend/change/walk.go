package change

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// Walk calls visit with each entry at a path and below it, a folder before what is in it, by names
// of any bytes. What goes meanwhile, and what is in a folder that nobody may read, is left out.
func Walk(root *os.Root, local string, visit func(local string, info fs.FileInfo) error) error {
	info, err := root.Lstat(local)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err == nil {
		err = visit(local, info)
	}
	if err != nil || !info.IsDir() {
		return err
	}
	opened, err := root.OpenRoot(local)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(walkIn(opened, local, visit), opened.Close())
}

// walkIn is Walk for what is in a folder at a path.
func walkIn(folder *os.Root, local string, visit func(local string, info fs.FileInfo) error) error {
	opened, err := folder.Open(".")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	names, err := opened.Readdirnames(-1)
	if err = errors.Join(err, opened.Close()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range names {
		err := Walk(folder, name, func(below string, info fs.FileInfo) error { return visit(path.Join(local, below), info) })
		if err != nil {
			return err
		}
	}
	return nil
}
