package agent

import "time"

// stopwatch measures the time in which at least one of several things goes on.
type stopwatch struct {
	// total is that time, as far as it is over.
	total time.Duration

	going int
	since time.Time
}

// enter notes that one of them begins.
func (s *stopwatch) enter() {
	if s.going++; s.going == 1 {
		s.since = time.Now()
	}
}

// leave notes that one of them ends.
func (s *stopwatch) leave() {
	if s.going--; s.going == 0 {
		s.total += time.Since(s.since)
	}
}
