package install

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// readBounded reads a file that a package manager or a package has written: a regular one of at
// most so many bytes.
func readBounded(path string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return readIn(root, filepath.Base(path), most)
}

// readIn reads a regular file of at most so many bytes.
func readIn(root *os.Root, name string, most int64) ([]byte, error) {
	if info, err := root.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", shown(name))
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(content)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", shown(name), most)
	}
	return content, nil
}
