//go:build !linux

package change

import "os"

// exchange is not done: what is replaced is copied before.
func exchange(_, _ spot) error { return errFar }

// move is not done either.
func move(_, _ spot) error { return errFar }

// isWritten is not known; what is replaced is copied in any case.
func isWritten(*os.File) bool { return false }

// cloneFile is not done.
func cloneFile(_, _ *os.File) error { return errFar }

// syncAll is not known.
func syncAll(*os.File) error { return errFar }

// stripOwn has nothing to take off: there are no overlays.
func stripOwn(spot) error { return nil }

// subvolumes are not known: there are no overlays.
func subvolumes(string) func(State) bool { return func(State) bool { return false } }
