package desktop

import (
	"fmt"

	"fairlead/backend/message"
)

// checkTour refuses a task of the user's for the guided tour, which is a script and
// would answer any task alike. The caller has the turn.
func (w *Window) checkTour(sessionID string) error {
	t := w.talks[sessionID]
	if t != nil && t.saved || t == nil && (sessionID != "" || !w.tour) {
		return nil
	}
	return &message.Refusal{
		Code: message.InvalidState, Message: "the guided tour is a script and takes no other task; leave it and choose a folder and a model",
	}
}

// leaveTour opens the folder of before the guided tour, or none where none was chosen.
// The tour's folder is left as it is, for the user who wants to look at it. The caller has
// the turn.
func (w *Window) leaveTour() error {
	if !w.tour {
		return nil
	}
	w.setShown("")
	w.closePlace()
	w.mu.Lock()
	w.tour = false
	before := w.state.Workspace
	w.mu.Unlock()
	if before == "" {
		return nil
	}
	folder, err := w.backend.OpenFolder(before)
	if err != nil {
		return fmt.Errorf("open the folder of before the guided tour: %w", err)
	}
	w.enter(folder, false)
	return nil
}
