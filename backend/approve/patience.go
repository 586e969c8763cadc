package approve

import "time"

const (
	// tickInterval is how often a waiting question looks at the clock.
	tickInterval = time.Second
	// stillTime is how late a look may be before it means that the whole process
	// stood still: the machine slept, or someone stopped the program.
	stillTime = 5 * time.Second
)

// patience is how long a question still waits. Time in which the process stood
// still counts for nothing, because nobody could answer then (SPEC LOOP-07).
type patience struct {
	whole, left time.Duration
	interval    time.Duration
	last        time.Time
	ticker      *time.Ticker
}

func newPatience(whole time.Duration) *patience {
	interval := min(tickInterval, whole)
	return &patience{whole: whole, left: whole, interval: interval, last: time.Now(), ticker: time.NewTicker(interval)}
}

func (p *patience) stop() { p.ticker.Stop() }

// ticks tells when to look.
func (p *patience) ticks() <-chan time.Time { return p.ticker.C }

// renew gives the whole time again.
func (p *patience) renew() { p.left, p.last = p.whole, time.Now() }

// lasts accounts for the time since the last look and reports whether some is left.
func (p *patience) lasts(now time.Time) bool {
	passed := now.Sub(p.last)
	p.last = now
	if passed > p.interval+stillTime {
		passed = p.interval
	}
	p.left -= passed
	return p.left > 0
}
