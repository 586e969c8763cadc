package desktop

import (
	"math"
	"net/http"
	"syscall"

	"golang.org/x/sys/unix"
)

// unshared is an answer to the page that no child of this process holds a part of.
// The window library answers through a pipe which a child started meanwhile would
// inherit: the page would wait for the end of the answer until the command or the
// dialog has ended, and a command could write into it.
type unshared struct {
	http.ResponseWriter
	begun bool
}

func unshare(answer http.ResponseWriter) http.ResponseWriter {
	return &unshared{ResponseWriter: answer}
}

// WriteHeader implements http.ResponseWriter. The pipe is made here.
func (u *unshared) WriteHeader(status int) {
	if u.begun {
		u.ResponseWriter.WriteHeader(status)
		return
	}
	u.begun = true
	// Nothing is started while this lock is held.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	u.ResponseWriter.WriteHeader(status)
	// Nothing but the three standard streams is meant for children. Linux before 5.11
	// knows no such call; there it stays as the library does it.
	const first = 3
	_ = unix.CloseRange(first, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

// Write implements http.ResponseWriter.
func (u *unshared) Write(text []byte) (int, error) {
	if !u.begun {
		u.WriteHeader(http.StatusOK)
	}
	return u.ResponseWriter.Write(text) //nolint:wrapcheck // it is the library's answer
}

// Unwrap lets http.ResponseController find what the answer can do.
func (u *unshared) Unwrap() http.ResponseWriter { return u.ResponseWriter }
