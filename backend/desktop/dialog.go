package desktop

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// Dialogs shows native dialogs, which the page can neither press nor read.
type Dialogs interface {
	// Ask shows a dialog and returns which of its answers was pressed. It returns soon
	// after ctx ends, with the error of ctx; another error means that it could not ask.
	Ask(ctx context.Context, dialog Dialog) (Press, error)
	// LastKey returns when a key was last pressed in a window of Fairlead; the zero
	// time before the first, and where the system does not tell.
	LastKey() time.Time
	// InFront reports whether a window of Fairlead has the keyboard.
	InFront() bool
}

// Press is what ended a dialog.
type Press int

// The ends of a dialog. The C code of gtk_linux.h counts them likewise.
const (
	// Dismissed means that it was closed: nothing is answered.
	Dismissed Press = iota
	// Yes allows what was asked about.
	Yes
	// No refuses it.
	No
	// InWindow leaves the question to the card in the window, and leads there.
	InWindow
)

// Dialog is a question as a native dialog shows it.
type Dialog struct {
	// Title is that of the dialog's window, Heading the question in a sentence, Place
	// the folder and the conversation that it comes from.
	Title, Heading, Place string
	// Text is what is asked about, in rows of at most maxDialogColumns. It may be empty.
	Text string
	// Marks are the parts of Text that are dangerous, in order.
	Marks []Mark
	// Facts are what else there is to know, one a line.
	Facts string
	// Yes, No and InWindow are the words of the answers; an empty one is not offered.
	Yes, No, InWindow string
	// Scroll asks to scroll to the end of a text that is too high, which is needed
	// before Yes can be pressed.
	Scroll string
	// Theme is light, dark, or empty for the system's.
	Theme string
}

// Mark is a part of a text, from one character to before another, counted from 0.
type Mark struct{ From, To int }

// countRows returns how high the text is.
func (d Dialog) countRows() int { return strings.Count(d.Text, "\n") + 1 }

// errInWindow leaves a question to the window.
var errInWindow = errors.New("the question is left to the window")

// The values of the setting that says when questions are asked in native dialogs too.
const (
	// dialogAlways is the default.
	dialogAlways = "always"
	// dialogBackground asks so only while Fairlead is not in front.
	dialogBackground = "background"
	// dialogNever leaves every question to the window.
	dialogNever = "never"
)

// useDialogs returns when questions are asked in native dialogs too.
func (w *Window) useDialogs() string {
	if chosen := w.remembered.settings().Value("dialog"); chosen != "" {
		return chosen
	}
	return dialogAlways
}

// asksNatively reports whether every question is asked in a native dialog too.
func (w *Window) asksNatively() bool { return w.dialogs != nil && w.useDialogs() == dialogAlways }

const (
	// quietTime is how long nothing must have been typed before a dialog opens: it
	// could take the keyboard under some window managers (SPEC HITL-02).
	quietTime = 1500 * time.Millisecond
	// frontTime is the time between two looks at whether Fairlead is still in front.
	frontTime = 500 * time.Millisecond
)

// waitForQuiet waits until nothing was typed for quietTime.
func (w *Window) waitForQuiet(ctx context.Context) error {
	for {
		left := quietTime - time.Since(w.dialogs.LastKey())
		if left <= 0 {
			return nil
		}
		if err := waitFor(ctx, left); err != nil {
			return err
		}
	}
}

