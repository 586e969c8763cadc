package desktop

import (
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// Forked names a conversation that was forked from another one.
type Forked struct {
	SessionID string `json:"sessionId"`
	// Pictures are those that went with the task, to go with it again.
	Pictures []Attached `json:"pictures"`
}

// Fork begins a conversation with what the one of a run held before that. With asItWas it begins in a
// draft in which the files are as they were then, as far as that is known; else on the folder as it
// is now.
func (s *Sessions) Fork(runID string, asItWas bool) (Forked, error) {
	return Guard(s.window, func() (Forked, error) {
		w := s.window
		run, err := w.backend.Sessions.FindRun(w.ctx, runID)
		if err != nil {
			return Forked{}, err
		}
		var fork session.Saved
		mode := w.conversations.approveMode(run.SessionID)
		if asItWas {
			mode = approve.Draft
			err = w.changeSession(w.ctx, run.SessionID, func(changes *session.Changes) (err error) {
				fork, _, err = w.backend.ForkAsItWas(w.ctx, changes, runID)
				return err
			})
		} else {
			fork, err = w.backend.Sessions.Fork(w.ctx, run.SessionID, runID)
		}
		if err != nil {
			return Forked{}, err
		}
		w.conversations.setApprove(fork.ID, mode)
		w.listChanged()
		return Forked{fork.ID, w.picturesOf(runID)}, nil
	})
}

// ForkAfter begins a conversation with what the one of a run held after that, on the folder as it is now.
func (s *Sessions) ForkAfter(runID string) (Forked, error) {
	return Guard(s.window, func() (Forked, error) {
		w := s.window
		run, err := w.backend.Sessions.FindRun(w.ctx, runID)
		if err != nil {
			return Forked{}, err
		}
		fork, err := w.backend.Sessions.ForkAfter(w.ctx, run.SessionID, runID)
		if err != nil {
			return Forked{}, err
		}
		w.conversations.setApprove(fork.ID, w.conversations.approveMode(run.SessionID))
		w.listChanged()
		return Forked{fork.ID, []Attached{}}, nil
	})
}

// picturesOf keeps the pictures that went with a run's task as if they were added once more. Those
// that are lost are left out.
func (w *Window) picturesOf(runID string) []Attached {
	attached := []Attached{}
	for e, err := range w.eachEvent(w.ctx, runID, 0) {
		start, ok := e.Data.(event.LifecycleStart)
		if err != nil || !ok {
			break // it is the first event
		}
		for _, block := range start.Blocks {
			if block.Sum != "" {
				block.Data, err = w.backend.Sessions.BlockData(w.ctx, block.Sum)
			}
			picture := message.Block{Type: block.Type, Name: block.Name, MediaType: block.MediaType, Data: block.Data}
			if err == nil && picture.IsPicture() {
				attached = append(attached, w.attached.add(picture))
			}
		}
	}
	return attached
}
