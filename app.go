package main

import (
	"fairlead/backend/desktop"
	"fairlead/backend/session"
)

// App is what the window calls first: the way of a task, from its beginning to
// its end. Everything else is on the services in backend/desktop.
type App struct{ window *desktop.Window }

// Run begins to work on a task in the open folder with the chosen model. What
// happens comes as events.
func (a *App) Run(task desktop.Task) (desktop.Started, error) {
	return desktop.Guard(a.window, func() (desktop.Started, error) { return a.window.Run(task) })
}

// Cancel ends a run.
func (a *App) Cancel(runID string) (session.Cancelled, error) {
	return desktop.Guard(a.window, func() (session.Cancelled, error) { return a.window.Cancel(runID) })
}

// Confirm answers the question about a call.
func (a *App) Confirm(answer desktop.Answer) (desktop.Answered, error) {
	return desktop.Guard(a.window, func() (desktop.Answered, error) { return a.window.Confirm(answer) })
}

// Interrupt has a run stop before its next model call, with a text as its reply unless
// that is empty. Tools that run come to their end.
func (a *App) Interrupt(runID, text string) (session.Interrupted, error) {
	return desktop.Guard(a.window, func() (session.Interrupted, error) { return a.window.Interrupt(runID, text) })
}

// Decide answers whether a run that a guard has paused may go on.
func (a *App) Decide(answer desktop.GuardAnswer) (desktop.Decided, error) {
	return desktop.Guard(a.window, func() (desktop.Decided, error) { return a.window.Answer(answer) })
}
