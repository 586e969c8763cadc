package agent

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLOOP07_SignsOfLifeStretchASilenceAndWordsEndIt(t *testing.T) {
	const limit = 10 * time.Second
	for name, test := range map[string]struct {
		// what comes every 9 s, and for how long
		what  func(*silence)
		times int
		// after is when the silence is told of, and whether it was alive.
		after time.Duration
		alive bool
	}{
		"nothing":               {nil, 0, limit, false},
		"signs for a while":     {(*silence).addSign, 2, 28 * time.Second, false},
		"signs without end":     {(*silence).addSign, 100, silenceStretch * limit, true},
		"words for a long time": {(*silence).addWord, 20, 190 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newRunClock(time.Now)
				defer c.close()
				began := time.Now()
				told := make(chan struct{}, 2)
				var length time.Duration
				var alive bool
				silence := c.startSilence(limit, func(l time.Duration, a bool) {
					length, alive = l, a
					told <- struct{}{}
				})
				defer silence.stop()
				for n := 0; ; n++ {
					var next <-chan time.Time
					if n < test.times {
						next = time.After(9 * time.Second)
					}
					select {
					case <-next:
						test.what(silence)
						continue
					case <-told:
					}
					break
				}
				if got := time.Since(began); got != test.after || alive != test.alive {
					t.Errorf("told of after %v, alive %v; want %v, %v", got, alive, test.after, test.alive)
				}
				if want := map[bool]time.Duration{false: limit, true: silenceStretch * limit}[alive]; length != want {
					t.Errorf("a silence of %v, want %v", length, want)
				}
			})
		})
	}
}
