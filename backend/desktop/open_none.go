//go:build !desktop && !dev && !bindings

package desktop

// HasWindow says that this build contains the window.
const HasWindow = false

// Open does nothing but fail: this build contains no window.
func Open(*Window, any) error { return ErrNoWindow }
