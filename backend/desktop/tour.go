package desktop

import (
	"fmt"

	"fairlead/backend/message"
)

// checkTask refuses a task of the user's for the guided tour, which is a script and
// would answer any task alike.
func (w *Window) checkTask(sessionID string) error {
	c := w.conversations.find(sessionID)
	if c != nil && c.saved || c == nil && (sessionID != "" || !w.folder.currentView().tour) {
		return nil
	}
	return &message.Refusal{
		Code: message.InvalidState, Message: "the guided tour is a script and takes no other task; leave it and choose a folder and a model",
	}
}

// leaveTour opens the folder of before the guided tour, or none where none was chosen.
// The tour's folder is left as it is, for a user who wants to look at it. The window must
// not end meanwhile.
func (w *Window) leaveTour() error {
	if !w.folder.currentView().tour {
		return nil
	}
	if err := w.swapPlace(nil, false); err != nil {
		return err
	}
	before := w.remembered.currentState().Workspace
	if before == "" {
		return nil
	}
	folder, err := w.backend.OpenFolder(before)
	if err != nil {
		return fmt.Errorf("open the folder of before the guided tour: %w", err)
	}
	return w.enterFolder(folder, false)
}
