package agent

import "time"

// silenceStretch is how many times its limit a silence may last while there are signs of
// life (SPEC LOOP-07).
const silenceStretch = 5

// silence is the time in which a model that was asked sends nothing of its reply. A sign of
// life stretches it; a word ends it, and another begins.
type silence struct{ complete, wordless *runTimer }

// startSilence measures a silence by the time in which the process ran. It calls f, in a
// goroutine of its own, once nothing at all came for limit, or no word for silenceStretch
// times as long; f is given how long that was, and whether there were signs of life.
func (c *runClock) startSilence(limit time.Duration, f func(length time.Duration, alive bool)) *silence {
	return &silence{
		complete: c.startTimer(limit, c.awakeTime, func() { f(limit, false) }),
		wordless: c.startTimer(silenceStretch*limit, c.awakeTime, func() { f(silenceStretch*limit, true) }),
	}
}

// addSign notes a sign of life.
func (s *silence) addSign() { s.complete.restart() }

// addWord notes a word.
func (s *silence) addWord() {
	s.complete.restart()
	s.wordless.restart()
}

// stop keeps the silence from calling f, unless it is calling it already.
func (s *silence) stop() {
	s.complete.stop()
	s.wordless.stop()
}
