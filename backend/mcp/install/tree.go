package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	// recordFile is the record of an install, and statesFile what its files looked like. Both
	// are no part of the tree.
	recordFile = "install.json"
	statesFile = "states"
)

// tree is what the files of an install are.
type tree struct {
	// hash is the SHA-256 of the sorted list of all files, links and folders: kind, name, whether
	// it can be run, and the SHA-256 of the content, or where a link leads.
	hash string
	// files counts them all, and bytes is the size of all files.
	files int
	bytes int64
}

// hashTree reads all that is in a folder. What leads out of it, what is no file, link or
// folder, and what is too much is an error.
func hashTree(ctx context.Context, dir string) (tree, error) {
	var all tree
	sum := sha256.New()
	err := walkTree(ctx, dir, func(root *os.Root, name string, info fs.FileInfo) error {
		all.files++
		if info.Mode().IsRegular() {
			all.bytes += info.Size()
		}
		if err := checkAmount(all.files, all.bytes); err != nil {
			return err
		}
		return hashEntry(sum, root, name, info)
	})
	all.hash = hex.EncodeToString(sum.Sum(nil))
	return all, err
}

// hashStates is a hash of what the files look like without being read: names, sizes, times
// and numbers, by which a change is seen.
func hashStates(ctx context.Context, dir string) (string, error) {
	sum := sha256.New()
	err := walkTree(ctx, dir, func(_ *os.Root, name string, info fs.FileInfo) error {
		if info.IsDir() {
			// A folder's times and size are not those of what is in it.
			fmt.Fprintf(sum, "%q %s\n", name, info.Mode())
			return nil
		}
		fmt.Fprintf(sum, "%q %s %d %d %v\n", name, info.Mode(), info.Size(), info.ModTime().UnixNano(), identify(info))
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// walkTree calls do for all that is in a folder, in the order of the names, without following
// links. Names have slashes.
func walkTree(ctx context.Context, dir string, do func(root *os.Root, name string, info fs.FileInfo) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("look at what was installed: %w", err)
	}
	defer root.Close()
	// By paths, which takes a fifth of the time: what is read is opened in the root.
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("look at what was installed: %w", err)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return fmt.Errorf("look at what was installed: %w", err)
		}
		name = filepath.ToSlash(name)
		if name == "." || name == recordFile || name == statesFile {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return fmt.Errorf("look at what was installed: %w", err)
		}
		return do(root, name, info)
	})
}

// errTooMuch reports that an install takes more than it may.
var errTooMuch = errors.New("it takes too much")

// checkAmount bounds what an install takes.
func checkAmount(files int, bytes int64) error {
	if files > mostFiles {
		return fmt.Errorf("%w: more than %d files", errTooMuch, mostFiles)
	}
	if bytes > mostBytes {
		return fmt.Errorf("%w: more than %d MiB", errTooMuch, mostBytes>>20)
	}
	return nil
}

// watchSize calls end when the files of a folder become more than an install and its archives
// may take, until ctx ends.
func watchSize(ctx context.Context, dir string, end context.CancelCauseFunc) {
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
		files, bytes := 0, int64(0)
		// What changes meanwhile is an error, and the next look may have none.
		_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // it may be gone again
			}
			files++
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				bytes += info.Size()
			}
			// npm keeps the archives beside what is in them.
			if err := checkAmount(files/2, bytes/2); err != nil {
				end(err)
				return filepath.SkipAll
			}
			return nil
		})
	}
}

// hashEntry adds a file, link or folder.
func hashEntry(sum io.Writer, root *os.Root, name string, info fs.FileInfo) error {
	switch mode := info.Mode(); mode.Type() {
	case fs.ModeDir:
		fmt.Fprintf(sum, "folder %q\n", name)
		return nil
	case fs.ModeSymlink:
		target, err := root.Readlink(name)
		if err != nil {
			return fmt.Errorf("look at what was installed: %w", err)
		}
		// A root follows no link that leads out of it.
		if _, err := root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("it has a link that leads out of its folder, %s to %s", shown(name), shown(target))
		}
		fmt.Fprintf(sum, "link %q %q\n", name, target)
		return nil
	case 0:
		content := sha256.New()
		if err := copyInto(content, root, name); err != nil {
			return fmt.Errorf("look at what was installed: %w", err)
		}
		fmt.Fprintf(sum, "file %q %t %x\n", name, mode&0o111 != 0, content.Sum(nil))
		return nil
	default:
		return fmt.Errorf("it has something that is no file, link or folder: %s", shown(name))
	}
}

func copyInto(sum hash.Hash, root *os.Root, name string) error {
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(sum, file)
	return err
}
