package clock

import "time"

// Stopwatch measures the time in which at least one of several things goes on.
type Stopwatch struct {
	// Total is that time, as far as it is over.
	Total time.Duration

	going int
	since time.Time
}

// Enter says that one of them begins.
func (s *Stopwatch) Enter() {
	if s.going++; s.going == 1 {
		s.since = time.Now()
	}
}

// Leave says that one of them ends.
func (s *Stopwatch) Leave() {
	if s.going--; s.going == 0 {
		s.Total += time.Since(s.since)
	}
}
