package desktop

import (
	"context"
	"slices"

	"fairlead/backend/session"
	"fairlead/backend/settings"
	"fairlead/backend/workspace"
)

// MovedFolder is where the open folder was when it was opened before, with conversations that
// would work on it there.
type MovedFolder struct {
	From string `json:"from"`
	// Conversations counts them.
	Conversations int `json:"conversations"`
}

// TakeOver has the conversations of a folder that was moved, and what they changed, stay with
// the open one (SPEC CHG-13), or remembers that the user does not want that.
func (f *Folders) TakeOver(from string, take bool) (None, error) {
	return Guard(f.window, func() (None, error) {
		w := f.window
		folder, err := w.openFolder()
		if err != nil {
			return None{}, err
		}
		if !slices.Contains(w.placesBefore(folder), from) {
			return None{}, &Fault{Code: CodeUsage, Message: "the open folder was not moved from " + from, Hint: "look again"}
		}
		if take {
			if err := w.takeOver(from, folder.Path()); err != nil {
				return None{}, err
			}
		}
		w.remembered.saveChange(func(s *settings.State) { s.Forget(from) })
		w.listChanged()
		w.stateChanged()
		return None{}, nil
	})
}

// takeOver moves the conversations of a folder. Those that this window has open are closed,
// unless a run is running in one.
func (w *Window) takeOver(from, to string) error {
	for _, c := range w.conversations.listOpen() {
		if c.folder == from && !c.isBusy() {
			w.closeIdle(c)
		}
	}
	_, err := w.backend.Sessions.MoveWorkspace(w.ctx, from, to)
	return err
}

// knowFolder remembers what a folder is, to know it where it is moved.
func (w *Window) knowFolder(folder *workspace.Folder) {
	known := settings.KnownFolder{Path: folder.Path(), Identity: folder.Identity()}
	if state := w.remembered.currentState(); known.Identity != "" && !slices.Contains(state.Known, known) {
		w.remembered.saveChange(func(s *settings.State) { s.Know(known) })
	}
}

// placesBefore are the paths at which a folder was opened before and at which there is nothing
// any more.
func (w *Window) placesBefore(folder *workspace.Folder) []string {
	state := w.remembered.currentState()
	before := state.WhereBefore(settings.KnownFolder{Path: folder.Path(), Identity: folder.Identity()})
	return slices.DeleteFunc(before, func(path string) bool { return !workspace.IsGone(path) })
}

// findMoved returns where a folder was before, with conversations; nil where it was nowhere.
func (w *Window) findMoved(ctx context.Context, folder *workspace.Folder) *MovedFolder {
	for _, path := range w.placesBefore(folder) {
		saved, err := w.backend.Sessions.List(ctx, path, session.All, -1)
		if err != nil {
			w.log.Warn("look for conversations of a folder that was moved", "error", err)
			continue
		}
		if len(saved) > 0 {
			return &MovedFolder{path, len(saved)}
		}
	}
	return nil
}
