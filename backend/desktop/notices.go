package desktop

import (
	"context"
	"slices"
	"sync"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

// Notices shows notices of the system, outside the window.
type Notices interface {
	// Show shows a notice.
	Show(ctx context.Context, key string, notice Notice) error
	// Close takes the notice with a key away. One that is not there is no error.
	Close(ctx context.Context, key string) error
	// Badge has the program's icon show how many conversations need the user, where icons do.
	Badge(ctx context.Context, waiting int) error
}

// Notice is what the system shows.
type Notice struct {
	// Title says what has happened, and Text where.
	Title, Text string
	// Urgent asks for it to stay until it is seen to be answered.
	Urgent bool
}

// The kinds of notices, each of which the user can switch off.
const (
	noticeNeeds  = "needs"
	noticeDone   = "done"
	noticeFailed = "failed"
)

// noticeKinds are all of them.
var noticeKinds = []string{noticeNeeds, noticeDone, noticeFailed}

// noticeTime is how long the system may take to show a notice, or to take it away.
const noticeTime = 2 * time.Second

// maxNotices is how many orders wait for the system; what comes then is left out.
const maxNotices = 64

// noticer has the system tell of what happens in conversations while Fairlead is not in front.
type noticer struct {
	window *Window
	orders chan func(context.Context, Notices)

	mu sync.Mutex
	// shown are the notices that were ordered and not taken away, by their keys.
	shown map[string]shownNotice
	// badge is the number that was last ordered.
	badge int
}

// shownNotice is where a notice leads.
type shownNotice struct {
	sessionID, runID string
	// callID names the question, if it is about one.
	callID string
}

func newNoticer(w *Window) *noticer {
	return &noticer{window: w, orders: make(chan func(context.Context, Notices), maxNotices), shown: map[string]shownNotice{}}
}

// serve carries out orders until the window ends, and takes away what is shown then.
func (n *noticer) serve(notices Notices) {
	do := func(ctx context.Context, order func(context.Context, Notices)) {
		ctx, done := context.WithTimeout(ctx, noticeTime)
		defer done()
		order(ctx, notices)
	}
	for {
		select {
		case order := <-n.orders:
			do(n.window.ctx, order)
		case <-n.window.ctx.Done():
			n.mu.Lock()
			keys := make([]string, 0, len(n.shown))
			for key := range n.shown {
				keys = append(keys, key)
			}
			n.mu.Unlock()
			do(context.WithoutCancel(n.window.ctx), func(ctx context.Context, notices Notices) {
				for _, key := range keys {
					_ = notices.Close(ctx, key) // it goes with its time
				}
				_ = notices.Badge(ctx, 0) // it goes with the program
			})
			return
		}
	}
}

// take tells of what has happened in a run, and takes away what is answered.
func (n *noticer) take(c *conversation, events []event.Event) {
	for _, e := range events {
		at := shownNotice{sessionID: e.SessionID, runID: e.RunID}
		switch d := e.Data.(type) {
		case event.ConfirmRequest:
			at.callID = d.CallID
			n.show(c, noticeNeeds, d.CallID, at)
		case event.ChangesRequest:
			at.callID = d.CallID
			n.show(c, noticeNeeds, d.CallID, at)
		case event.GuardRequest:
			n.show(c, noticeNeeds, d.GuardID, at)
		case event.ConfirmResult:
			n.close(d.CallID)
		case event.ChangesResult:
			n.close(d.CallID)
		case event.ToolResult:
			n.close(d.CallID)
		case event.GuardResult:
			n.close(d.GuardID)
		case event.LifecycleEnd:
			n.closeOf(e.RunID)
			switch d.Reason {
			case message.ReasonCancelled, message.ReasonInterrupted, message.ReasonRejected: // the user did that
			case message.ReasonCompleted:
				n.show(c, noticeDone, e.RunID, at)
			default:
				n.show(c, noticeFailed, e.RunID, at)
			}
		case event.LifecycleError:
			n.closeOf(e.RunID)
			n.show(c, noticeFailed, e.RunID, at)
		}
	}
}

// show has a notice shown, unless Fairlead is in front, the user does not want it, or it is shown already.
func (n *noticer) show(c *conversation, kind, key string, at shownNotice) {
	w := n.window
	if w.inFront() || slices.Contains(w.remembered.currentState().Silent, kind) {
		return
	}
	n.mu.Lock()
	_, again := n.shown[key]
	n.shown[key] = at
	n.mu.Unlock()
	if again {
		return
	}
	words := wordingOf(w.language())
	notice := Notice{Title: words.notices[kind], Text: folderName(c.folder), Urgent: kind == noticeNeeds}
	n.order(func(ctx context.Context, notices Notices) {
		if saved, err := w.backend.Sessions.Find(ctx, c.ID, ""); err == nil {
			notice.Text = message.Visible(saved.Title) + " · " + notice.Text
		}
		if err := notices.Show(ctx, key, notice); err != nil {
			w.log.Warn("show a notice", "error", err)
		}
	})
}

// inFront reports whether a window of Fairlead has the keyboard.
func (w *Window) inFront() bool {
	if w.dialogs != nil {
		return w.dialogs.InFront()
	}
	return w.front.Load()
}

// close has a notice taken away.
func (n *noticer) close(key string) {
	n.mu.Lock()
	_, there := n.shown[key]
	delete(n.shown, key)
	n.mu.Unlock()
	if !there {
		return
	}
	n.order(func(ctx context.Context, notices Notices) {
		if err := notices.Close(ctx, key); err != nil {
			n.window.log.Warn("take a notice away", "error", err)
		}
	})
}

// closeOf has the notices of a run taken away.
func (n *noticer) closeOf(runID string) {
	n.mu.Lock()
	var keys []string
	for key, at := range n.shown {
		if at.runID == runID {
			keys = append(keys, key)
		}
	}
	n.mu.Unlock()
	for _, key := range keys {
		n.close(key)
	}
}

// count has the program's icon show how many conversations need the user.
func (n *noticer) count(waiting int) {
	n.mu.Lock()
	same := n.badge == waiting
	n.badge = waiting
	n.mu.Unlock()
	if same {
		return
	}
	n.order(func(ctx context.Context, notices Notices) {
		if err := notices.Badge(ctx, waiting); err != nil {
			n.window.log.Warn("show how many conversations wait", "error", err)
		}
	})
}

func (n *noticer) order(do func(context.Context, Notices)) {
	select {
	case n.orders <- do:
	default:
		n.window.log.Warn("the system does not show notices in time")
	}
}

// OpenNotice leads to what a notice is about, which the user has clicked on.
func (w *Window) OpenNotice(key string) {
	w.noticer.mu.Lock()
	at, there := w.noticer.shown[key]
	w.noticer.mu.Unlock()
	if !there {
		return
	}
	w.noticer.close(key)
	if err := w.showSession(w.ctx, at.sessionID); err != nil {
		w.tellUser(err.Error())
	}
	if at.callID != "" {
		w.showQuestion(at.callID)
		return
	}
	w.native.Show()
}

// SetFront is how the page reports whether it has the keyboard.
func (p *Preferences) SetFront(front bool) (None, error) {
	p.window.front.Store(front)
	return None{}, nil
}

// SetNotice switches a kind of notices on or off: needs, done or failed.
func (p *Preferences) SetNotice(kind string, on bool) (None, error) {
	return Guard(p.window, func() (None, error) {
		if !slices.Contains(noticeKinds, kind) {
			return None{}, &Fault{Code: CodeUsage, Message: "there are no notices of the kind " + kind}
		}
		return None{}, p.changeState(func(s *settings.State) {
			s.Silent = slices.DeleteFunc(slices.Clone(s.Silent), func(other string) bool { return other == kind })
			if !on {
				s.Silent = append(s.Silent, kind)
			}
		})
	})
}
