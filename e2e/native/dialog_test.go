//go:build e2e && linux

package native

import "testing"

// The titles and buttons of the native dialogs.
const (
	changeTitle  = "Fairlead: change a file?"
	runTitle     = "Fairlead: run a command?"
	folderTitle  = "Choose the folder to work on"
	approve      = "Approve"
	reject       = "Reject"
	inWindow     = "Review in window"
	dialogButton = "button"
)

// dialog is a native dialog that asks about a call. It has a process of its own.
type dialog struct {
	t   *testing.T
	pid int
}

// dialog waits for the dialog with a title.
func (w *window) dialog(title string) dialog {
	w.t.Helper()
	var found thing
	if err := screen.do("find", query{Role: "dialog", Name: title}, patience.Seconds(), &found); err != nil {
		w.t.Fatalf("the dialog %q: %v", title, err)
	}
	return dialog{w.t, found.PID}
}

func (d dialog) press(name string) {
	d.t.Helper()
	if err := screen.do("press", query{PID: d.pid, Role: dialogButton, Name: name}, patience.Seconds(), nil); err != nil {
		d.t.Fatalf("press %q in the dialog: %v", name, err)
	}
}

// has says whether something is in the dialog now.
func (d dialog) has(q query) bool {
	d.t.Helper()
	q.PID = d.pid
	var found []thing
	if err := screen.do("all", q, 0, &found); err != nil {
		d.t.Fatalf("look for %s in the dialog: %v", q, err)
	}
	return len(found) > 0
}

// waits until the keyboard is on a button of the dialog.
func (d dialog) focuses(name string) {
	d.t.Helper()
	q := query{PID: d.pid, Role: dialogButton, Name: name, States: []string{"focused"}}
	if err := screen.do("find", q, patience.Seconds(), nil); err != nil {
		d.t.Fatalf("%q in the dialog does not have the keyboard: %v", name, err)
	}
}

// gone waits until the dialog and its process have ended.
func (d dialog) gone() {
	d.t.Helper()
	if err := screen.do("gone", query{PID: d.pid, Role: "dialog"}, patience.Seconds(), nil); err != nil {
		d.t.Fatalf("the dialog stays: %v", err)
	}
	eventually(d.t, "the dialog's process has ended", patience, func() bool { return !alive(d.pid) })
}
