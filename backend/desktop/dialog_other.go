//go:build !linux && (desktop || dev || bindings)

package desktop

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/ncruces/zenity"

	"fairlead/backend/process"
)

// systemDialogs asks in the system's own dialogs, which close as soon as their context ends.
// They have no fixed-width face and no marks, take the keyboard when they appear, and
// tell nothing of what is typed; their default answer is no.
type systemDialogs struct{ window *Window }

// newDialogs returns the dialogs of this system; nil where it has none.
func newDialogs(w *Window) Dialogs {
	if !zenity.IsAvailable() {
		return nil
	}
	return systemDialogs{w}
}

// appleScript is the program that shows dialogs on macOS.
const appleScript = "/usr/bin/osascript"

// Ask implements Dialogs. A text that is too high to be seen without scrolling is not
// offered to be allowed.
func (s systemDialogs) Ask(ctx context.Context, dialog Dialog) (Press, error) {
	if runtime.GOOS == "darwin" {
		// The library takes the first one of PATH.
		if path, _ := process.Find("osascript", s.window.writableFolders()...); path != appleScript {
			return Dismissed, fmt.Errorf("show a dialog: osascript is %q on PATH, not %s", path, appleScript)
		}
	}
	var parts []string
	for _, part := range []string{dialog.Heading, dialog.Place, dialog.Text, dialog.Facts} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	seen := dialog.Yes != "" && dialog.countRows() <= maxDialogLines
	options := []zenity.Option{
		zenity.Context(ctx), zenity.Title(dialog.Title), zenity.QuestionIcon, zenity.CancelLabel(dialog.No), zenity.DefaultCancel(),
		zenity.NoWrap(), // a wrapped line could pass for two
	}
	switch {
	case !seen:
		options = append(options, zenity.OKLabel(dialog.InWindow))
	case dialog.InWindow != "":
		options = append(options, zenity.OKLabel(dialog.Yes), zenity.ExtraButton(dialog.InWindow))
	default:
		options = append(options, zenity.OKLabel(dialog.Yes))
	}
	err := zenity.Question(strings.Join(parts, "\n\n"), options...)
	switch {
	case err == nil && !seen, errors.Is(err, zenity.ErrExtraButton):
		return InWindow, nil
	case err == nil:
		return Yes, nil
	case errors.Is(err, zenity.ErrCanceled):
		return No, nil
	}
	return Dismissed, err
}

// LastKey implements Dialogs.
func (systemDialogs) LastKey() time.Time { return time.Time{} }

// InFront implements Dialogs. The page says so.
func (s systemDialogs) InFront() bool { return s.window.front.Load() }
