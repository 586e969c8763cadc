package process

import (
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// liveInterval is the least time between two calls of Command.Output.
	liveInterval = 50 * time.Millisecond
	// liveLimit is the most text of one call, in bytes.
	liveLimit = 16 << 10
)

// live gathers text for those who watch the command. The reading side adds, the
// side that runs the command flushes.
type live struct {
	emit func(text string)
	// fresh tells that there is text after there was none.
	fresh chan struct{}
	// last is when emit was called last.
	last time.Time

	mu      sync.Mutex
	pending []byte
}

func newLive(emit func(text string)) *live {
	return &live{emit: emit, fresh: make(chan struct{}, 1)}
}

// add takes text. Where more comes than a watcher can read, the oldest goes.
func (l *live) add(text []byte) {
	if l.emit == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) == 0 {
		// A signal that is still waiting to be seen serves for this text too.
		select {
		case l.fresh <- struct{}{}:
		default:
		}
	}
	l.pending = append(l.pending, text...)
	if extra := len(l.pending) - liveLimit; extra > 0 {
		for extra < len(l.pending) && !utf8.RuneStart(l.pending[extra]) {
			extra++
		}
		l.pending = append(l.pending[:0], l.pending[extra:]...)
	}
}

// wait is how long to gather before the next flush.
func (l *live) wait() time.Duration {
	return liveInterval - time.Since(l.last)
}

// flush passes on what has gathered.
func (l *live) flush() {
	l.mu.Lock()
	text := string(l.pending)
	l.pending = l.pending[:0]
	l.mu.Unlock()
	if text != "" {
		l.last = time.Now()
		l.emit(text)
	}
}