func waitFor(ctx context.Context, length time.Duration) error {
	select {
	case <-time.After(length):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// askNatively shows a dialog once nothing is typed, without the known keys. There is
// one at a time: the others wait (SPEC HITL-06).
func (w *Window) askNatively(ctx context.Context, dialog Dialog) (Press, error) {
	select {
	case w.asking <- struct{}{}:
		defer func() { <-w.asking }()
	case <-ctx.Done():
		return Dismissed, ctx.Err()
	}
	if err := w.waitForQuiet(ctx); err != nil {
		return Dismissed, err
	}
	dialog.Theme = w.remembered.currentState().Theme
	return w.dialogs.Ask(ctx, dialog)
}

// asker asks about the calls of one conversation in native dialogs.
type asker struct {
	window *Window
	// conversation is set before its first run begins.
	conversation *conversation
}

// Ask implements approve.Asker. Nothing but a press on an answer is one: a dialog that
// was closed leaves the question to the card in the window.
func (a *asker) Ask(ctx context.Context, request event.ConfirmRequest) (message.Decision, error) {
	w := a.window
	if request.Cause.ByEdit() {
		return message.Decision{}, errInWindow // the user who edited it is there
	}
	for w.useDialogs() == dialogBackground && w.dialogs.InFront() {
		if err := waitFor(ctx, frontTime); err != nil {
			return message.Decision{}, err
		}
	}
	if w.useDialogs() == dialogNever {
		return message.Decision{}, errInWindow
	}
	// What only a dialog can allow is asked there all the same.
	if request.Kind != message.QuestionNetwork && w.conversations.isLeftToWindow(a.conversation, request.CallID) {
		return message.Decision{}, errInWindow
	}
	a.keepQuestion(ctx, request)
	return a.showDialog(ctx, request)
}

// showDialog shows the dialog of a request.
func (a *asker) showDialog(ctx context.Context, request event.ConfirmRequest) (message.Decision, error) {
	w := a.window
	words := wordingOf(w.language())
	q := newQuestion(w.withoutKeys(request), a.conversation.toolTitle(ctx, request), words)
	q.dialog.Place = w.describePlace(ctx, a.conversation, request.Preview.Folder == "", words)
	press, err := w.askNatively(ctx, q.dialog)
	if err != nil {
		if ctx.Err() == nil {
			w.log.Warn("ask in a native dialog", "error", err)
		}
		return message.Decision{}, err
	}
	switch press {
	case Yes:
		return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
	case No:
		return message.Decision{Verdict: message.Reject, By: message.ByUser}, nil
	case InWindow:
		w.leadToCard(a.conversation, request.CallID)
	}
	w.conversations.leaveToWindow(a.conversation)
	return message.Decision{}, errInWindow
}

// withoutKeys hides the known keys in what a dialog shows of a request.
func (w *Window) withoutKeys(request event.ConfirmRequest) event.ConfirmRequest {
	redact := w.backend.Redactor
	p := &request.Preview
	request.Arguments = redact.Bytes(request.Arguments)
	p.Changes = slices.Clone(p.Changes)
	for i := range p.Changes {
		c := &p.Changes[i]
		c.Path, c.From, c.Diff, c.Target = redact.String(c.Path), redact.String(c.From), redact.String(c.Diff), redact.String(c.Target)
	}
	if call := p.ServerCall; call != nil {
		shown := *call
		shown.Arguments, shown.Runs = redact.String(call.Arguments), redact.String(call.Runs)
		p.ServerCall = &shown
	}
	p.Path, p.Diff, p.Command, p.URL = redact.String(p.Path), redact.String(p.Diff), redact.String(p.Command), redact.String(p.URL)
	return request
}

// describePlace names the conversation that a question comes from, and its folder where the
// question does not say that itself.
func (w *Window) describePlace(ctx context.Context, c *conversation, folder bool, words wording) string {
	place := ""
	if folder {
		place = words.folder + " " + message.Inline(c.folder) + "\n"
	}
	saved, err := w.backend.Sessions.Find(ctx, c.ID, "")
	if err != nil || saved.Title == "" {
		return strings.TrimSuffix(place, "\n") // the guided tour has no title
	}
	const most = 80
	title := []rune(message.Inline(saved.Title))
	if len(title) > most {
		title = append(title[:most:most], '…')
	}
	return place + words.conversation + " “" + string(title) + "”"
}

// leadToCard leads to the card of a question: it brings the window to the front with the
// conversation that the question comes from.
func (w *Window) leadToCard(c *conversation, callID string) {
	if w.folder.currentView().shown != c.ID {
		if err := w.showSession(w.ctx, c.ID); err != nil {
			w.log.Warn("show the conversation of a question", "session", c.ID, "error", err)
		}
	}
	w.showQuestion(callID)
}

// keepQuestion remembers a question about the network, which only a dialog can allow, as long
// as it is open: after a look in the window, the card there asks for the dialog again.
func (a *asker) keepQuestion(ctx context.Context, request event.ConfirmRequest) {
	if request.Preview.Effect != message.EffectNetwork || !request.Preview.Network {
		return
	}
	w := a.window
	w.conversations.keepQuestion(ctx, request.Hash, func(runID string) {
		w.alive.Go(func() {
			decision, err := a.showDialog(ctx, request)
			if err != nil {
				return // it is answered, or left to the window once more
			}
			decision.Hash = request.Hash
			_ = w.backend.Broker.Confirm(runID, request.CallID, decision) // one that comes too late is refused
		})
	})
}
