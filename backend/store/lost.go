package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"fairlead/backend/event"
)

// errGone says that the files of the database are not those that were opened.
var errGone = errors.New("the files were deleted or replaced")

// files are those of the database that are written: the file, and its log, which SQLite
// makes with the first write and keeps while somebody has the database open.
type files struct{ database, log os.FileInfo }

// rememberFiles takes the files as they are now for those of the database.
func (f *files) rememberFiles(path string) (err error) {
	if f.database, err = os.Stat(path); err != nil {
		return fmt.Errorf("look at the database: %w", err)
	}
	return nil
}

// checkFiles gives errGone where the files at path are not those of the database any more:
// what is written goes nowhere then. The caller has just written.
func (f *files) checkFiles(path string) error {
	database, err := os.Stat(path)
	if err != nil || !os.SameFile(database, f.database) || database.Size() < pageSize {
		return fmt.Errorf("look at %s: %w", path, errGone)
	}
	log, err := os.Stat(path + "-wal")
	if err != nil || f.log != nil && !os.SameFile(log, f.log) {
		return fmt.Errorf("look at %s-wal: %w", path, errGone)
	}
	f.log = log
	return nil
}

// Lost reports whether an error of a write says that what was saved before may be lost
// too: the files are gone, damaged, or on a disk that fails.
func Lost(err error) bool {
	return errors.Is(err, errGone) || isDamage(err) || sqliteCode(err) == sqlite3.SQLITE_IOERR
}

// WriteOut writes the events of a run, one a line, into a file of their own in the data
// folder, or in the temporary folder where that cannot be written, and returns its path.
// A file of an earlier call for the run is replaced.
func (s *Store) WriteOut(runID string, events []event.Event) (path string, err error) {
	var lines bytes.Buffer
	for _, e := range events {
		line, err := s.encode(e)
		if err != nil {
			return "", fmt.Errorf("write out run %s: %w", runID, err)
		}
		lines.Write(line)
		lines.WriteByte('\n')
	}
	name := "unsaved-" + runID + ".jsonl"
	path = filepath.Join(s.folder, name)
	if err = os.MkdirAll(s.folder, 0o700); err == nil {
		err = os.WriteFile(path, lines.Bytes(), 0o600)
	}
	if err != nil {
		path = filepath.Join(os.TempDir(), "fairlead-"+name)
		err = os.WriteFile(path, lines.Bytes(), 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("write out run %s: %w", runID, err)
	}
	return path, nil
}
