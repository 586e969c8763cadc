//go:build desktop || dev || bindings

package desktop

import (
	"context"
	"errors"

	"github.com/ncruces/zenity"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// errInWindow is the wish to answer in the window instead.
var errInWindow = errors.New("review in the window")

// dialog asks in native dialogs, which run in a process of their own and close
// as soon as their context ends.
type dialog struct{ window *Window }

// available says whether there are native dialogs on this system.
func (dialog) available() bool { return zenity.IsAvailable() }

// Ask implements approve.Asker. Whatever is not a press on Approve is a no, but
// for Review in window, which leaves the question to the card there.
func (d dialog) Ask(ctx context.Context, request event.ConfirmRequest) (message.Decision, error) {
	w := words(d.window.language())
	q := ask(request, w)
	options := []zenity.Option{
		zenity.Context(ctx), zenity.Title(q.title), zenity.QuestionIcon, zenity.CancelLabel(w.reject), zenity.DefaultCancel(),
		zenity.NoWrap(), // a wrapped line could pass for two
	}
	switch {
	case q.network:
		options = append(options, zenity.OKLabel(w.allow), zenity.CancelLabel(w.deny))
	case q.unseen:
		options = append(options, zenity.OKLabel(w.inWindow))
	default:
		options = append(options, zenity.OKLabel(w.approve), zenity.ExtraButton(w.inWindow))
	}
	err := zenity.Question(d.window.backend.Redactor.String(q.text), options...)
	switch {
	case err == nil && q.unseen, errors.Is(err, zenity.ErrExtraButton):
		d.window.native.Show()
		return message.Decision{}, errInWindow
	case err == nil:
		return message.Decision{Verdict: message.Approve, By: message.ByUser}, nil
	case errors.Is(err, zenity.ErrCanceled):
		return message.Decision{Verdict: message.Reject, By: message.ByUser}, nil
	}
	if ctx.Err() == nil {
		d.window.log.Warn("ask in a native dialog", "error", err)
	}
	return message.Decision{}, err
}
