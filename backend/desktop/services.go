package desktop

import (
	"errors"
	"sync"
)

// ErrNoWindow says that this build contains no window.
var ErrNoWindow = errors.New("this build has no window")

// Services are what is bound to the page beside the app itself.
func (w *Window) Services() []any {
	return []any{&Folders{w, &sync.Mutex{}}, &Models{w}, &Sessions{w}, &Processes{w}, &Changes{w}, &Preferences{w}, &Pictures{w}, &Files{w}, &Settings{w}, &Servers{w, &sync.Mutex{}}}
}

// Decide lets the window close whatever is running.
func (w *Window) Decide() {
	w.conversations.allowClose()
}

// redactKeys hides known keys.
func (w *Window) redactKeys(text []byte) []byte {
	if !w.isOpen() {
		return text
	}
	return w.backend.Redactor.Bytes(text)
}
