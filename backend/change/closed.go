package change

import (
	"fmt"
	"io/fs"

	"fairlead/backend/leftover"
)

// isClosed reports whether the owner of a folder cannot change what is in it.
func isClosed(s State) bool { return s.Mode&0o300 != 0o300 }

// closedMode is the mode of a folder that its owner cannot change, with fs.ModeDir; 0 for others.
func closedMode(s State) fs.FileMode {
	if s.Kind != Folder || !isClosed(s) {
		return 0
	}
	return fs.ModeDir | s.Mode
}

// setFolderMode sets the mode of a folder.
func (w *work) setFolderMode(local leftover.Path, mode fs.FileMode) error {
	at, err := w.tree.spotOf(string(local))
	if err != nil {
		return err
	}
	return setMode(at, unixMode(mode))
}

// closeFolder gives a folder the mode back that it had before it was opened, unless a change of the
// set leaves it open.
func (w *work) closeFolder(t FolderTime, now State) error {
	if now.Mode != (t.Closed|0o700)&modeBits {
		return nil
	}
	for i, c := range w.set.Changes {
		if c.Path == t.Path && c.Op == Mode && c.After.Mode == now.Mode && (w.recovering || w.jobs[i].done) {
			return nil
		}
	}
	if err := w.setFolderMode(t.Path, t.Closed); err != nil {
		return fmt.Errorf("close %s again: %w", t.Path, err)
	}
	return nil
}
