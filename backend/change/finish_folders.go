package change

import (
	"errors"
	"os"
	"path"
	"slices"

	"fairlead/backend/leftover"
)

// folderTimes returns when the folders last changed in which something is about to, or whose
// time is to be set.
func (w *work) folderTimes() []FolderTime {
	var dirs []leftover.Path
	changed, mayOpen := map[leftover.Path]bool{}, map[leftover.Path]bool{}
	for i := range w.set.Changes {
		c := &w.set.Changes[i]
		dir := leftover.Path(path.Dir(string(c.Path)))
		dirs, changed[dir] = append(dirs, dir), true
		if c.Op == Mode && closedMode(c.Before) != 0 && closedMode(c.After) == 0 {
			mayOpen[c.Path] = true // it is to be open
		}
	}
	for _, t := range w.times {
		dirs = append(dirs, t.Path)
		if t.Closed != 0 {
			mayOpen[t.Path] = true // what is done, or taken back, was done when it was open
		}
	}
	slices.SortFunc(dirs, comparePaths)
	var times []FolderTime
	for _, dir := range slices.Compact(dirs) {
		if now, err := w.tree.lookFolder(string(dir)); err == nil && now.Kind == Folder {
			t := FolderTime{Path: dir, Before: now.Modified}
			if changed[dir] && mayOpen[dir] {
				t.Closed = closedMode(now)
			}
			times = append(times, t)
		}
	}
	return times
}

// lookFolder returns what a folder is, the top included.
func (t *tree) lookFolder(local string) (State, error) {
	at, err := t.spotOf(local + "/.")
	if errors.Is(err, errNoFolder) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	return stateOfOpened(at.handle)
}

// finishFolders gives folders that were made what belongs to them, and those in which
// nobody else has changed anything the time that they are to have. It notes what time they
// have now, and fails where one that was opened could not be closed again.
func (w *work) finishFolders() error {
	var failed error
	made := map[leftover.Path]State{}
	for i, c := range w.set.Changes {
		if (w.recovering || w.jobs[i].done) && c.After.Kind == Folder && c.Op == MakeFolder && c.From == "" && c.After.Inode != 0 {
			made[c.Path] = c.After
		}
	}
	wanted := map[leftover.Path]FolderTime{}
	for _, t := range w.times {
		wanted[t.Path] = t
	}
	all := slices.Clone(w.set.Times)
	for dir := range made {
		all = append(all, FolderTime{Path: dir})
	}
	slices.SortFunc(all, func(a, b FolderTime) int { return comparePaths(b.Path, a.Path) })
	for i, t := range all {
		if state, ok := made[t.Path]; ok {
			if at, err := w.tree.spotOf(string(t.Path)); err == nil {
				_ = at.setRest(state)
			}
		} else if to, ok := wanted[t.Path]; ok && t.Before == to.Before {
			w.setFolderTime(t.Path, to.After)
		}
		now, err := w.tree.lookFolder(string(t.Path))
		all[i].After = now.Modified
		if t.Closed != 0 {
			failed = errors.Join(failed, err, w.closeFolder(t, now))
		}
	}
	w.set.Times = slices.DeleteFunc(all, func(t FolderTime) bool { return t.Before == 0 || t.After == 0 })
	slices.Reverse(w.set.Times)
	return failed
}

// setFolderTime sets when the entries of a folder changed.
func (w *work) setFolderTime(dir leftover.Path, modified int64) {
	at, err := w.tree.spotOf(string(dir) + "/.")
	if err == nil {
		at.name = "."
		_ = setTime(at, modified) // its content is right
	}
}

// syncEach is how many folders are synced one by one at most; of more, the whole file system
// is.
const syncEach = 8

// settleDown begins to keep copies of texts and to make what was done survive a power cut;
// waitSettled waits for both. Where folders cannot be synced the file system does it in its own
// time.
func (w *work) settleDown() {
	w.settled = make(chan struct{})
	texts := w.textsToCopy()
	var each []*os.File
	all := w.tree.lent[0].handle
	if len(w.set.Times) <= syncEach {
		for _, t := range w.set.Times {
			if at, err := w.tree.spotOf(string(t.Path) + "/."); err == nil {
				if opened, err := at.dir.Open("."); err == nil {
					each = append(each, opened)
				}
			}
		}
		all = nil
	}
	go func() {
		defer close(w.settled)
		w.uncopied = w.Objects.copyTexts(afterName(w.set.ID), texts) != nil
		_ = syncFolder(w.Objects.handle)
		w.unsynced = all != nil && syncAll(all) != nil
		for _, folder := range each {
			_, _ = syncFolder(folder), folder.Close()
		}
	}()
}

// waitSettled waits for what settleDown began, if it did. Where the whole file system could not
// be synced, each folder is.
func (w *work) waitSettled() {
	if w.settled == nil {
		return
	}
	<-w.settled
	if !w.unsynced {
		return
	}
	w.unsynced = false
	for _, t := range w.set.Times {
		if at, err := w.tree.spotOf(string(t.Path) + "/."); err == nil {
			_ = syncFolder(at.handle)
		}
	}
}
