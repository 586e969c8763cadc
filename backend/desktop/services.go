package desktop

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
)

// ErrNoWindow says that this build contains no window.
var ErrNoWindow = errors.New("this build has no window")

// Services are what is bound to the page beside the app itself.
func (w *Window) Services() []any {
	return []any{&Folders{w, &sync.Mutex{}}, &Models{w}, &Sessions{w}, &Preferences{w}}
}

// instance names the one window of a data folder on the session bus, where only
// letters, digits and underscores are safe.
func (w *Window) instance() string {
	sum := sha256.Sum256([]byte(w.folders.Data))
	return "fairlead_" + hex.EncodeToString(sum[:8])
}

// background is the color behind the page before it is painted.
func (w *Window) background() (red, green, blue uint8) {
	if w.state.Theme == "dark" {
		return 0x0b, 0x0b, 0x0b
	}
	return 0xff, 0xff, 0xff
}

// Decide lets the window close whatever is at work.
func (w *Window) Decide() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.decided = true
}

// redact hides known keys.
func (w *Window) redact(text []byte) []byte {
	if !w.isOpen() {
		return text
	}
	return w.backend.Redactor.Bytes(text)
}
