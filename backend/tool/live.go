package tool

import "sync"

// live passes live output on until the call has ended: nothing may follow the result
// (SPEC EV-08), not even from a tool that was left behind.
type live struct {
	mu     sync.Mutex
	closed bool
	out    func(string)
}

func (l *live) send(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed && text != "" {
		l.out(text)
	}
}

func (l *live) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}
