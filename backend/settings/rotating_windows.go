package settings

import (
	"errors"
	"os"
	"path/filepath"
)

// openEnd opens a file to be written at its end, or makes it. What os.Root opens, another
// process can set aside meanwhile; what os.OpenFile opens, nobody can.
func openEnd(path string) (*os.File, error) {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	file, err := folder.OpenFile(filepath.Base(path), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return file, errors.Join(err, folder.Close())
}
