package change

import (
	"os"
	"path/filepath"

	"fairlead/backend/leftover"
)

// stateIn returns what an entry of a folder is.
func stateIn(folder *os.File, name string) (State, error) {
	path := filepath.Join(folder.Name(), name)
	info, err := os.Lstat(path)
	if err != nil {
		return State{}, err
	}
	s := stateOf(info)
	if s.Kind == Link {
		target, err := os.Readlink(path)
		if err != nil {
			return State{}, err
		}
		s.Target = leftover.Path(target)
	}
	s.identifyAt(path)
	return s, nil
}

// openFolderIn opens a folder in another one.
func openFolderIn(folder *os.File, name string) (*os.File, error) {
	return os.Open(filepath.Join(folder.Name(), name))
}

// openFileIn opens a file in a folder to be read.
func openFileIn(folder *os.File, name string) (*os.File, error) {
	return os.Open(filepath.Join(folder.Name(), name))
}
