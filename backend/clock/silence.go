package clock

import "time"

// Stretch is how many times its limit a silence may last while there are signs of life
// (SPEC LOOP-07).
const Stretch = 5

// Silence is the time in which somebody who was asked says nothing. A sign of life
// stretches it, a word ends it, and another begins.
type Silence struct{ complete, wordless *Timer }

// Silence measures a silence of the time in which the process ran. It calls f, in a
// goroutine of its own, once nothing at all came for limit, or no word for Stretch times
// as long; f is told how long that was, and whether there were
// signs of life.
func (c *Clock) Silence(limit time.Duration, f func(length time.Duration, alive bool)) *Silence {
	return &Silence{
		complete: c.After(limit, c.Awake, func() { f(limit, false) }),
		wordless: c.After(Stretch*limit, c.Awake, func() { f(Stretch*limit, true) }),
	}
}

// Sign says that there was a sign of life.
func (s *Silence) Sign() { s.complete.Restart() }

// Word says that there was a word.
func (s *Silence) Word() {
	s.complete.Restart()
	s.wordless.Restart()
}

// Stop keeps the silence from calling, unless it is at it.
func (s *Silence) Stop() {
	s.complete.Stop()
	s.wordless.Stop()
}
