//go:build e2e && linux

package native

import (
	"strings"
	"time"
)

// The titles and buttons of the native dialogs.
const (
	changeTitle  = "Fairlead: change a file?"
	runTitle     = "Fairlead: run a command?"
	keepTitle    = "Fairlead: keep changes?"
	settingTitle = "Fairlead: change a setting?"
	folderTitle  = "Choose the folder to work on"
	approve      = "Approve"
	applyAll     = "Apply all"
	reject       = "Reject"
	inWindow     = "Review in window"
	dialogButton = "button"
)

// dialog is a native dialog that asks about a call: a window of the program itself.
type dialog struct {
	w     *window
	title string
}

// dialog waits for the dialog with a title.
func (w *window) dialog(title string) dialog {
	w.t.Helper()
	w.find(query{Role: "dialog", Name: title})
	return dialog{w, title}
}

// within looks for something in the dialog.
func (d dialog) within(q query) query {
	q.Within = &query{Role: "dialog", Name: d.title}
	return q
}

// press presses a button of the dialog, as soon as it can be pressed.
func (d dialog) press(name string) {
	d.w.t.Helper()
	d.w.push(d.within(query{Role: dialogButton, Name: name}))
}

// has reports whether something is in the dialog now.
func (d dialog) has(q query) bool {
	d.w.t.Helper()
	return d.w.has(d.within(q))
}

// offers waits until a button of the dialog can be pressed.
func (d dialog) offers(name string) {
	d.w.t.Helper()
	d.w.find(d.within(query{Role: dialogButton, Name: name, States: []string{"sensitive"}}))
}

// activate gives the dialog the keyboard, as a click on it does.
func (d dialog) activate() {
	d.w.t.Helper()
	d.w.xdotool("search", "--sync", "--onlyvisible", "--name", "^"+strings.ReplaceAll(d.title, "?", ".")+"$", "windowactivate", "--sync")
}

// gone waits until the dialog is closed.
func (d dialog) gone() {
	d.w.t.Helper()
	d.w.gone(query{Role: "dialog", Name: d.title})
}

// rest types nothing for longer than a question waits before a key answers it.
func rest() { time.Sleep(1200 * time.Millisecond) }
