package desktop

import (
	"fmt"
	"slices"

	"fairlead/backend/approve"
	"fairlead/backend/message"
)

// Sessions is bound to the page: it works on the conversation that is shown.
type Sessions struct{ window *Window }

// New shows no conversation, so that the next task begins one. An active run goes on.
func (s *Sessions) New() (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		if err := w.checkIdle(); err != nil {
			return None{}, err
		}
		w.setShown("", "")
		return None{}, nil
	})
}

// Show shows a conversation. Runs working on another one go on.
func (s *Sessions) Show(id string) (None, error) {
	return Guard(s.window, func() (None, error) { return None{}, s.window.showSession(s.window.ctx, id) })
}

// Rename gives a conversation the title that the user chose.
func (s *Sessions) Rename(id, title string) (None, error) {
	return Guard(s.window, func() (None, error) { return None{}, s.window.renameSession(s.window.ctx, id, title) })
}

// Pin pins or unpins a conversation. One that is archived comes back by that.
func (s *Sessions) Pin(id string, on bool) (None, error) {
	return Guard(s.window, func() (None, error) { return None{}, s.window.pinSession(s.window.ctx, id, on) })
}

// Archive archives a conversation, or takes it out of the archive, as its next run does too. One in which a
// task or a command is running is refused.
func (s *Sessions) Archive(id string, on bool) (None, error) {
	return Guard(s.window, func() (None, error) { return None{}, s.window.archiveSession(s.window.ctx, id, on) })
}

// Delete takes a conversation out of the list. For 8 s Restore brings it
// back; then it is deleted with all that was said in it. One that is running is
// refused.
func (s *Sessions) Delete(id string) (None, error) {
	return Guard(s.window, func() (None, error) { return None{}, s.window.removeSession(s.window.ctx, id) })
}

// Restore brings a conversation back that was deleted a moment ago.
func (s *Sessions) Restore(id string) (None, error) {
	return Guard(s.window, func() (None, error) { return None{}, s.window.restoreSession(s.window.ctx, id) })
}

// Tour opens the guided tour's sample folder, without remembering it, and runs
// the tour there.
func (s *Sessions) Tour() (Started, error) {
	return Guard(s.window, func() (Started, error) {
		w := s.window
		// No sample folder is made for a tour that is refused.
		if err := w.checkIdle(); err != nil {
			return Started{}, err
		}
		tour, err := w.backend.PrepareTour("")
		if err != nil {
			return Started{}, err
		}
		if _, err := w.openPlace(tour.Folder, true); err != nil {
			return Started{}, fmt.Errorf("open the tour's folder: %w", err)
		}
		w.stateChanged()
		return w.beginRun(Task{Prompt: tour.Prompt}, true)
	})
}

// LeaveTour ends the guided tour: its conversation, which is not saved, is gone, and the
// folder of before is open again, if there was one.
func (s *Sessions) LeaveTour() (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		if err := w.conversations.beginCall(); err != nil {
			return None{}, err
		}
		defer w.conversations.endCall()
		if err := w.conversations.checkTour(); err != nil {
			return None{}, err
		}
		defer w.stateChanged()
		return None{}, w.leaveTour()
	})
}

// Extend gives the user the whole time again to answer a question.
func (s *Sessions) Extend(runID, callID string) (None, error) {
	return Guard(s.window, func() (None, error) {
		return None{}, s.window.explainMissing(runID, s.window.backend.Broker.Extend(runID, callID))
	})
}

// ShowDialog shows the dialog once more of a question that only a dialog can allow, after
// the user closed it. Hash is the question's.
func (s *Sessions) ShowDialog(runID, hash string) (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		if err := w.conversations.beginCall(); err != nil {
			return None{}, err
		}
		defer w.conversations.endCall()
		again := w.conversations.findQuestion(hash)
		if again == nil {
			return None{}, &message.Refusal{Code: message.NotFound, Message: "no question waits for a dialog: it is unknown or decided already"}
		}
		again(runID)
		return None{}, nil
	})
}

// offered are the modes that can be chosen in the window.
var offered = []approve.Mode{approve.Ask, approve.Preview, approve.Draft, approve.Writes, approve.None}

// SetApprove sets what is asked about in a conversation, from its next call on, but for draft,
// which holds from its next run on: ask, preview, draft, writes or none. An empty id means the one that begins next.
func (s *Sessions) SetApprove(sessionID, mode string) (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		if !slices.Contains(offered, approve.Mode(mode)) {
			return None{}, &Fault{Code: CodeUsage, Message: fmt.Sprintf("the mode %q is none of ask, preview, draft, writes, none", mode)}
		}
		w.conversations.setApprove(sessionID, approve.Mode(mode))
		w.remembered.save()
		w.stateChanged()
		return None{}, nil
	})
}

// LetRead lets the commands of a conversation that nobody is asked about read a file with keys,
// once the user has agreed in a native dialog.
func (s *Sessions) LetRead(sessionID, path string) (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		if err := w.agreeReading(path); err != nil {
			return None{}, err
		}
		err := w.conversations.letRead(sessionID, path)
		w.stateChanged()
		return None{}, err
	})
}

// Quit ends the current runs and closes the window.
func (s *Sessions) Quit() (None, error) {
	return Guard(s.window, func() (None, error) {
		w := s.window
		w.Decide()
		w.native.Quit()
		return None{}, nil
	})
}
