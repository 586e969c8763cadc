package desktop

import (
	"time"

	"fairlead/backend/session"
)

// attendEvery is how often it is looked what another process has done.
const attendEvery = 500 * time.Millisecond

// attendRun brings the events of a run to the page that another process works on, as it
// saves them, while the conversation is shown.
func (w *Window) attendRun(run session.SavedRun) {
	if w.conversations.beginCall() != nil {
		return // the window ends, and must not wait for what begins now
	}
	defer w.conversations.endCall()
	if !w.folder.noteAttended(run.ID) {
		return
	}
	w.alive.Go(func() {
		defer func() {
			w.folder.forgetAttended(run.ID)
			w.listChanged()
		}()
		var seq int64
		for w.attendsRun(run) {
			events, err := w.backend.Sessions.Events(w.ctx, run, seq)
			if err != nil {
				if w.ctx.Err() == nil {
					w.log.Warn("follow a run of another process", "run", run.ID, "error", err)
				}
				return
			}
			if len(events) > 0 {
				w.emitter.emit(events)
				last := events[len(events)-1]
				if seq = last.Seq; last.Terminal() {
					return
				}
			}
			select {
			case <-w.ctx.Done():
			case <-time.After(attendEvery):
			}
			// It may have crashed meanwhile.
			if err := w.backend.Sessions.Recover(w.ctx); err != nil && w.ctx.Err() == nil {
				w.log.Warn("recover runs", "error", err)
			}
		}
	})
}

// attendsRun reports whether a run is still to be attended.
func (w *Window) attendsRun(run session.SavedRun) bool {
	return w.ctx.Err() == nil && w.folder.isAttended(run.ID, run.SessionID)
}
