package desktop

import (
	"context"
	"iter"
	"math"
	"net/http"
	"slices"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// titleTime is how long the search for a title may take.
const titleTime = 30 * time.Second

// runsAtOnce is how many runs of a conversation are shown at first, and how many more
// each time that somebody looks further back.
const runsAtOnce = 20

// showSession shows a conversation, in its own workspace.
func (w *Window) showSession(ctx context.Context, id string) error {
	if err := w.conversations.beginCall(); err != nil {
		return err
	}
	defer w.conversations.endCall()
	if err := w.conversations.checkTour(); err != nil {
		return err
	}
	saved, err := w.backend.Sessions.Find(ctx, id, "")
	if err != nil {
		return err
	}
	if w.folder.currentView().path != saved.Workspace {
		folder, err := w.backend.OpenFolder(saved.Workspace)
		if err != nil {
			return err
		}
		if err := w.enterFolder(folder, false); err != nil {
			return err
		}
		w.rememberFolder(folder.Path())
	}
	w.setShown(id, saved.Workspace)
	return nil
}

// setShown makes a conversation the one that is shown, if its folder is; none where id is
// empty. The one before is closed unless a run of it is running.
func (w *Window) setShown(id, folder string) {
	c := w.conversations.find(id)
	before, changed := w.folder.showSession(id, folder, func() {
		if c == nil || c.saved {
			w.remembered.noteChange(func(s *settings.State) { s.Session = id })
		}
	})
	if !changed {
		return
	}
	w.remembered.save()
	w.closeUnshown(before)
	w.stateChanged()
}

// closeUnshown closes a conversation that is shown no more, unless a run of it is running.
func (w *Window) closeUnshown(id string) {
	if c := w.conversations.find(id); c != nil {
		w.closeIdle(c)
	}
}

// lastRuns are the last runs of a conversation, in order, as the store and the
// process know them.
func (w *Window) lastRuns(ctx context.Context, id string) (RunList, error) {
	var saved []session.SavedRun
	c := w.conversations.find(id)
	if c == nil || c.saved {
		var err error
		if saved, err = w.backend.Sessions.LastRuns(ctx, id, math.MaxInt64, runsAtOnce+1); err != nil {
			return RunList{}, err
		}
	}
	list := runList(saved, runsAtOnce)
	if c == nil {
		if len(saved) > 0 && saved[len(saved)-1].EndedAt.IsZero() {
			w.attendRun(saved[len(saved)-1])
		}
		return list, nil
	}
	for _, run := range c.KeptRuns() {
		// A run that could not be saved has its end here only.
		known := slices.IndexFunc(list.Runs, func(r RunState) bool { return r.RunID == run.ID })
		if known < 0 {
			known = len(list.Runs)
			list.Runs = append(list.Runs, RunState{RunID: run.ID})
		}
		list.Runs[known].Ended = run.Events.Ended()
	}
	return list, nil
}

// runList are the runs that were read, but for the first one where that says only that there are more than most.
func runList(saved []session.SavedRun, most int) RunList {
	list := RunList{Runs: []RunState{}, Earlier: len(saved) > most}
	if list.Earlier {
		saved = saved[1:]
	}
	for _, run := range saved {
		list.Runs = append(list.Runs, RunState{RunID: run.ID, Ended: !run.EndedAt.IsZero()})
	}
	return list
}

// readEarlierRuns reads the runs of a conversation that precede one of them, from another one on where that
// is named.
func (w *Window) readEarlierRuns(request *http.Request) (any, error) {
	ctx, query := request.Context(), request.URL.Query()
	before, err := w.backend.Sessions.FindRun(ctx, query.Get("before"))
	if err != nil {
		return nil, err
	}
	most := runsAtOnce
	if id := query.Get("from"); id != "" {
		from, err := w.backend.Sessions.FindRun(ctx, id)
		if err != nil {
			return nil, err
		}
		most = max(most, int(before.Number-from.Number))
	}
	saved, err := w.backend.Sessions.LastRuns(ctx, request.PathValue("session"), before.Number+1, most+2)
	if err != nil {
		return nil, err
	}
	// A fork has runs of the conversation that it was forked from.
	if len(saved) == 0 || saved[len(saved)-1].ID != before.ID {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: "that is a run of another conversation"}
	}
	return runList(saved[:len(saved)-1], most), nil
}

// eachEvent are the events of a run after a seq: of a running one those in memory, of
// any other those of the store, of which few are in memory at a time.
func (w *Window) eachEvent(ctx context.Context, runID string, after int64) iter.Seq2[event.Event, error] {
	if run := w.conversations.findRun(runID); run != nil {
		return eachOf(run.Events.Since(ctx, after))
	}
	saved, err := w.backend.Sessions.FindRun(ctx, runID)
	if err != nil {
		return eachOf(nil, err)
	}
	return w.backend.Sessions.EachEvent(ctx, saved, after)
}

// eachOf yields events that were read already, or the error of reading them.
func eachOf(events []event.Event, err error) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(event.Event{}, err)
		}
	}
}

// findTitle has the model find a title for a conversation, until a run begins. The window
// must not end meanwhile.
func (w *Window) findTitle(c *conversation) {
	ctx, leave := context.WithTimeout(w.ctx, titleTime)
	w.conversations.setTitleSearch(c, leave)
	w.alive.Go(func() {
		defer leave()
		found, err := c.FindTitle(ctx)
		if err != nil {
			// The first words of the task are title enough.
			w.log.Debug("find a title", "session", c.ID, "error", err)
		}
		if found {
			w.listChanged()
			w.stateChanged()
		}
	})
}
